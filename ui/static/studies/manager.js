// The scripts of the Studies pages, which are made by the server: the theme, copying, re-reading progress, the preview
// of a new study, and uploads. Everything else is plain HTML forms.

import { all } from "../shared/dom.js";
import { keepTheme, switchesTheme } from "../shared/theme.js";
import { uploads } from "./upload.js";

const PREVIEW_MS = 400; // ms after the last change, before the preview is made again

keepTheme();
for (const toggle of all(document, ".capscope-theme")) switchesTheme(/** @type {HTMLElement} */ (toggle));
for (const button of all(document, "[data-copy]")) copies(/** @type {HTMLElement} */ (button));
for (const button of all(document, "[data-ask]")) asks(/** @type {HTMLElement} */ (button));
for (const place of all(document, "[data-read]")) readAgain(/** @type {HTMLElement} */ (place));
for (const form of all(document, "[data-preview]")) previews(/** @type {HTMLFormElement} */ (form));
for (const form of all(document, "[data-upload]")) uploads(/** @type {HTMLFormElement} */ (form));

/** Let a button copy the value of a field. @param {HTMLElement} button */
function copies(button) {
  button.addEventListener("click", async () => {
    const field = /** @type {HTMLInputElement} */ (document.getElementById(button.dataset.copy ?? ""));
    field.select();
    try {
      await navigator.clipboard.writeText(field.value);
    } catch {
      document.execCommand("copy"); // the clipboard is only available on https and on this computer
    }
    button.textContent = "Copied";
  });
}

/** Let a button ask before it submits its form. @param {HTMLElement} button */
function asks(button) {
  button.addEventListener("click", (event) => {
    if (!confirm(button.dataset.ask)) event.preventDefault();
  });
}

/** Read a part of the page again and again, as long as the server's page asks for it. @param {HTMLElement} place */
async function readAgain(place) {
  const seconds = Number(place.dataset.seconds);
  for (let pause = seconds; place.dataset.read; pause = Math.min(60, pause * 2)) {
    await new Promise((done) => setTimeout(done, 1000 * pause));
    if (document.hidden) continue;
    try {
      const page = await read(place.dataset.read);
      const now = page.getElementById("progress");
      if (!now) return;
      if (!place.firstElementChild?.isEqualNode(now)) place.replaceChildren(now);
      pause = seconds / 2;
      // a whole page says itself whether there is more to read; a fragment is read until the page is left
      if (page.querySelector("main") && !page.querySelector("[data-read]")) return;
    } catch { /* the server did not answer, so the next attempt waits longer */ }
  }
}

/** Make the preview of a new study again after each change. @param {HTMLFormElement} form */
function previews(form) {
  /** @type {number | undefined} */
  let timer;
  let turn = 0;
  const name = /** @type {HTMLInputElement} */ (form.elements.namedItem("name"));
  const taken = JSON.parse(name.dataset.taken ?? "[]");
  const check = () =>
    name.setCustomValidity(
      taken.includes(name.value.trim()) ? "A study with this name exists. Choose another name." : "",
    );
  name.addEventListener("input", () => {
    check();
    if (!name.validity.valid) name.reportValidity();
  });
  check();
  form.addEventListener("change", (event) => {
    if (event.target === name) return;
    turn += 1; // an answer that is on its way does not know this change
    clearTimeout(timer);
    timer = setTimeout(show, PREVIEW_MS);
  });

  async function show() {
    const mine = turn;
    try {
      const page = await read(form.getAttribute("data-preview") ?? "", new FormData(form)); // a field hides `dataset`
      if (mine !== turn) return;
      for (const id of ["chosen", "preview"]) {
        const now = page.getElementById(id);
        if (now) document.getElementById(id)?.replaceWith(now);
      }
    } catch { /* the button “Update preview” makes the preview without this script */ }
  }
}

/** Fetch a page. @param {string} address @param {FormData} [body] */
async function read(address, body) {
  const answer = await fetch(address, body ? { method: "POST", body } : {});
  if (!answer.ok && answer.status !== 400) throw new Error(String(answer.status));
  return new DOMParser().parseFromString(await answer.text(), "text/html");
}
