// Start the page in its own panel, below Gradio's frame, while Gradio still draws the frame. Then add the app's name and
// the theme switch to the frame's navigation.

import { at } from "./shared/address.js";
import { applyTheme, keepTheme, switchesTheme } from "./shared/theme.js";

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

/** Show the page's panel. Gradio's frame, which takes a second longer, is hidden until it is drawn.
 * @param {HTMLElement} frame */
function openAhead(frame) {
  const panel = document.createElement("main"), loading = document.createElement("p");
  panel.className = "capscope";
  panel.dataset.page = pageName();
  loading.className = "quiet";
  loading.textContent = "Loading …";
  panel.append(loading);
  frame.after(panel);
  const { classList } = document.documentElement;
  classList.add("ahead");
  whenThere(".capscope-place", () => classList.remove("ahead"));
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
  const people = role === "admin" ? [linkTo(at("/people"), "People"), linkTo(at("/people/log"), "Log")] : [];
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
