// Values that this browser stores between visits. If it refuses storage, nothing is stored.

/** Read a stored text, or null. @param {string} name */
export function remembered(name) {
  try {
    return localStorage.getItem(name);
  } catch {
    return null;
  }
}

/** Store a text under a name. Without storage, the question or notice appears again.
 * @param {string} name @param {string} text */
export function remember(name, text) {
  try {
    localStorage.setItem(name, text);
  } catch {
    // ignore the failure, because nothing depends on storage
  }
}

/** Delete a stored text. @param {string} name */
export function forget(name) {
  try {
    localStorage.removeItem(name);
  } catch {
    // if storage is blocked, nothing was stored either
  }
}
