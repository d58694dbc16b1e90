// Addresses below the app's base path. Behind a proxy, the app may have a base path, as in example.org/capscope.
// Addresses in scripts and in the server's responses always start at "/".

/** Return the app's base path, "" or "/capscope", which the address of our scripts contains.
 * @param {string} [script] the address of this script, or of the bundle that contains it */
export function rootOf(script = import.meta.url) {
  return /^https?:\/\/[^/]*(.*)\/capscope\/[0-9a-f]+\/(?:shared|bundles)\/[\w.-]+\.js$/.exec(script)?.[1] ?? "";
}

const ROOT = rootOf();
/** @type {Record<string, string>} */
let places = {};

/** Set where the pages of a static copy are.
 * @param {Record<string, string>} other maps each path on the server to the path in the copy */
export function placePages(other) {
  places = other;
}

/** Put the base path before an address that starts at "/". Other addresses stay unchanged.
 * @param {string} path @returns {string} */
export function at(path) {
  if (!path.startsWith("/") || path.startsWith("//")) return path;
  const page = path.replace(/[?#].*$/s, "");
  return ROOT + (places[page] ?? page) + path.slice(page.length);
}
