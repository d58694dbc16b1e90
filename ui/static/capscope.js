// Start the page in its own panel while Gradio still draws its frame. Then move the panel into the frame, and add the
// app's name and the theme switch to the navigation.

import { at } from "./shared/address.js";
import { applyTheme, keepTheme, switchesTheme } from "./shared/theme.js";

const PRESSES = ["pointerdown", "keydown"], RELEASES = ["pointerup", "pointercancel", "keyup"];
const OF_FOCUS = ["blur", "focusout", "focus", "focusin"];

/** @type {(() => void) | null} work that waits until no key or button is pressed */
let afterRelease = null;
let isPressed = false;
for (const name of PRESSES) addEventListener(name, () => isPressed = true, { capture: true });
for (const name of RELEASES) addEventListener(name, release, { capture: true });
addEventListener("blur", release); // counts as a release, because a window without the focus gets no release events

const prepared = prepare(pageName());
whenThere("body", (body) => {
  keepTheme();
  new MutationObserver(applyTheme).observe(body, { attributes: true, attributeFilter: ["class"] }); // Gradio changes it
});
whenThere("gradio-app", openAhead);
whenThere(".capscope[data-page]", async (panel) => {
  const script = await prepared;
  if (!script) return; // the script did not load; plain_pages/retrying.js reloads the page
  dispatchEvent(new Event("capscope:started"));
  panel.replaceChildren();
  script.start(panel);
});
whenThere("gradio-app nav, nav.pages", decorate);
whenThere("button.capscope-theme", switchesTheme); // pages without navigation have a separate button for the theme

/** Show a panel before Gradio's frame, which takes a second longer. The panel moves into the frame later.
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

/** Call a function while no key or button is pressed: immediately, or after the release.
 * A browser loses a click if the clicked element moves between press and release.
 * @param {() => void} work the function */
function whenReleased(work) {
  if (isPressed) afterRelease = work;
  else work();
}

/** Record that a key or button was released, and call the waiting function.
 * The click event comes only after the release, so the function is called in a later task. */
function release() {
  isPressed = false;
  setTimeout(() => {
    if (isPressed || !afterRelease) return;
    const work = afterRelease;
    afterRelease = null;
    work();
  });
}

/** Move a panel that may be in use, and keep the focus. Nothing moves on the screen, unless the user types in a field.
 * @param {HTMLElement} place @param {HTMLElement} panel */
function moveInto(place, panel) {
  if (!place.isConnected) return;
  const { moveBefore } = /** @type {any} */ (place); // TypeScript's DOM types lack moveBefore
  const { activeElement } = document;
  const focused = activeElement instanceof HTMLElement && panel.contains(activeElement) ? activeElement : null;
  const isTyping = focused?.matches("input:not([type=radio], [type=checkbox]), textarea, select");
  for (const kind of OF_FOCUS) addEventListener(kind, silence, { capture: true });
  try {
    // Chromium scrolls to an element that keeps its focus during the move: on a phone, everything jumped under the
    // finger. A text field keeps its focus nevertheless, because the phone's keyboard would close.
    if (moveBefore && !isTyping) focused?.blur();
    if (moveBefore) moveBefore.call(place, panel, null);
    else place.append(panel);
    if (document.activeElement !== focused) focused?.focus({ preventScroll: true });
  } finally {
    for (const kind of OF_FOCUS) removeEventListener(kind, silence, { capture: true });
  }
}

/** Hide an event from the page, because for the user the focus has not changed. @param {Event} event */
function silence(event) {
  event.stopImmediatePropagation();
}

function pageName() {
  return document.querySelector("meta[name=capscope-page]")?.getAttribute("content") ?? "";
}

/** Load a page's script, and start the requests for its data. Return null if the script did not load.
 * @param {string} page */
async function prepare(page) {
  document.documentElement.classList.add(`${page}-page`); // on the root element, so that dialogs also get these styles
  const script = await import(`./${page}/page.js`).catch(() => null);
  if (!script) {
    dispatchEvent(new Event("capscope:missing"));
    return null;
  }
  script.prepare?.().catch(() => {}); // the page itself shows a failed request later
  return script;
}

/** Call a function once: as soon as an element matches a selector, with the first such element.
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

/** Return the name of the account, and a button to sign out. Return nothing if sign-in is off. */
function whoIsSignedIn() {
  const about = document.querySelector("meta[name=capscope-account]");
  if (!about) return [];
  const { role } = /** @type {HTMLElement} */ (about).dataset;
  document.documentElement.classList.add(`of-${role}`); // CSS hides the controls that this role may not use
  const form = document.createElement("form"), out = document.createElement("button");
  form.method = "post";
  form.action = at("/sign-out");
  form.className = "capscope-out";
  out.textContent = "Sign out";
  form.append(out);
  const people = role === "admin" ? [linkTo(at("/people"), "People")] : [];
  const name = document.createElement("span");
  name.textContent = about.getAttribute("content");
  return [...people, name, form];
}

/** @param {string} href @param {string} words */
function linkTo(href, words) {
  const made = document.createElement("a");
  made.href = href;
  made.textContent = words;
  return made;
}
