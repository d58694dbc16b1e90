// Save a picture with its regions, as the page shows it. Below the picture are the caption with its marks and a legend.
// The file is an SVG that contains the picture, or a PNG made of this SVG.

import { all, el } from "../shared/dom.js";
import { download } from "../shared/downloads.js";
import { beneath } from "./saved_words.js";

/** @import { RegionPicture } from "./picture.js" */
/** @import { Span } from "./caption.js" */
/** @import { Row } from "./phrases.js" */

const QUALITY = 0.92; // quality of the JPEG picture inside the saved file, 0-1
const LEAST_WIDTH = 1600; // smallest width of a saved picture, in px, enough for two columns of a printed page
const SCREEN = 800; // px; pictures wider than this are saved with thicker outlines than on the page

/** @typedef {object} Words the texts of a saved picture
 * @property {string} title the caption
 * @property {string} about counts of marks, in words
 * @property {string} [signature] signature of the score
 * @property {string} [source] the picture's name and licence
 * @property {readonly Span[]} phrases the caption's phrases
 * @property {readonly Row[]} rows the phrases and things as the page lists them
 * @property {HTMLElement[]} legend meaning of the outlines
 * @property {string} name file name without its ending */

/** Save a picture with its regions as "svg" or "png", at least 1,600 px wide.
 * The metadata of an SVG contain the metric's signature.
 * @param {RegionPicture} picture @param {"svg" | "png"} kind @param {Words} words */
export async function saveDrawing(picture, kind, words) {
  const { size } = picture;
  await picture.sharpen();
  const width = Math.max(LEAST_WIDTH, size.width), scale = width / size.width;
  const drawn = outlines(picture, width / SCREEN / scale);
  const looks = new Set(all(picture.svg, ".region").filter(isShown).map(({ dataset }) => dataset.look));
  const legend = words.legend.filter(({ classList }) => looks.has(classList[0]));
  const top = Math.round(size.height * scale), foot = beneath(words, legend, picture, { width, top });
  const whole = { width, height: top + foot.height };
  const text = new XMLSerializer().serializeToString(el(
    "svg",
    { xmlns: "http://www.w3.org/2000/svg", ...whole, viewBox: `0 0 ${whole.width} ${whole.height}` },
    el("title", {}, words.title),
    el("desc", {}, words.about),
    el("metadata", {}, words.signature),
    el(
      "g",
      { transform: `scale(${scale})` },
      el("image", { href: pixels(picture.photo, size), ...size }),
      all(picture.svg, "defs").map((defs) => defs.cloneNode(true)),
      el("g", {}, drawn),
    ),
    foot.drawn,
  ));
  const file = kind === "svg" ? new Blob([text], { type: "image/svg+xml" }) : await png(text, whole);
  download(file, `${words.name.replace(/[^\w.-]+/g, "-")}.${kind}`);
}

/** @param {HTMLElement | SVGElement} path */
function isShown({ style, classList }) {
  return style.display !== "none" && (!classList.contains("whole") || classList.contains("lit"));
}

/** Return copies of the shown outlines, without the attributes that only the page needs.
 * @param {RegionPicture} picture @param {number} unit number of the picture's pixels per pixel of the page */
function outlines({ svg }, unit) {
  const hasLit = svg.classList.contains("has-lit");
  return all(svg, ".region, .edge, .rim").filter(isShown).map((path) => {
    const copy = /** @type {SVGElement} */ (path.cloneNode(true));
    if (hasLit && !path.classList.contains("lit")) copy.setAttribute("opacity", "0.2");
    for (const name of ["stroke-width", "stroke-dasharray"]) {
      const lengths = copy.getAttribute(name);
      if (lengths) copy.setAttribute(name, lengths.replace(/[\d.]+/g, (length) => String(Number(length) * unit)));
    }
    for (
      const name of ["tabindex", "style", "class", "aria-pressed", "aria-hidden", "data-look", "vector-effect"]
    ) {
      copy.removeAttribute(name); // the saved file does not contain the page's styles
    }
    return copy;
  });
}

/** Draw a photo on a white canvas of the given size.
 * @param {HTMLImageElement} photo @param {{width: number, height: number}} size */
function pixels(photo, { width, height }) {
  const { canvas, context } = paper(width, height);
  context.fillStyle = "white"; // white background, which shows through transparent pictures
  context.fillRect(0, 0, width, height);
  context.drawImage(photo, 0, 0, width, height);
  return canvas.toDataURL("image/jpeg", QUALITY);
}

/** Turn an SVG into a PNG.
 * @param {string} text the SVG @param {{width: number, height: number}} size @returns {Promise<Blob>} */
async function png(text, { width, height }) {
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`;
  await image.decode();
  const { canvas, context } = paper(width, height);
  context.drawImage(image, 0, 0, width, height);
  /** @type {Blob | null} */
  const drawn = await new Promise((done) => canvas.toBlob(done, "image/png"));
  if (!drawn) throw new Error("no PNG");
  return drawn;
}

/** @param {number} width @param {number} height */
function paper(width, height) {
  const canvas = el("canvas", { width, height });
  return { canvas, context: /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d")) };
}
