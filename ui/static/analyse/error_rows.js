// The table of the largest errors with the codes that people have given to them, and the buttons that give codes.

import { el, unseen } from "../shared/dom.js";
import { button } from "../shared/elements.js";
import { thumbnail } from "./in_sight.js";
import { rounded } from "../shared/rounding.js";

/** @import { Codebook, ErrorRow } from "../shared/wire.d.ts" */

/** @type {Record<string, string>} labels of the scales on which errors are computed */
export const SCALES = { plain: "as they are", rank: "by rank", calibrated: "calibrated" };
const HEADS = (/** @type {string} */ label) => ["#", unseen("picture"), "caption, codes", "human", label, "Δ"];

/** Make a button for each code of a codebook.
 * @param {Codebook} book @param {(code: string) => void} give is called with the key of the clicked code */
export function codeButtons({ codes, source }, give) {
  return codes.map(({ key, label }, number) =>
    button([el("kbd", {}, number + 1), ` ${label}`], () => give(key), "code", { title: source })
  );
}

/** Make a table of errors.
 * @param {{first: number, rows: ErrorRow[]}} errors
 * @param {{label: string, at: number, given: Map<string, Map<string, string>>, coder: string,
 *   go: (number: number) => void}} list at: index of the current row; given: for each sample's key, a map from a
 * coder's name to the code that this coder has given to the sample; coder: the coder whose codes are highlighted */
export function errorTable({ first, rows }, { label, at, given, coder, go }) {
  return el(
    "table",
    { class: "figures error-list" },
    el("thead", {}, el("tr", {}, HEADS(label).map((name) => el("th", { scope: "col" }, name)))),
    el(
      "tbody",
      {},
      rows.map((row, number) =>
        el(
          "tr",
          { "data-id": row.id, "aria-current": number === at ? "true" : false },
          el("td", {}, first + number),
          el("td", {}, thumbnail(row.image)),
          // Codes stand below the caption, because a separate column would be cut off beside an open sample.
          el(
            "td",
            {},
            button(row.caption, () => go(number), "quiet-button error-caption", { tabindex: "-1" }),
            chips(given.get(row.key), coder),
          ),
          figure(row.human),
          figure(row.value),
          figure(row.error),
        )
      ),
    ),
  );
}

/** @param {number} value */
function figure(value) {
  return el("td", { title: String(value) }, rounded(value).replace("-", "−"));
}

/** @param {Map<string, string> | undefined} codes @param {string} mine */
function chips(codes, mine) {
  const given = [...(codes ?? [])];
  return given.length > 0 &&
    el(
      "div",
      { class: "chips" },
      given.map(([coder, code]) =>
        el(
          "span",
          { class: coder === mine ? "chip human" : "chip", "data-coder": coder },
          `${coder}: `,
          el("strong", {}, code),
        )
      ),
    );
}

/** Highlight a coder's codes in a table that is already drawn.
 * The table is not drawn again, because that could remove a row on which a pointer is pressed.
 * @param {HTMLElement} box @param {string} coder */
export function standOut(box, coder) {
  for (const chip of /** @type {NodeListOf<HTMLElement>} */ (box.querySelectorAll("[data-coder]"))) {
    chip.classList.toggle("human", chip.dataset.coder === coder);
  }
}
