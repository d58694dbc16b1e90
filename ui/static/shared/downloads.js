// Saves files in the browser's folder of downloads.

import { el } from "./dom.js";

const KEPT_MS = 10_000; // ms to keep the address of a saved file; by then, the browser has surely read the file

/** Save a blob as a file. @param {Blob} blob @param {string} name */
export function download(blob, name) {
  const link = el("a", { href: URL.createObjectURL(blob), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), KEPT_MS);
}

/** Make a file name that every system accepts. @param {string} name */
export function fileName(name) {
  return name.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "-").replace(/^-|-$/g, "") || "data";
}
