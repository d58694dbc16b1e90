// Exports the list of samples as a file, a data set or a study.

import { at } from "../shared/address.js";
import { isRefused, wordsOf } from "../shared/api.js";
import { el, field, say } from "../shared/dom.js";
import { actions, alertText, button, paragraph, quiet } from "../shared/elements.js";
import { beginPost, CancelledHere, shownIfSlow } from "../shared/long_work.js";
import { addressOf, listed } from "./address.js";

/** @import { Address } from "./address.js" */
/** @import { Work } from "../shared/long_work.js" */

/** Open a dialog that exports the listed samples as a file, a data set or a study.
 * @param {Address} state the list's filters and order @param {number} total number of samples in the list */
export function openExport(state, total) {
  const query = new URLSearchParams(listed(state));
  const name = el("input", { id: "list-name", maxlength: 80, value: state.dataset && `${state.dataset}, part` });
  const problem = alertText(), progress = el("div", {});
  const make = async (/** @type {(name: string) => string} */ next) => {
    if (work) return;
    say(problem, "");
    work = beginPost("/api/datasets", /** @type {any} */ ({ name: name.value, samples: listed(state) }));
    try {
      const made = await shownIfSlow(progress, work, "Creating the data set");
      location.assign(at(next(made.name)));
    } catch (error) {
      say(problem, error instanceof CancelledHere ? "Cancelled. No data set was created." : wordsOf(error));
      if (isRefused(error, "taken")) name.focus();
    } finally {
      work = null;
    }
  };
  /** @type {Work<any> | null} */
  let work = null;
  const box = el(
    "dialog",
    { class: "box capscope", "aria-label": "Export the list" },
    el("h2", {}, `Export ${total.toLocaleString()} ${total === 1 ? "sample" : "samples"}`),
    paragraph(
      el(
        "a",
        { class: "button", href: `/api/samples.jsonl${query.size ? `?${query}` : ""}`, download: true },
        "Save as JSONL",
      ),
      " ",
      el(
        "span",
        { class: "quiet" },
        "The file contains samples, scores and explanations, but no pictures. `import jsonl` reads it.",
      ),
    ),
    el("h3", {}, "Or create a data set of these samples"),
    field("Name", name),
    quiet(
      "The data set contains all scores and regions, in this order. A study can choose its items from this data set, " +
        "and this choice can be repeated.",
    ),
    problem,
    progress,
    actions(
      button("Create data set", () => make((made) => addressOf({ dataset: made }))),
      button("Create data set and study", () => make((made) => `/studies?dataset=${encodeURIComponent(made)}`)),
      button("Cancel", () => box.close()),
    ),
  );
  box.addEventListener("close", () => {
    work?.cancel();
    box.remove();
  });
  document.body.append(box);
  box.showModal();
}
