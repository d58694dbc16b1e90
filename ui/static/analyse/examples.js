// Coded errors as a figure for a paper: picture, caption, scores, code and explanation, one example below the other.

import { get, post, Refused, wordsOf } from "../shared/api.js";
import { dialog, el, field, paperColour, say } from "../shared/dom.js";
import { picker } from "../shared/elements.js";
import { at } from "../shared/address.js";
import { fileName } from "../shared/tables.js";
import { wrongWords } from "../shared/hints.js";
import { ExampleOrder } from "./example_order.js";
import { contextOf, saveButtons, saveFigure } from "./figure_files.js";
import { rounded } from "../shared/rounding.js";

/** @import { CodedExample } from "../shared/wire.d.ts" */
/** @import { Shown } from "./example_order.js" */
/** @typedef {{dataset: string, metric: string, book: string, label: string}} Chosen */

const WIDE = 720, PICTURE = 168, GAP = 16, LINE = 20; // px
const FAMILY = "system-ui, sans-serif";
/** @typedef {{size: number, weight: number}} Font */
/** @typedef {{words: string, font: Font, wrong?: boolean[]}} Line a line of text
 * wrong: for each word of the line, whether it is wrong */
const FONT = { size: 15, weight: 400 }, BOLD = { size: 15, weight: 600 }, SMALL = { size: 13, weight: 400 };
const QUALITY = 0.9; // JPEG quality of the embedded pictures, 0-1

/** Show the figure of examples and offer it as a file. @param {Chosen} chosen */
export async function showExamples(chosen) {
  const stage = el("div", { class: "examples" });
  const status = el("p", { class: "problem", role: "status" });
  const each = picker({ id: "examples-each" }, [[1, 1], [2, 2], [3, 3]], 1, () => draw());
  /** @type {{svg: string, size: {width: number, height: number}} | null} the figure as drawn last */
  let drawn = null;
  const name = fileName(`${chosen.dataset} ${chosen.label} ${chosen.book} examples`);
  const order = new ExampleOrder(() => paint());
  const paint = async () => {
    const node = await figureOf(order.shown, chosen.label);
    const size = { width: WIDE, height: Number(node.getAttribute("height")) };
    drawn = { svg: new XMLSerializer().serializeToString(node), size };
    stage.replaceChildren(node);
  };
  const draw = async () => {
    try {
      const found = await get(
        `/api/analyse/examples?${new URLSearchParams({
          dataset: chosen.dataset,
          metric: chosen.metric,
          codebook: chosen.book,
          each: each.value,
        })}`,
      );
      const wrong = await Promise.all(found.map(readWrong));
      order.fill(found.map((example, number) => ({ example, wrong: wrong[number] })));
      await paint();
      say(status, "");
    } catch (error) {
      say(status, wordsOf(error));
    }
  };
  dialog(
    "Coded examples",
    el(
      "div",
      { class: "capscope" },
      field("Examples of each code", each),
      order.element,
      stage,
      status,
      saveButtons("Examples", async (format) => {
        if (drawn) await saveFigure(drawn.svg, drawn.size, format, name);
      }),
    ),
  );
  await draw();
}

/** Find the words of an explanation that the picture's regions contradict.
 * The list is empty if the server refuses the text.
 * @param {CodedExample} example */
async function readWrong({ id, explanation }) {
  if (!explanation) return [];
  try {
    return wrongWords(explanation, await post(`/api/samples/${id}/sentences`, { text: explanation }));
  } catch (error) {
    if (error instanceof Refused) return [];
    throw error;
  }
}

/** Draw the figure of examples.
 * @param {Shown[]} examples @param {string} label label of the metric */
async function figureOf(examples, label) {
  const pictures = await Promise.all(
    examples.map(({ example: { image } }) => image ? pixels(at(image)).catch(() => null) : null),
  );
  /** @type {SVGElement[]} */
  const rows = [];
  let top = GAP;
  examples.forEach(({ example, wrong }, number) => {
    const { node, height } = rowOf(example, wrong, pictures[number], label, top);
    rows.push(node);
    top += height + GAP;
  });
  return el(
    "svg",
    {
      xmlns: "http://www.w3.org/2000/svg",
      viewBox: `0 0 ${WIDE} ${top}`,
      width: WIDE,
      height: top,
      role: "img",
      "aria-label": `${examples.length} coded examples`,
    },
    el("rect", { width: WIDE, height: top, fill: "white" }),
    rows,
  );
}

/** Draw an example: its picture, code, caption, scores and explanation.
 * @param {CodedExample} example @param {boolean[]} wrong for each word of the explanation, whether it is wrong
 * @param {{data: string, width: number, height: number} | null} picture @param {string} label label of the metric
 * @param {number} top y of the row's upper edge, in px */
function rowOf({ code, coders, caption, explanation, human, value, raw, error }, wrong, picture, label, top) {
  const left = GAP + PICTURE + GAP, room = WIDE - left - GAP;
  const scores = [
    `people ${human === null ? "–" : rounded(human)}`,
    `${label} ${rounded(value)}`,
    raw !== null && `before smoothing ${rounded(raw)}`,
    error !== null && `error ${error < 0 ? "−" : "+"}${rounded(Math.abs(error))}`,
  ].filter(Boolean).join(" · ");
  let words = 0; // counts the words of the explanation in all lines so far
  const explained = explanation ? wrapped(explanation.trim(), SMALL, room) : [];
  /** @type {Line[]} */
  const lines = [
    ...wrapped(code, BOLD, room).map((words) => ({ words, font: BOLD })),
    ...wrapped(`“${caption}”`, FONT, room).map((words) => ({ words, font: FONT })),
    ...wrapped(scores, SMALL, room).map((words) => ({ words, font: SMALL })),
    ...explained.map((line) => {
      const first = words;
      words += line.split(" ").length;
      return { words: line, font: SMALL, wrong: wrong.slice(first, words) };
    }),
    { words: `coded by ${coders.join(", ")}`, font: SMALL },
  ];
  const tall = picture ? Math.min(PICTURE, (PICTURE * picture.height) / picture.width) : PICTURE / 2;
  const wide = picture ? (tall * picture.width) / picture.height : PICTURE;
  const node = el(
    "g",
    {},
    picture
      ? el("image", { href: picture.data, x: GAP + (PICTURE - wide) / 2, y: top, width: wide, height: tall })
      : el("rect", { x: GAP, y: top, width: PICTURE, height: tall, fill: "none", stroke: paperColour("--edge") }),
    !picture && lineOf({ words: "no picture", font: SMALL }, GAP + 12, top + 24),
    lines.map((line, number) => lineOf(line, left, top + 16 + number * LINE)),
  );
  return { node, height: Math.max(tall, lines.length * LINE) };
}

/** Draw a line of text. @param {Line} line @param {number} x @param {number} y */
function lineOf({ words, font, wrong = [] }, x, y) {
  const { size, weight } = font;
  const look = { "font-family": FAMILY, "font-size": size, "font-weight": weight };
  return el("text", { x, y, fill: paperColour("--ink"), ...look }, wrong.some(Boolean) ? marked(words, wrong) : words);
}

/** Draw the wrong words of a line in red and underlined.
 * @param {string} line @param {boolean[]} wrong for each word, whether it is wrong */
function marked(line, wrong) {
  return line.split(" ").flatMap((word, at) => [
    at ? " " : "",
    wrong[at] ? el("tspan", { fill: paperColour("--alarm"), "text-decoration": "underline" }, word) : word,
  ]);
}

/** Break a text into lines of limited width.
 * @param {string} text @param {Font} font @param {number} room maximum width of a line, in px */
function wrapped(text, { size, weight }, room) {
  const context = contextOf(el("canvas"));
  context.font = `${weight} ${size}px ${FAMILY}`;
  const lines = [""];
  for (const word of text.split(/\s+/)) {
    const longer = lines.at(-1) ? `${lines.at(-1)} ${word}` : word;
    if (!lines.at(-1) || context.measureText(longer).width <= room) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
}

/** Return a picture as a small JPEG, so that the figure's file stays small. @param {string} address */
async function pixels(address) {
  const image = new Image();
  image.src = address;
  await image.decode();
  const scale = Math.min(1, (2 * PICTURE) / Math.max(image.naturalWidth, image.naturalHeight));
  const width = Math.round(scale * image.naturalWidth), height = Math.round(scale * image.naturalHeight);
  const canvas = el("canvas", { width, height }), context = contextOf(canvas);
  context.fillStyle = "white"; // white background, which shows through transparent pictures
  context.fillRect(0, 0, width, height);
  context.drawImage(image, 0, 0, width, height);
  return { data: canvas.toDataURL("image/jpeg", QUALITY), width, height };
}
