// Saving a picture with its regions as it is seen: an SVG with the picture inside, or a PNG of that.

import { all, el } from "../shared/dom.js";
import { download } from "../shared/tables.js";

/** @import { RegionPicture } from "./picture.js" */

const QUALITY = 0.92; // of the JPEG inside, 0-1

/** Save as "svg" or "png" in the picture's own size; an SVG says in words what it shows.
 * @param {RegionPicture} picture @param {"svg" | "png"} kind
 * @param {{title: string, about: string, name: string}} words */
export async function saveDrawing({ svg, photo, size }, kind, { title, about, name }) {
  const text = standAlone(svg, photo, size, title, about);
  const drawn = new Blob([text], { type: "image/svg+xml" });
  download(kind === "svg" ? drawn : await png(text, size), `${name.replace(/[^\w.-]+/g, "-")}.${kind}`);
}

/** @param {SVGElement} svg @param {HTMLImageElement} photo @param {{width: number, height: number}} size @param {string} title
 * @param {string} about */
function standAlone(svg, photo, { width, height }, title, about) {
  const copy = /** @type {SVGElement} */ (svg.cloneNode(true));
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  copy.setAttribute("width", String(width));
  copy.setAttribute("height", String(height));
  const opacity = copy.style.opacity;
  copy.removeAttribute("style");
  const layer = el("g", { opacity: opacity || 1 });
  const lit = copy.classList.contains("has-lit");
  for (const path of all(copy, ".region, .edge")) {
    const isLit = path.classList.contains("lit");
    if (path.style.display === "none" || (path.classList.contains("whole") && !isLit)) {
      path.remove();
      continue;
    }
    if (lit && !isLit) path.setAttribute("opacity", "0.2"); // styles of the page do not go with the file
    for (const name of ["tabindex", "style", "class", "aria-pressed", "aria-hidden", "data-look"]) {
      path.removeAttribute(name);
    }
    layer.append(path);
  }
  const image = el("image", { href: pixels(photo, width, height), width, height });
  copy.prepend(el("title", {}, title), el("desc", {}, about));
  copy.append(image, layer);
  return new XMLSerializer().serializeToString(copy);
}

/** @param {HTMLImageElement} photo @param {number} width @param {number} height */
function pixels(photo, width, height) {
  const { canvas, context } = paper(width, height);
  context.fillStyle = "white"; // under transparent pictures
  context.fillRect(0, 0, width, height);
  context.drawImage(photo, 0, 0, width, height);
  return canvas.toDataURL("image/jpeg", QUALITY);
}

/** @param {string} text @param {{width: number, height: number}} size @returns {Promise<Blob>} */
async function png(text, { width, height }) {
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`;
  await image.decode();
  const { canvas, context } = paper(width, height);
  context.drawImage(image, 0, 0, width, height);
  return new Promise((done, fail) =>
    canvas.toBlob((blob) => (blob ? done(blob) : fail(new Error("no PNG"))), "image/png")
  );
}

/** @param {number} width @param {number} height */
function paper(width, height) {
  const canvas = el("canvas", { width, height });
  return { canvas, context: /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d")) };
}
