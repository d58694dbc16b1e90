// Starts the page whose panel Gradio has drawn, and adds the app's name and the light/dark switch to the navigation.

import { at } from "./shared/address.js";
import { applyTheme, switchesTheme } from "./shared/theme.js";

const prepared = prepare(document.querySelector("meta[name=capscope-page]").getAttribute("content"));
whenThere("body", (body) => {
  applyTheme();
  new MutationObserver(applyTheme).observe(body, { attributes: true, attributeFilter: ["class"] }); // Gradio sets the system's colours
});
whenThere(".capscope[data-page]", async (panel) => {
  const { start } = await prepared;
  panel.replaceChildren();
  start(panel);
});
whenThere("nav", decorate);
whenThere("button.capscope-theme", switchesTheme); // of a page that has no navigation

/** Load a page's script, and let it ask for what it needs, while Gradio still draws the frame.
 * @param {string} page */
async function prepare(page) {
  document.documentElement.classList.add(`${page}-page`); // its sheets are about what is on it, its dialogs included
  const script = await import(`./${page}/page.js`);
  script.prepare?.().catch(() => {}); // the page itself says so, once it is there
  return script;
}

/** Call once with the first element that matches, as soon as there is one.
 * @param {string} selector @param {(found: HTMLElement) => void} use */
function whenThere(selector, use) {
  const found = /** @type {HTMLElement | null} */ (document.querySelector(selector));
  if (found) return use(found);
  const observer = new MutationObserver(() => {
    const late = /** @type {HTMLElement | null} */ (document.querySelector(selector));
    if (late) {
      observer.disconnect();
      use(late);
    }
  });
  observer.observe(document.documentElement, { childList: true, subtree: true });
}

/** @param {HTMLElement} nav */
function decorate(nav) {
  const name = document.createElement("a");
  const mark = document.createElement("img");
  name.className = "capscope-name";
  name.href = at("/");
  mark.src = /** @type {HTMLLinkElement} */ (document.querySelector("link[rel=icon][type='image/svg+xml']")).href;
  mark.alt = "";
  name.append(mark, "Capscope");
  const toggle = document.createElement("button");
  toggle.type = "button";
  toggle.className = "capscope-theme";
  nav.setAttribute("aria-label", "Pages");
  nav.prepend(name);
  nav.append(toggle, ...whoIsSignedIn());
  nav.querySelector("a.active")?.setAttribute("aria-current", "page");
}

/** The account that is signed in, with what leads to it and out again; nothing where nobody signs in. */
function whoIsSignedIn() {
  const about = document.querySelector("meta[name=capscope-account]");
  if (!about) return [];
  const { role } = /** @type {HTMLElement} */ (about).dataset;
  document.documentElement.classList.add(`of-${role}`); // what a viewer may not do is not shown; the server refuses it
  const form = document.createElement("form"), out = document.createElement("button");
  form.method = "post";
  form.action = at("/sign-out");
  form.className = "capscope-out";
  out.textContent = "Sign out";
  form.append(out);
  const people = role === "admin" ? [linkTo(at("/people"), "People")] : [];
  return [...people, linkTo(at("/account"), about.getAttribute("content")), form];
}

/** @param {string} href @param {string} words */
function linkTo(href, words) {
  const made = document.createElement("a");
  made.href = href;
  made.textContent = words;
  return made;
}
