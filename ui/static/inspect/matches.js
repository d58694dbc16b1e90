// Shows what a caption shares with its references: adjacent words, or words in the same order. If the pointer is
// on a match, the match is highlighted in the caption and in each reference.

import { all, el, present } from "../shared/dom.js";
import { quiet } from "../shared/elements.js";
import { folded } from "../shared/folded.js";
import { whenMoved } from "../shared/pointer.js";
import { rove } from "../shared/roving_focus.js";
import { rounded } from "../shared/rounding.js";
import { counted } from "../shared/text.js";

/** @import { Match, ScoreJson } from "../shared/wire.d.ts" */
/** @typedef {{caption: string, references: readonly string[]}} Texts */
/** @typedef {{start: number, end: number, at: number}} Span a part of a text; at: index of the match */

const MOST_SHOWN = 15; // maximum number of matches that a group shows; further matches are folded

/** Show the matches between a caption and its references. The references and the list of matches are folded.
 * @param {ScoreJson} score @param {Texts} texts the texts that the metric compared */
export function matchesOf({ metric, matches, unlisted, components }, { caption, references }) {
  const ours = matches.flatMap(({ places }, at) => places.map(([start, end]) => ({ start, end, at })));
  const theirs = (/** @type {number} */ number) =>
    matches.flatMap(({ references: places }, at) =>
      places.filter(([of]) => of === number).map(([, start, end]) => ({ start, end, at }))
    );
  const list = el("div", { class: "match-list" }, groupsOf(metric, matches, components));
  const section = el(
    "section",
    { class: "matches", "aria-label": "Shared with the references" },
    el("p", { class: "match-caption" }, marked(caption, ours, matches)),
    ...gist(matches, components).map((words) => quiet(words)),
    folded(
      "match-details",
      `matches of ${metric}`,
      summary(matches, unlisted, references.length),
      el(
        "ol",
        { class: "match-references", "aria-label": "References" },
        references.map((words, number) =>
          el("li", {}, el("span", { class: "quiet" }, `${number + 1} `), marked(words, theirs(number), matches))
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

/** Split a text at the edges of its spans. Each piece lists its matches, the strongest first. The strength of a match
 * grows with its weight. If it has no weight, the strength grows with its number of words.
 * @param {string} text @param {Span[]} spans @param {readonly Match[]} matches */
function marked(text, spans, matches) {
  const characters = [...text]; // code points, in which the server counts the positions of spans
  const strength = (/** @type {number} */ at) => matches[at].weight ?? matches[at].size;
  const most = Math.max(...matches.map((_, at) => strength(at)), 1e-9);
  const inner = spans.flatMap(({ start, end }) => [start, end]);
  const edges = [...new Set([0, ...inner, characters.length])].sort((a, b) => a - b);
  return edges.slice(1).map((end, nth) => {
    const start = edges[nth], words = characters.slice(start, end).join("");
    const over = [...new Set(spans.filter((span) => span.start <= start && span.end >= end).map(({ at }) => at))];
    if (!words || !over.length) return words;
    over.sort((a, b) => strength(b) - strength(a));
    const looks = { class: `match ${matches[over[0]].kind}`, "data-matches": over.join(" ") };
    return el("mark", { ...looks, style: `--strength: ${(strength(over[0]) / most).toFixed(2)}` }, words);
  });
}

/** Return the list of matches in groups, each with a heading.
 * All sequences form one group, and all other matches with a weight form another. The remaining matches are grouped by
 * their number of words.
 * @param {string} metric @param {readonly Match[]} matches @param {ScoreJson["components"]} components */
function groupsOf(metric, matches, components) {
  const groups = /** @type {Map<string, HTMLElement[]>} */ (new Map());
  for (const [at, match] of matches.entries()) {
    const { text, kind, weight, idf } = match, head = headOf(match, components);
    const weighed = weight !== null && el("span", { class: "quiet" }, ` +${rounded(weight)}, idf ${rounded(idf ?? 0)}`);
    const chip = el("button", { type: "button", class: `match-chip ${kind}`, "data-matches": at }, text, weighed);
    groups.set(head, [...(groups.get(head) ?? []), chip]);
  }
  return [...groups].map(([head, chips]) => {
    const more = chips.length - MOST_SHOWN, name = `more of ${metric}, ${head}`;
    return [
      el("p", {}, el("span", { class: "line-head" }, head), " ", chips.slice(0, MOST_SHOWN)),
      more > 0 && folded("match-rest", name, `${more} more`, el("p", {}, chips.slice(MOST_SHOWN))),
    ];
  });
}

/** @param {Match} match @param {ScoreJson["components"]} components */
function headOf(match, { length, [`precision_${match.size}`]: precision }) {
  if (match.kind === "sequence") return "In the same order";
  if (match.weight !== null) return "Heaviest";
  const words = counted(match.size, "word");
  if (typeof length !== "number" || typeof precision !== "number") return words;
  const all = length - match.size + 1;
  return `${words}: ${Math.round(precision * all)} of ${all}`;
}

/** Return sentences about aspects of a score that the highlighted matches do not show, such as the brevity penalty.
 * @param {readonly Match[]} matches @param {ScoreJson["components"]} components */
function gist(matches, { length, reference_length: closest, brevity_penalty: penalty }) {
  const isShared = matches.some(({ places, references }) => places.length && references.length);
  const isShort = typeof penalty === "number" && penalty < 1 && length;
  const runs = matches.filter(({ kind }) => kind === "sequence").map(({ size, references: [[number]] }) =>
    `${counted(size, "word")} in the same order in reference ${number + 1}.`
  );
  return present(
    !isShared && "The caption and the references have nothing in common.",
    isShort && `Words: ${length}; reference of the closest length: ${closest}. Brevity penalty: ${rounded(penalty)}.`,
    ...runs,
  );
}

/** Summarise the matches in a few words.
 * @param {readonly Match[]} matches @param {number} unlisted number of matches that are not listed
 * @param {number} references number of references */
function summary(matches, unlisted, references) {
  const many = counted(references, "reference"), all = matches.length + unlisted;
  if (!all || matches[0]?.kind === "sequence") return many;
  return `${many}, ${all} shared ${all === 1 ? "sequence" : "sequences"} of words`;
}
