// Starts the page in a panel of its own while Gradio still draws its frame, moves the panel into the frame once that
// stands, and adds the app's name and the light/dark switch to the navigation.

import { at } from "./shared/address.js";
import { applyTheme, keepTheme, switchesTheme } from "./shared/theme.js";

const PRESSES = ["pointerdown", "keydown"], RELEASES = ["pointerup", "pointercancel", "keyup"];

/** @type {(() => void) | null} what waits until nothing is pressed */
let afterRelease = null;
let isPressed = false;
for (const name of PRESSES) addEventListener(name, () => isPressed = true, { capture: true });
for (const name of RELEASES) addEventListener(name, release, { capture: true });
addEventListener("blur", release); // of the window: a release elsewhere is not told here

const prepared = prepare(pageName());
whenThere("body", (body) => {
  keepTheme();
  new MutationObserver(applyTheme).observe(body, { attributes: true, attributeFilter: ["class"] }); // Gradio sets the system's colours
});
whenThere("gradio-app", openAhead);
whenThere(".capscope[data-page]", async (panel) => {
  const script = await prepared;
  if (!script) return; // door/retrying.js loads the page again
  dispatchEvent(new Event("capscope:started"));
  panel.replaceChildren();
  script.start(panel);
});
whenThere("gradio-app nav, nav.pages", decorate);
whenThere("button.capscope-theme", switchesTheme); // of a page that has no navigation

/** Put up a panel before Gradio's frame, which takes a second longer; its place in the frame it takes later.
 * @param {HTMLElement} frame */
function openAhead(frame) {
  const panel = document.createElement("div"), loading = document.createElement("p");
  panel.className = "capscope";
  panel.dataset.page = pageName();
  loading.className = "quiet";
  loading.textContent = "Loading …";
  panel.append(loading);
  frame.before(panel);
  const { classList } = document.documentElement;
  classList.add("ahead");
  whenThere(".capscope-place", (place) =>
    whenReleased(() => {
      classList.remove("ahead");
      moveInto(place, panel);
    }));
}

/** Do something once no key and no button is pressed: a browser forgets a click whose element moves in the middle of it.
 * @param {() => void} work */
function whenReleased(work) {
  if (isPressed) afterRelease = work;
  else work();
}

/** The click comes right after the release, so what waits comes a turn later. */
function release() {
  isPressed = false;
  setTimeout(() => {
    if (isPressed || !afterRelease) return;
    afterRelease();
    afterRelease = null;
  });
}

/** Move what a person may already be using: where the browser cannot keep its state, at least the focus stays.
 * @param {HTMLElement} place @param {HTMLElement} panel */
function moveInto(place, panel) {
  const { moveBefore } = /** @type {any} */ (place); // not yet known to the types of the DOM
  if (moveBefore) return moveBefore.call(place, panel, null);
  const focused = document.activeElement;
  place.append(panel);
  if (focused instanceof HTMLElement && panel.contains(focused)) focused.focus({ preventScroll: true });
}

function pageName() {
  return document.querySelector("meta[name=capscope-page]")?.getAttribute("content") ?? "";
}

/** Load a page's script, and let it ask for what it needs. Returns null where a part of it did not come.
 * @param {string} page */
async function prepare(page) {
  document.documentElement.classList.add(`${page}-page`); // its sheets are about what is on it, its dialogs included
  const script = await import(`./${page}/page.js`).catch(() => null);
  if (!script) {
    dispatchEvent(new Event("capscope:missing"));
    return null;
  }
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
  const { role, warnings } = /** @type {HTMLElement} */ (about).dataset;
  document.documentElement.classList.add(`of-${role}`); // what a viewer may not do is not shown; the server refuses it
  const form = document.createElement("form"), out = document.createElement("button");
  form.method = "post";
  form.action = at("/sign-out");
  form.className = "capscope-out";
  out.textContent = "Sign out";
  form.append(out);
  const name = Number(warnings) ? "People (warning)" : "People"; // the page says what an admin has to set
  const people = role === "admin" ? [linkTo(at("/people"), name)] : [];
  return [...people, linkTo(at("/account"), about.getAttribute("content") ?? ""), form];
}

/** @param {string} href @param {string} words */
function linkTo(href, words) {
  const made = document.createElement("a");
  made.href = href;
  made.textContent = words;
  return made;
}
