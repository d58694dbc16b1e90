// Where everything lies. Behind a proxy that may be below a path, as in example.org/capscope; addresses in scripts and
// in the server's answers begin at "/" all the same.

/** The path below which everything lies, "" or "/capscope": what stands before our own scripts' address.
 * @param {string} [script] the address of this script, or of the bundle that it is in */
export function rootOf(script = import.meta.url) {
  return /^https?:\/\/[^/]*(.*)\/capscope\/[0-9a-f]+\/(?:shared|bundles)\/[\w.-]+\.js$/.exec(script)?.[1] ?? "";
}

const ROOT = rootOf();
/** @type {Record<string, string>} */
let places = {};

/** Say where pages lie that do not lie where the server has them: path -> path.
 * @param {Record<string, string>} other */
export function placePages(other) {
  places = other;
}

/** An address as the browser must ask for it. What does not begin at "/" stays as it is.
 * @param {string} path @returns {string} */
export function at(path) {
  if (!path.startsWith("/") || path.startsWith("//")) return path;
  const page = path.replace(/[?#].*$/s, "");
  return ROOT + (places[page] ?? page) + path.slice(page.length);
}
