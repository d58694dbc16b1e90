// Save a picture with its regions as the page shows it. Below the picture are the caption, its marked phrases with their
// precisions, the regions' recalls, the legend, and the picture's source. All of it is drawn, because the file does not
// contain the page's styles.
// The file is an SVG that contains the picture, or a PNG made of this SVG.

import { all, el, paperColour } from "../shared/dom.js";
import { download } from "../shared/downloads.js";

/** @import { RegionPicture } from "./picture.js" */
/** @typedef {object} Words the texts of a saved picture
 * @property {string} caption
 * @property {string} counts counts of marks, in words
 * @property {string} [about] signature of the score
 * @property {string} [source] the picture's name and licence
 * @property {readonly string[]} lines phrases with their precisions, and regions with their recalls
 * @property {HTMLElement} legend meaning of the outlines
 * @property {string} name file name without its ending */
/** @typedef {{text: string, swatch?: Element}} Piece a word, or an entry of the legend with its swatch on the page */
/** @typedef {{y: number, left: number, right: number, drawn: SVGElement[]}} Sheet elements drawn so far; y: position of
 * the last line; left, right: edges of the text, in px */

const QUALITY = 0.92; // quality of the JPEG picture inside the saved file, 0-1
const LEAST_WIDTH = 1600; // smallest width of a saved picture, in px, enough for two columns of a printed page
const CAPTION = 46, SMALL = 30, LINE = 1.5; // heights of letters in px for a width of LEAST_WIDTH; height of a line
const STYLES = ["fill", "fill-opacity", "opacity", "stroke", "stroke-width", "stroke-dasharray"];

/** Save a picture with its regions as "svg" or "png", at least 1,600 px wide.
 * The metadata of an SVG contain the metric's signature.
 * @param {RegionPicture} picture @param {"svg" | "png"} kind @param {Words} words */
export async function saveDrawing(picture, kind, words) {
  const { size } = picture, width = Math.max(LEAST_WIDTH, size.width), scale = width / size.width;
  const photo = el("img", { src: picture.image });
  await photo.decode();
  const top = Math.round(size.height * scale), foot = beneath(words, width, top);
  const whole = { width, height: top + foot.height };
  const text = new XMLSerializer().serializeToString(el(
    "svg",
    { xmlns: "http://www.w3.org/2000/svg", ...whole, viewBox: `0 0 ${whole.width} ${whole.height}` },
    el("title", {}, words.caption),
    el("desc", {}, words.counts),
    el("metadata", {}, words.about),
    el(
      "g",
      { transform: `scale(${scale})` },
      el("image", { href: pixels(photo, size), ...size }),
      all(picture.svg, "defs").map((defs) => defs.cloneNode(true)),
      el("g", {}, outlines(picture)),
    ),
    foot.drawn,
  ));
  const file = kind === "svg" ? new Blob([text], { type: "image/svg+xml" }) : await png(text, whole);
  download(file, `${words.name.replace(/[^\w.-]+/g, "-")}.${kind}`);
}

/** Return the listed phrases and regions with their numbers as lines of text.
 * @param {Element} phrases @param {Element} regions the elements in which the page lists them */
export function listedIn(phrases, regions) {
  const line = (/** @type {string} */ head, /** @type {string[]} */ entries) => `${head}: ${entries.join(" · ")}`;
  const texts = (/** @type {Element} */ part, /** @type {string} */ which) =>
    all(part, which).map(({ textContent }) => textContent);
  const rows = all(regions, ".region-row:not(.waiting)").map((row) => texts(row, ".name, .number").join(" "));
  return [
    ...all(phrases, ".phrase-line:not([hidden])").map((one) =>
      line(texts(one, ".line-head")[0], texts(one, ".phrase"))
    ),
    ...texts(phrases, ".mean-of-phrases"),
    rows.length ? line("Regions", rows) : "",
    ...texts(regions, ".mean-of-regions"),
  ];
}

/** Return copies of the outlines with the colours, widths and dashes that they have on the page.
 * @param {RegionPicture} picture */
function outlines({ svg, size }) {
  const unit = size.width / svg.getBoundingClientRect().width; // pixels of the picture per pixel of the page
  return all(svg, ".region:not(.whole), .whole.lit, .edge, .rim").map((shape) => {
    const copy = /** @type {SVGElement} */ (shape.cloneNode(true)), styles = getComputedStyle(shape);
    for (const name of copy.getAttributeNames()) {
      if (!["d", "x", "y", "width", "height", "fill-rule", "clip-path"].includes(name)) copy.removeAttribute(name);
    }
    for (const name of STYLES) copy.setAttribute(name, styles.getPropertyValue(name).replaceAll(/"/g, ""));
    for (const name of ["stroke-width", "stroke-dasharray"]) {
      const lengths = styles.getPropertyValue(name);
      copy.setAttribute(name, lengths.replace(/([\d.]+)px/g, (_, length) => String(Number(length) * unit)));
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

/** Draw the texts below a picture.
 * @param {Words} words @param {number} width of the paper, in px @param {number} top upper edge of the texts, in px */
function beneath({ caption, lines, source = "", legend }, width, top) {
  const unit = width / LEAST_WIDTH, edge = SMALL * unit;
  /** @type {Sheet} */
  const sheet = { y: top, left: edge, right: width - edge, drawn: [] };
  flow(sheet, wordsOf(caption), CAPTION * unit);
  for (const line of lines) flow(sheet, wordsOf(line), SMALL * unit);
  const kinds = [...legend.children].map((one) => ({ text: one.textContent ?? "", swatch: one.children[0] }));
  flow(sheet, kinds, SMALL * unit);
  flow(sheet, wordsOf(source), SMALL * unit);
  const height = Math.ceil(sheet.y + edge - top);
  const ink = { "font-family": "sans-serif", fill: paperColour("--ink") };
  return {
    height,
    drawn: el("g", {}, el("rect", { y: top, width, height, fill: "white" }), el("g", ink, sheet.drawn)),
  };
}

/** @param {string} text @returns {Piece[]} */
function wordsOf(text) {
  return (text.match(/\S+/g) ?? []).map((word) => ({ text: word }));
}

/** Draw pieces of text in lines. @param {Sheet} sheet @param {Piece[]} pieces @param {number} letters height in px */
function flow(sheet, pieces, letters) {
  if (!pieces.length) return;
  const { context } = paper(1, 1);
  context.font = `${letters}px sans-serif`;
  const wide = (/** @type {string} */ text) => context.measureText(text).width;
  let x = sheet.left;
  sheet.y += letters * LINE;
  for (const { text, swatch } of pieces) {
    const indent = swatch ? 1.8 * letters : 0, width = indent + wide(text);
    if (x > sheet.left && x + width > sheet.right) {
      x = sheet.left;
      sheet.y += letters * LINE;
    }
    if (swatch) sheet.drawn.push(sample(swatch, x, sheet.y, letters));
    sheet.drawn.push(el("text", { x: x + indent, y: sheet.y, "font-size": letters }, text));
    x += width + (swatch ? letters : wide(" "));
  }
}

/** Draw the swatch (sample line) of a kind of outline. Its dashes differ as on the page, also without colour.
 * @param {Element} swatch on the page @param {number} x @param {number} y of the letters' base @param {number} letters */
function sample(swatch, x, y, letters) {
  const { borderTopColor, borderTopStyle, borderTopWidth } = getComputedStyle(swatch);
  const thick = (letters / 18) * parseFloat(borderTopWidth);
  const dashes = { dashed: `${2 * thick} ${thick}`, dotted: `${thick} ${thick}` }[borderTopStyle];
  const box = { x, y: y - 0.8 * letters, width: 1.4 * letters, height: 0.9 * letters };
  return el("rect", {
    ...box,
    fill: "none",
    stroke: borderTopColor,
    "stroke-width": thick,
    "stroke-dasharray": dashes,
  });
}
