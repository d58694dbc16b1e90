// Saving a picture with its regions as it is seen: an SVG with the picture inside, or a PNG of that.

import { all, el, paperColour } from "../shared/dom.js";
import { download } from "../shared/tables.js";

/** @import { RegionPicture } from "./picture.js" */

const QUALITY = 0.92; // of the JPEG inside, 0-1
const LETTERS_OF_WIDTH = 56, LEAST_PX = 10, MOST_PX = 28; // of the foot's letters
const LINE = 1.4; // its lines, in letters

/** Save as "svg" or "png" in the picture's own size, with a foot beneath it; an SVG says in words what it shows.
 * @param {RegionPicture} picture @param {"svg" | "png"} kind
 * @param {{title: string, about: string, foot: string[], name: string}} words foot: what must go wherever the picture goes */
export async function saveDrawing({ svg, photo, size }, kind, { title, about, foot, name }) {
  const beneath = footOf(foot, size), whole = { width: size.width, height: size.height + beneath.height };
  const text = standAlone(svg, photo, size, { title, about, beneath: beneath.drawn, whole });
  const drawn = new Blob([text], { type: "image/svg+xml" });
  download(kind === "svg" ? drawn : await png(text, whole), `${name.replace(/[^\w.-]+/g, "-")}.${kind}`);
}

/** Paragraphs on white beneath a picture, in letters that fit its size.
 * @param {string[]} paragraphs @param {{width: number, height: number}} size */
function footOf(paragraphs, { width, height: top }) {
  const letters = Math.round(Math.min(MOST_PX, Math.max(LEAST_PX, width / LETTERS_OF_WIDTH)));
  const { context } = paper(1, 1);
  context.font = `${letters}px sans-serif`;
  const lines = paragraphs.flatMap((text) =>
    wrapped(text, (part) => context.measureText(part).width <= width - 2 * letters)
  );
  const height = lines.length ? Math.ceil(letters * (lines.length * LINE + 1)) : 0;
  const text = (/** @type {string} */ line, /** @type {number} */ at) =>
    el("text", { x: letters, y: top + letters * ((at + 1) * LINE + 0.25) }, line);
  const style = { "font-family": "sans-serif", "font-size": letters, fill: paperColour("--ink") };
  return {
    height,
    drawn: el("g", style, el("rect", { y: top, width, height, fill: "white" }), lines.map(text)),
  };
}

/** A text in lines, parted at spaces and between the parts of a signature.
 * @param {string} text @param {(line: string) => boolean} fits */
export function wrapped(text, fits) {
  const lines = [""];
  for (const part of text.match(/[^\s|]*[\s|]?/g) ?? []) {
    if (lines.at(-1) && !fits(lines.at(-1) + part.trimEnd())) lines.push("");
    lines[lines.length - 1] += part;
  }
  return lines.map((line) => line.trimEnd()).filter(Boolean);
}

/** @param {SVGElement} svg @param {HTMLImageElement} photo @param {{width: number, height: number}} size
 * @param {{title: string, about: string, beneath: Node, whole: {width: number, height: number}}} parts */
function standAlone(svg, photo, { width, height }, { title, about, beneath, whole }) {
  const copy = /** @type {SVGElement} */ (svg.cloneNode(true));
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  copy.setAttribute("width", String(whole.width));
  copy.setAttribute("height", String(whole.height));
  copy.setAttribute("viewBox", `0 0 ${whole.width} ${whole.height}`);
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
  copy.append(image, layer, beneath);
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
