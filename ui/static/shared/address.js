// Addresses below the app's base path. Behind a proxy, the app may have a base path, as in example.org/capscope.
// Addresses in scripts and in the server's responses always start at "/".

/** The app's base path, "" or "/capscope", read from the address of our scripts.
 * @param {string} [script] the address of this script, or of the bundle that it is in */
export function rootOf(script = import.meta.url) {
  return /^https?:\/\/[^/]*(.*)\/capscope\/[0-9a-f]+\/(?:shared|bundles)\/[\w.-]+\.js$/.exec(script)?.[1] ?? "";
}

const ROOT = rootOf();
/** @type {Record<string, string>} */
let places = {};

/** Set the addresses of pages in a static copy: the server's path -> the copy's path.
 * @param {Record<string, string>} other */
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
