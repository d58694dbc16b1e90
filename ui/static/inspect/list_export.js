// Taking the list of samples along: as a file, as a data set, as a study.

import { at } from "../shared/address.js";
import { isRefused, post, wordsOf } from "../shared/api.js";
import { el, field, say } from "../shared/dom.js";
import { addressOf, listed } from "./address.js";

/** @import { Address } from "./address.js" */

/** A dialog that offers what can be made of a list.
 * @param {Address} state which list @param {number} total its samples */
export function openExport(state, total) {
  const query = new URLSearchParams(listed(state));
  const name = el("input", { id: "list-name", maxlength: 80, value: state.dataset && `${state.dataset}, part` });
  const problem = el("p", { class: "problem", role: "alert" });
  const make = async (/** @type {(name: string) => string} */ next) => {
    say(problem, "");
    try {
      const made = await post(
        "/api/datasets",
        /** @type {any} */ ({ name: name.value, samples: listed(state) }),
        { signal: AbortSignal.timeout(MAKING_MS) },
      );
      location.assign(at(next(made.name)));
    } catch (error) {
      say(problem, wordsOf(error));
      if (isRefused(error, "taken")) name.focus();
    }
  };
  const box = el(
    "dialog",
    { class: "box capscope", "aria-label": "Export the list" },
    el("h2", {}, `Export ${total.toLocaleString()} ${total === 1 ? "sample" : "samples"}`),
    el(
      "p",
      {},
      el(
        "a",
        { class: "button", href: `/api/samples.jsonl${query.size ? `?${query}` : ""}`, download: true },
        "Save as JSONL",
      ),
      " ",
      el(
        "span",
        { class: "quiet" },
        "Samples with scores and explanations, for import jsonl; pictures stay where they are.",
      ),
    ),
    el("h3", {}, "Or make a data set of them"),
    field("Name", name),
    el(
      "p",
      { class: "quiet" },
      "With all scores and regions, in this order. A study draws from a data set, so that its draw can be repeated.",
    ),
    problem,
    el(
      "p",
      { class: "actions" },
      el("button", { type: "button", click: () => make((made) => addressOf({ dataset: made })) }, "Make the data set"),
      el(
        "button",
        { type: "button", click: () => make((made) => `/studies?dataset=${encodeURIComponent(made)}`) },
        "… and a study of it",
      ),
      el("button", { type: "button", click: () => box.close() }, "Cancel"),
    ),
  );
  box.addEventListener("close", () => box.remove());
  document.body.append(box);
  box.showModal();
}

const MAKING_MS = 120_000; // a data set of many samples takes a while
