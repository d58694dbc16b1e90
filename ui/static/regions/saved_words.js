// What stands beneath a saved picture: its caption with marks, the legend, and the picture's source. All of it is drawn,
// because the file does not contain the page's styles.

import { el, paperColour } from "../shared/dom.js";
import { rounded } from "../shared/rounding.js";
import { SIGNS } from "./support.js";

/** @import { Look, RegionPicture } from "./picture.js" */
/** @import { Mark } from "./support.js" */
/** @typedef {{text: string, mark: Mark | null, sign: string}} Piece a piece of a caption
 * sign: the sign that follows the piece, such as ✓ */
/** @typedef {{text: string, mark: Mark, precision: number | null}} Phrase */
/** @typedef {{y: number, drawn: SVGElement[]}} Sheet elements drawn so far; y: position of the last line, in px */
/** @typedef {{left: number, right: number}} Room left and right edge of the text, in px */

const WIDTH = 1600, CAPTION = 46, SMALL = 30; // in px; CAPTION, SMALL: heights of letters, if the paper is WIDTH wide
const LINE = 1.5, SUPER = 0.65; // heights of a line and of a sign, relative to the height of letters
const NONE = "not judged";
/** @type {Mark[]} */
const MARK_ORDER = ["correct", "incorrect", NONE]; // each mark has a line, whose heading says what the sign means
/** Maps the class of a piece to its mark. @type {Record<string, Mark>} */
const MARKS = { correct: "correct", incorrect: "incorrect", unjudged: NONE };
/** @type {Record<Mark, string>} */
const COLOURS = { correct: "--mentioned-text", incorrect: "--unmentioned", "not judged": "--edge" };

/** Draw the texts below a picture.
 * @param {{marked: HTMLElement, phrases: readonly Phrase[], heads: Record<Mark, string>, source?: string}} words
 * @param {readonly HTMLElement[]} legend @param {RegionPicture} picture
 * @param {{width: number, top: number}} place width of the paper, and y of the texts' upper edge, in px */
export function beneath({ marked, phrases, heads, source = "" }, legend, picture, { width, top }) {
  const unit = width / WIDTH, edge = SMALL * unit, room = { left: edge, right: width - edge };
  /** @type {Sheet} */
  const sheet = { y: top, drawn: [] };
  flow(sheet, words(marked), CAPTION * unit, room);
  for (const wanted of MARK_ORDER) {
    const those = phrases.filter(({ mark }) => mark === wanted).map(({ text, precision }) =>
      `${SIGNS[wanted]}${text}${precision === null ? "" : ` ${rounded(precision)}`}`
    );
    if (those.length) flow(sheet, plain(`${heads[wanted]}: ${those.join(" · ")}`), SMALL * unit, room);
  }
  key(sheet, legend, picture, SMALL * unit, room);
  flow(sheet, plain(source), SMALL * unit, room);
  const height = Math.ceil(sheet.y + edge - top);
  const paper = el("rect", { y: top, width, height, fill: "white" });
  const ink = { "font-family": "sans-serif", fill: paperColour("--ink") };
  return { height, drawn: el("g", {}, paper, el("g", ink, sheet.drawn)) };
}

/** Return the words of a marked caption. Each word is a list of pieces, and each piece has one mark.
 * If the page shows a sign after a marked text, the sign follows the last word of this text. As on the page, words that
 * are not judged have no sign.
 * @param {HTMLElement} marked @returns {Piece[][]} */
export function words(marked) {
  /** @type {Piece[][]} */
  const found = [];
  let open = false; // whether the next letters continue the last word
  for (const node of marked.childNodes) {
    const names = node instanceof Element ? Object.keys(MARKS).filter((name) => node.classList.contains(name)) : [];
    const mark = names.length ? MARKS[names[0]] : null,
      runsOn = node instanceof Element && node.classList.contains("runs-on"),
      sign = mark && mark !== NONE && !runsOn && marked.dataset.by === "things" ? SIGNS[mark].trim() : "";
    const parts = (node.textContent ?? "").match(/\s+|\S+/g) ?? [];
    const last = parts.findLastIndex((text) => text.trim());
    for (const [at, text] of parts.entries()) {
      const isWord = Boolean(text.trim());
      if (isWord && !open) found.push([]);
      if (isWord) found.at(-1)?.push({ text, mark, sign: at === last ? sign : "" });
      open = isWord;
    }
  }
  return found;
}

/** Return the words of a text that has no marks. @param {string} text @returns {Piece[][]} */
function plain(text) {
  return (text.match(/\S+/g) ?? []).map((word) => [{ text: word, mark: null, sign: "" }]);
}

/** Draw words in lines. @param {Sheet} sheet @param {Piece[][]} text @param {number} letters height in px
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
        const look = { x: end, y: sheet.y - letters / 3, "font-size": small, fill: paperColour(COLOURS[mark ?? NONE]) };
        sheet.drawn.push(el("text", look, sign));
      }
      x = end + wide(sign) * SUPER;
    }
    x += space;
  }
}

/** Draw the line below a marked word: a wave if the word is wrong, dots if it is unknown.
 * @param {Mark} mark @param {number} from left end in px @param {number} to right end in px
 * @param {number} base y of the letters' base, in px @param {number} letters height of letters in px */
function underline(mark, from, to, base, letters) {
  const y = base + letters / 5, dots = mark === NONE ? `${letters / 16} ${letters / 8}` : null;
  const look = { stroke: paperColour(COLOURS[mark]), "stroke-width": letters / 14, "stroke-dasharray": dots };
  if (mark !== "incorrect") return el("line", { x1: from, x2: to, y1: y, y2: y, ...look });
  return el("path", { d: wave(from, to, y, letters / 8), fill: "none", ...look });
}

/** Return the path of a wavy line.
 * @param {number} from left end in px @param {number} to right end in px @param {number} y
 * @param {number} size about half the length of one wave, in px */
export function wave(from, to, y, size) {
  const halves = Math.max(2, 2 * Math.round((to - from) / size / 2)), step = (to - from) / halves;
  return `M${from} ${y}q${step / 2} ${-size} ${step} 0${`t${step} 0`.repeat(halves - 1)}`;
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
