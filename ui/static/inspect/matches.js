// Shows what a caption shares with its references: adjacent words, or words in the same order. If the pointer is
// on a match, the match is highlighted in the caption and in each reference.

import { all, el, present } from "../shared/dom.js";
import { quiet } from "../shared/elements.js";
import { whenMoved } from "../shared/pointer.js";
import { rove } from "../shared/roving_focus.js";
import { rounded } from "../shared/rounding.js";

/** @import { Match, ScoreJson } from "../shared/wire.d.ts" */
/** @import { Child } from "../shared/types.d.ts" */
/** @typedef {{caption: string, references: readonly string[]}} Texts */
/** @typedef {{start: number, end: number, at: number}} Span a part of a text; at: index of the match */

const MOST_SHOWN = 15; // maximum number of matches that a group shows; further matches are folded

/** Show the matches between a caption and its references. The references and the list of matches are folded.
 * @param {ScoreJson} score @param {Texts} texts the texts that the metric compared */
export function matchesOf({ matches, unlisted, components }, { caption, references }) {
  const strength = strengthsOf(matches);
  const ours = matches.flatMap(({ places }, at) => places.map(([start, end]) => ({ start, end, at })));
  const theirs = (/** @type {number} */ number) =>
    matches.flatMap(({ references: places }, at) =>
      places.filter(([of]) => of === number).map(([, start, end]) => ({ start, end, at }))
    );
  const look = (/** @type {number} */ at) => matches[at].kind;
  const text = (/** @type {string} */ words, /** @type {Span[]} */ spans) => marked(words, spans, strength, look);
  const list = el("div", { class: "match-list" }, groupsOf(matches, components));
  const section = el(
    "section",
    { class: "matches", "aria-label": "Shared with the references" },
    el("p", { class: "match-caption" }, text(caption, ours)),
    ...gist(matches, components).map((words) => quiet(words)),
    el(
      "details",
      { class: "folded match-details" },
      el("summary", {}, summary(matches, unlisted, references.length)),
      el(
        "ol",
        { class: "match-references", "aria-label": "References" },
        references.map((words, number) =>
          el("li", {}, el("span", { class: "quiet" }, `${number + 1} `), text(words, theirs(number)))
        ),
      ),
      list,
      unlisted > 0 && quiet(`${unlisted} more are not shown.`),
    ),
  );
  rove(list, "button");
  const point = (/** @type {Event} */ { target }) => {
    const over = target instanceof Element ? target.closest("[data-matches]") : null;
    light(section, over ? indices(over)[0] : null);
  };
  const end = () => light(section, null);
  section.addEventListener("pointerover", (event) => whenMoved(event, () => point(event)));
  section.addEventListener("pointerleave", (event) => whenMoved(event, end));
  section.addEventListener("focusin", point);
  section.addEventListener("focusout", end);
  return section;
}

/** Highlight the words of a match.
 * @param {Element} section @param {string | null} index index of the match under the pointer; null: none */
function light(section, index) {
  for (const node of all(section, "[data-matches]")) {
    node.classList.toggle("lit", index !== null && indices(node).includes(index));
  }
}

/** @param {Element} node @returns {string[]} */
const indices = (node) => String(node.getAttribute("data-matches")).split(" ");

/** Split a text at the edges of its spans. Each piece lists its matches, the strongest first.
 * @param {string} text @param {Span[]} spans @param {number[]} strength @param {(at: number) => string} look */
function marked(text, spans, strength, look) {
  const characters = [...text]; // code points, in which the server counts the positions of spans
  /** @type {Map<number, {opens: number[], closes: number[]}>} */
  const edges = new Map();
  const edge = (/** @type {number} */ place) => {
    const known = edges.get(place) ?? { opens: [], closes: [] };
    edges.set(place, known);
    return known;
  };
  for (const { start, end, at } of spans) {
    edge(start).opens.push(at);
    edge(end).closes.push(at);
  }
  const places = [0, ...[...edges.keys()].sort((a, b) => a - b), characters.length];
  const over = /** @type {Set<number>} */ (new Set());
  return places.slice(0, -1).map((start, nth) => {
    const { opens, closes } = edges.get(start) ?? { opens: [], closes: [] };
    if (nth > 0) {
      for (const at of closes) over.delete(at);
      for (const at of opens) over.add(at);
    }
    const words = characters.slice(start, places[nth + 1]).join("");
    if (!words || !over.size) return words;
    const strongest = [...over].sort((a, b) => strength[b] - strength[a]);
    const looks = { class: `match ${look(strongest[0])}`, "data-matches": strongest.join(" ") };
    return el("mark", { ...looks, style: `--strength: ${strength[strongest[0]].toFixed(2)}` }, words);
  });
}

/** Return how strongly to highlight each match, in [0, 1].
 * The strength grows with the match's weight. If a match has no weight, the strength grows with its number of words.
 * @param {readonly Match[]} matches */
function strengthsOf(matches) {
  const sizes = matches.map(({ weight, size }) => weight ?? size);
  const most = Math.max(...sizes, 1e-9);
  return sizes.map((size) => size / most);
}

/** Return the list of matches in groups, each with a heading.
 * All sequences form one group, and all other matches with a weight form another. The remaining matches are grouped by their number of words.
 * @param {readonly Match[]} matches @param {ScoreJson["components"]} components @returns {Child[]} */
function groupsOf(matches, components) {
  const groups = /** @type {Map<string, HTMLElement[]>} */ (new Map());
  for (const [at, match] of matches.entries()) {
    const weighed = match.weight !== null && [" ", el("span", { class: "quiet" }, weightOf(match))];
    const looks = { type: "button", class: `match-chip ${match.kind}`, "data-matches": at };
    const head = headOf(match, components);
    groups.set(head, [...(groups.get(head) ?? []), el("button", looks, match.text, weighed)]);
  }
  return [...groups].map(([head, chips]) => [
    el("p", {}, el("span", { class: "line-head" }, head), " ", chips.slice(0, MOST_SHOWN)),
    chips.length > MOST_SHOWN &&
    el(
      "details",
      { class: "folded match-rest" },
      el("summary", {}, `${chips.length - MOST_SHOWN} more`),
      el("p", {}, chips.slice(MOST_SHOWN)),
    ),
  ]);
}

/** @param {Match} match */
const weightOf = ({ weight, idf }) => `+${rounded(weight ?? 0)}, idf ${rounded(idf ?? 0)}`;

/** @param {Match} match @param {ScoreJson["components"]} components */
function headOf(match, { length, [`precision_${match.size}`]: precision }) {
  if (match.kind === "sequence") return "In the same order";
  if (match.weight !== null) return "Heaviest";
  const words = match.size === 1 ? "1 word" : `${match.size} words`;
  if (typeof length !== "number" || typeof precision !== "number") return words;
  const all = length - match.size + 1;
  return `${words}: ${Math.round(precision * all)} of ${all}`;
}

/** Return sentences about aspects of a score that the highlighted matches do not show, such as the brevity penalty.
 * @param {readonly Match[]} matches @param {ScoreJson["components"]} components */
function gist(matches, { length, reference_length: closest, brevity_penalty: penalty }) {
  const none = matches.some(({ places, references }) => places.length && references.length)
    ? ""
    : "The caption and the references have nothing in common.";
  const short = typeof penalty === "number" && penalty < 1 && length
    ? `The caption has ${length} words, and the reference of the closest length has ${closest}. Brevity penalty: ${
      rounded(penalty)
    }.`
    : "";
  const runs = matches.filter(({ kind }) => kind === "sequence").map(({ size, references: [[number]] }) =>
    `${size} ${size === 1 ? "word" : "words"} in the same order in reference ${number + 1}.`
  );
  return present(none, short, ...runs);
}

/** Summarise the matches in a few words.
 * @param {readonly Match[]} matches @param {number} unlisted number of matches that are not listed
 * @param {number} references number of references */
function summary(matches, unlisted, references) {
  const many = references === 1 ? "1 reference" : `${references} references`;
  const [first] = matches;
  if (!first) return many;
  if (first.kind === "sequence") return many;
  const all = matches.length + unlisted;
  return `${many}, ${all} shared ${all === 1 ? "sequence" : "sequences"} of words`;
}
