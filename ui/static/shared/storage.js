// Values that this browser stores between visits. If it refuses storage, nothing is stored.

/** Return the text that the browser stores under a name, or null. @param {string} name */
export function remembered(name) {
  try {
    return localStorage.getItem(name);
  } catch {
    return null;
  }
}

/** Store a text under a name. If storage is blocked, nothing is stored. The page then later asks the same question or
 * shows the same text again.
 * @param {string} name @param {string} text */
export function remember(name, text) {
  try {
    localStorage.setItem(name, text);
  } catch {
    // ignore the failure, because nothing depends on storage
  }
}

/** Delete the text that is stored under a name. @param {string} name */
export function forget(name) {
  try {
    localStorage.removeItem(name);
  } catch {
    // if storage is blocked, nothing was stored either
  }
}
