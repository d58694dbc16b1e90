// The quality of a study's raters. Flags and their reasons are always shown; users can open the measurements.

import { get, wordsOf } from "../shared/api.js";
import { arrange, el, say } from "../shared/dom.js";
import { actions, button, quiet } from "../shared/elements.js";
import { records } from "../shared/tables.js";
import { showControls } from "./controls.js";

/** @import { Answer } from "../shared/wire.d.ts" */
/** @import { Study } from "./page.js" */
/** @typedef {Answer<"GET", `/api/studies/${number}/monitor`>} MonitorAnswer */

export class StudyQuality {
  /** @param {Study} study
   * @param {() => void} onWorkload is called after the use of practice, gold or repeated items was changed */
  constructor(study, onWorkload) {
    this.study = study;
    this.onWorkload = onWorkload;
    this.progress = ""; // the raters' progress when their quality was last measured
    this.isSeen = false;
    this.flagged = el("ul", { class: "flagged" });
    this.problem = el("p", { class: "problem", role: "alert", hidden: true });
    this.state = el("span", { class: "quiet" });
    this.table = el("div", {});
    this.details = el(
      "details",
      { class: "quality" },
      el("summary", {}, "Quality ", this.state),
      this.table,
      actions(
        button("Gold, repeats, practice", () => this.showControls(), "makes"),
      ),
      quiet(
        "A flag means that you should look at the rater’s answers. It deletes nothing and does not exclude the rater from the report.",
      ),
    );
    this.element = el("div", {}, this.flagged, this.problem, this.details);
    this.show(study);
    new IntersectionObserver(([{ isIntersecting }]) => {
      this.isSeen = isIntersecting;
      this.refresh();
    }).observe(this.element);
  }

  /** Take the study's newest data. If raters have answered more items and the card is in sight, measure quality again.
   * @param {Study} study */
  show(study) {
    this.study = study;
    this.refresh();
  }

  async refresh() {
    const progress = JSON.stringify(this.study.raters);
    if (!this.isSeen || progress === this.progress || !this.study.raters.length) return;
    this.progress = progress;
    try {
      this.draw(await get(`/api/studies/${this.study.id}/monitor`));
      this.tell("");
    } catch (error) {
      this.progress = ""; // forget the progress, so that the next update of the study measures again
      this.tell(wordsOf(error));
    }
  }

  /** @param {string} text */
  tell(text) {
    this.problem.hidden = !text;
    say(this.problem, text);
  }

  /** @param {MonitorAnswer} found */
  draw(found) {
    const { table, flagged } = found;
    arrange(
      this.flagged,
      flagged.map(({ code, flags }) =>
        el("li", {}, el("strong", {}, code), flags.map((flag) => el("span", { class: "flag" }, flag)))
      ),
    );
    const counted = table.rows.filter(({ excluded }) => !excluded).length;
    const number = `${flagged.length} of ${counted} ${counted === 1 ? "rater" : "raters"}`;
    say(this.state, flagged.length ? `– ${number} flagged` : counted ? "– no rater flagged" : "");
    const columns = table.columns.filter(({ fields }) => fields[0] !== "flagged"); // the page shows flags above the table
    const shown = records({ ...table, columns }, { file: `${this.study.name} raters` });
    this.table.replaceChildren(...(table.rows.length ? [shown] : []));
  }

  showControls() {
    return showControls(this.study, (found) => this.draw(found), this.onWorkload);
  }
}
