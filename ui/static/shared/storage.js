// What this browser remembers between visits; where it refuses storage, nothing.

/** What was remembered under a name, or null. @param {string} name */
export function remembered(name) {
  try {
    return localStorage.getItem(name);
  } catch {
    return null;
  }
}

/** Remember a text under a name. Without storage it is asked, or shown, again.
 * @param {string} name @param {string} text */
export function remember(name, text) {
  try {
    localStorage.setItem(name, text);
  } catch {
    // nothing depends on it
  }
}

/** Forget what was remembered under a name. @param {string} name */
export function forget(name) {
  try {
    localStorage.removeItem(name);
  } catch {
    // nothing was remembered either
  }
}
