// What stands beneath a saved picture: its caption with marks, the legend, and the picture's source. All of it is drawn,
// because the file does not contain the page's styles.

import { el, paperColour } from "../shared/dom.js";
import { rounded } from "../shared/rounding.js";
import { pieces, SIGNS } from "./caption.js";
import { HEADS } from "./phrases.js";

/** @import { Mark, Piece, Span } from "./caption.js" */
/** @import { Look } from "./outlines.js" */
/** @import { Row } from "./phrases.js" */
/** @import { RegionPicture } from "./picture.js" */
/** @typedef {{text: string, mark: Mark | null, sign: string}} Part a part of a word; sign: the sign that follows it */
/** @typedef {{y: number, drawn: SVGElement[]}} Sheet elements drawn so far; y: position of the last line, in px */
/** @typedef {{left: number, right: number}} Room left and right edge of the text, in px */

const WIDTH = 1600, CAPTION = 46, SMALL = 30; // in px; CAPTION, SMALL: heights of letters, if the paper is WIDTH wide
const LINE = 1.5, SUPER = 0.65; // heights of a line and of a sign, relative to the height of letters
/** @type {Mark[]} */
const MARKS = ["correct", "incorrect", "not judged"]; // each mark has a line, whose heading says what the sign means
/** @type {Record<Mark, string>} */
const COLOURS = { correct: "--mentioned-text", incorrect: "--unmentioned", "not judged": "--edge" };

/** Draw the texts below a picture.
 * @param {{title: string, phrases: readonly Span[], rows: readonly Row[], source?: string}} words title: the caption
 * @param {readonly HTMLElement[]} legend @param {RegionPicture} picture
 * @param {{width: number, top: number}} place width of the paper, and y of the texts' upper edge, in px */
export function beneath({ title, phrases, rows, source = "" }, legend, picture, { width, top }) {
  const unit = width / WIDTH, edge = SMALL * unit, room = { left: edge, right: width - edge };
  /** @type {Sheet} */
  const sheet = { y: top, drawn: [] };
  flow(sheet, words(pieces(title, phrases)), CAPTION * unit, room);
  for (const wanted of MARKS) {
    const those = rows.filter(({ mark }) => mark === wanted).map(({ text, precision }) =>
      `${SIGNS[wanted]} ${text}${precision === null ? "" : ` ${rounded(precision)}`}`
    );
    if (those.length) flow(sheet, plain(`${HEADS[wanted]}: ${those.join(" · ")}`), SMALL * unit, room);
  }
  key(sheet, legend, picture, SMALL * unit, room);
  flow(sheet, plain(source), SMALL * unit, room);
  const height = Math.ceil(sheet.y + edge - top);
  const paper = el("rect", { y: top, width, height, fill: "white" });
  const ink = { "font-family": "sans-serif", fill: paperColour("--ink") };
  return { height, drawn: el("g", {}, paper, el("g", ink, sheet.drawn)) };
}

/** Return the words of a marked caption. Each word is a list of parts, and each part has one mark.
 * If the page shows a sign after a piece, the sign follows the last word of this piece.
 * @param {readonly Piece[]} marked @returns {Part[][]} */
export function words(marked) {
  /** @type {Part[][]} */
  const found = [];
  let open = false; // whether the next letters continue the last word
  for (const { text: piece, mark, hasSign } of marked) {
    const parts = piece.match(/\s+|\S+/g) ?? [];
    const last = parts.findLastIndex((text) => text.trim());
    for (const [at, text] of parts.entries()) {
      const isWord = Boolean(text.trim());
      if (isWord && !open) found.push([]);
      if (isWord) found.at(-1)?.push({ text, mark, sign: mark && hasSign && at === last ? SIGNS[mark] : "" });
      open = isWord;
    }
  }
  return found;
}

/** Return the words of a text that has no marks. @param {string} text @returns {Part[][]} */
function plain(text) {
  return (text.match(/\S+/g) ?? []).map((word) => [{ text: word, mark: null, sign: "" }]);
}

/** Draw words in lines. @param {Sheet} sheet @param {Part[][]} text @param {number} letters height in px
 * @param {Room} room */
function flow(sheet, text, letters, { left, right }) {
  if (!text.length) return;
  const wide = measure(letters), space = wide(" "), small = letters * SUPER;
  let x = left;
  sheet.y += letters * LINE;
  for (const word of text) {
    const width = word.reduce((sum, { text, sign }) => sum + wide(text) + wide(sign) * SUPER, 0);
    if (x > left && x + width > right) {
      x = left;
      sheet.y += letters * LINE;
    }
    for (const { text, mark, sign } of word) {
      const end = x + wide(text);
      sheet.drawn.push(el("text", { x, y: sheet.y, "font-size": letters }, text));
      if (mark) sheet.drawn.push(underline(mark, x, end, sheet.y, letters));
      if (sign) {
        const look = {
          x: end,
          y: sheet.y - letters / 3,
          "font-size": small,
          fill: paperColour(COLOURS[mark ?? "not judged"]),
        };
        sheet.drawn.push(el("text", look, sign));
      }
      x = end + wide(sign) * SUPER;
    }
    x += space;
  }
}

/** Draw the line below a marked word: dashes if the word is wrong, dots if it is unknown.
 * @param {Mark} mark @param {number} x1 left end in px @param {number} x2 right end in px
 * @param {number} base y of the letters' base, in px @param {number} letters height of letters in px */
function underline(mark, x1, x2, base, letters) {
  const y = base + letters / 5, unit = letters / 16;
  const dashes = { correct: null, incorrect: `${4 * unit} ${2 * unit}`, "not judged": `${unit} ${2 * unit}` };
  const look = { stroke: paperColour(COLOURS[mark]), "stroke-width": letters / 14, "stroke-dasharray": dashes[mark] };
  return el("line", { x1, x2, y1: y, y2: y, ...look });
}

/** Draw the legend, which says what the outlines mean, in one or more lines.
 * @param {Sheet} sheet @param {readonly HTMLElement[]} legend
 * @param {RegionPicture} picture @param {number} letters height of letters in px @param {Room} room */
function key(sheet, legend, { colours }, letters, { left, right }) {
  if (!legend.length) return;
  const wide = measure(letters);
  let x = left;
  sheet.y += letters * LINE * 1.2;
  for (const one of legend) {
    const text = one.textContent ?? "", width = letters * 2 + wide(text);
    if (x > left && x + width > right) {
      x = left;
      sheet.y += letters * LINE;
    }
    const look = /** @type {Look} */ (one.classList[0]);
    sheet.drawn.push(
      swatch(look, colours[look], { x, y: sheet.y - letters * 0.8, width: letters * 1.4, height: letters * 0.9 }),
      el("text", { x: x + letters * 1.8, y: sheet.y, "font-size": letters }, text),
    );
    x += width + letters;
  }
}

/** Draw the swatch (sample line) of a kind of outline. As on the page, the kinds differ even without colour. A solid
 * line means mentioned, dashes mean not mentioned, thin dashes mean a detail, and dots mean that nothing was compared.
 * @param {Look} look @param {string} stroke colour
 * @param {{x: number, y: number, width: number, height: number}} box in px */
export function swatch(look, stroke, box) {
  const { height } = box, thick = look === "part" ? height / 14 : look === "waiting" ? height / 7 : height / 5;
  const dashes = look === "mentioned" ? null : look === "waiting" ? `${thick} ${thick}` : `${height / 4} ${height / 6}`;
  return el("rect", { ...box, fill: "none", stroke, "stroke-width": thick, "stroke-dasharray": dashes });
}

/** Return a function that measures texts, in px. @param {number} letters height of letters in px */
function measure(letters) {
  const context = /** @type {CanvasRenderingContext2D} */ (el("canvas").getContext("2d"));
  context.font = `${letters}px sans-serif`;
  return (/** @type {string} */ text) => context.measureText(text).width;
}
