// The light or dark theme, and the switch between both themes. If the reader has not chosen one, the system's theme is
// used.

import { remember, remembered } from "./storage.js";

const THEME_KEY = "capscope.theme";

/** Set the page's theme, now and after each change of the system's theme. */
export function keepTheme() {
  applyTheme();
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", applyTheme);
}

/** Set the page's theme: the one that the user chose, or else the system's. */
export function applyTheme() {
  const chosen = remembered(THEME_KEY) ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
  const { classList } = document.body, dark = chosen === "dark";
  if (classList.contains("dark") !== dark) classList.toggle("dark", dark);
  const toggle = document.querySelector(".capscope-theme");
  if (toggle) label(toggle);
}

/** Let a button switch the theme when it is clicked. @param {HTMLElement} toggle */
export function switchesTheme(toggle) {
  toggle.addEventListener("click", () => {
    remember(THEME_KEY, document.body.classList.contains("dark") ? "light" : "dark");
    applyTheme();
  });
  label(toggle);
}

/** @param {Element} toggle */
function label(toggle) {
  const isDark = document.body.classList.contains("dark");
  toggle.textContent = isDark ? "Light" : "Dark";
  toggle.setAttribute("aria-label", `Switch to ${isDark ? "light" : "dark"} colours`);
}
