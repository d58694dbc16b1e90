// Values that this browser stores between visits, or this tab until it is closed. If the browser refuses storage,
// nothing is stored. The page then later asks the same question or shows the same text again.

/** Return the text that the browser stores under a name, or null. @param {string} name */
export function remembered(name) {
  try {
    return localStorage.getItem(name);
  } catch {
    return null;
  }
}

/** Store a text under a name, or delete it. @param {string} name @param {string | null} text null: delete */
export function remember(name, text) {
  try {
    if (text === null) localStorage.removeItem(name);
    else localStorage.setItem(name, text);
  } catch { /* nothing depends on storage */ }
}

/** Return the value that this tab stores under a name, or null. @param {string} name @returns {any} */
export function readTab(name) {
  try {
    return JSON.parse(sessionStorage.getItem(name) ?? "null");
  } catch {
    return null;
  }
}

/** Store a value until the tab is closed, also over a reload. @param {string} name @param {unknown} value */
export function writeTab(name, value) {
  try {
    sessionStorage.setItem(name, JSON.stringify(value));
  } catch { /* nothing depends on storage */ }
}
