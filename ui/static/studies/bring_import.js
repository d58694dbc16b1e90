// The last step of an import: its progress, the imported rows, and the refused ones.

import { get, request, Unreachable, wordsOf } from "../shared/api.js";
import { el, say, table } from "../shared/dom.js";
import { actions, alertText, button, paragraph, quiet } from "../shared/elements.js";
import { keptText } from "./sample_preview.js";
import { forget, remembered } from "../shared/storage.js";

/** @import { ImportJson } from "../shared/wire.d.ts" */

const PAUSE_MS = 500; // ms between two requests for the progress
const AT_WORK = ["waiting", "running"];

/** Return what this browser has stored about an import that it started. Return null if the server no longer knows the
 * import.
 * @param {string} name name under which the browser stores the import */
export async function startedImport(name) {
  try {
    const kept = JSON.parse(remembered(name) ?? "null");
    if (kept) await get(`/api/imports/${kept.key}`);
    return kept;
  } catch (error) {
    if (!(error instanceof Unreachable)) forget(name);
    return null;
  }
}

export class ImportStep {
  /** @param {string} key the import's key
   * @param {{onEnd: (told: ImportJson | null) => void, onStudy: (dataset: string) => void, onBack: () => void,
   * onAgain?: (skipBad: boolean) => void}} act onAgain imports the files again; it is only given for files that the
   * user has chosen. skipBad: whether rows with errors are skipped
   * @param {readonly string[]} [kept] columns whose values are stored
   * @param {{opener: string, back: string}} [names] labels of two buttons: `opener` shows the import again, `back`
   * returns to the previous view */
  constructor(key, act, kept = [], names = { opener: "Import data", back: "Back to the columns" }) {
    this.key = key;
    this.act = act;
    this.kept = kept;
    this.names = names;
    this.bar = el("progress", { "aria-label": "Importing" });
    this.words = el("p", { role: "status" }, "Starting the import …");
    this.late = quiet();
    this.cancel = button("Cancel the import", () => this.giveUp());
    this.node = el(
      "div",
      { class: "importing" },
      this.bar,
      this.words,
      this.late,
      quiet(`You can close this box. The import continues, and “${names.opener}” shows it again.`),
      actions(this.cancel),
    );
    this.follow();
  }

  /** Fetch the progress again and again until the import has ended or the page shows other content. */
  async follow() {
    for (;;) {
      try {
        const progress = await get(`/api/imports/${this.key}`);
        say(this.late, "");
        if (!AT_WORK.includes(progress.state)) return this.end(progress);
        this.tell(progress);
      } catch (error) {
        if (!(error instanceof Unreachable)) return this.fail(wordsOf(error));
        say(this.late, "The connection is interrupted. The import continues, and this page tries to connect again.");
      }
      await new Promise((done) => setTimeout(done, PAUSE_MS));
      if (!this.node.isConnected) return;
    }
  }

  /** @param {ImportJson} told */
  tell({ state, what, done, total }) {
    if (total > 0) {
      this.bar.max = total;
      this.bar.value = done;
    } else this.bar.removeAttribute("value");
    say(this.words, state === "waiting" ? "Another import is running. This import waits for its turn." : `${what} …`);
  }

  async giveUp() {
    this.cancel.disabled = true;
    try {
      await request("POST", `/api/imports/${this.key}/cancel`);
      say(this.words, "Cancelling …");
    } catch (error) {
      this.cancel.disabled = false;
      say(this.words, wordsOf(error));
    }
  }

  /** @param {string} why */
  fail(why) {
    this.node.replaceChildren(
      alertText(why),
      paragraph("If the data set of this import does not exist now, nothing was imported. Import the files again."),
    );
    this.act.onEnd(null);
  }

  /** @param {ImportJson} told */
  end(told) {
    this.act.onEnd(told);
    this.node.replaceChildren(
      ...(told.result ? this.came(told.result) : this.nothing(told)),
      ...refused(this.key, told),
    );
    /** @type {HTMLElement | null} */ (this.node.querySelector("h3"))?.focus();
  }

  /** @param {NonNullable<ImportJson["result"]>} result */
  came(result) {
    const { dataset } = result, query = new URLSearchParams({ dataset });
    const count = (/** @type {number} */ number) => number.toLocaleString();
    return [
      el("h3", { tabindex: "-1" }, `${count(result.samples_added)} samples imported into ${dataset}`),
      el(
        "ul",
        {},
        el("li", {}, `${count(result.samples)} samples read, ${count(result.samples_added)} of them new.`),
        el("li", {}, `${count(result.scores)} scores read, ${count(result.scores_added)} of them new.`),
        el("li", {}, `${count(result.images_found)} pictures found, ${count(result.images_missing)} missing.`),
        result.skipped > 0 &&
          el("li", {}, `${count(result.skipped)} ${result.skipped === 1 ? "row was" : "rows were"} skipped.`),
        this.kept.length > 0 && el("li", {}, keptText(this.kept)),
        result.notes.map((text) => el("li", {}, text)),
      ),
      actions(
        el("a", { href: `/?${query}`, class: "button" }, "Inspect the samples"),
        el("a", { href: `/analyse?${query}`, class: "button" }, "Analyse"),
        button("Make a study", () => this.act.onStudy(dataset), "primary"),
      ),
    ];
  }

  /** @param {ImportJson} told */
  nothing({ problem, kind }) {
    const { onAgain } = this.act;
    return [
      el("h3", { tabindex: "-1" }, kind === "cancelled" ? "Cancelled" : "Not imported"),
      alertText(problem),
      actions(
        button(this.names.back, () => this.act.onBack()),
        kind === "rows" && onAgain &&
          button("Import the rows without errors", () => onAgain(true), "primary"),
      ),
    ];
  }
}

/** Show the rows that were refused as a table, and offer them as a file.
 * @param {string} key @param {ImportJson} told */
function refused(key, { refused: count, first_refused: first }) {
  if (!count) return [];
  const more = count > first.length
    ? ` The table has one line for rows with the same error. The CSV file lists every row.`
    : "";
  return [
    el("h4", {}, "Not imported"),
    paragraph(`${count.toLocaleString()} ${count === 1 ? "row or picture" : "rows or pictures"}.${more}`),
    table(["File", "Rows", "Field", "Why"], first, "Refused"),
    paragraph(
      el("a", { href: `/api/imports/${key}/refused.csv`, download: "refused.csv", class: "button" }, "All as CSV"),
    ),
  ];
}
