// A study as a card: its description, its raters' progress, and actions.

import { get } from "../shared/api.js";
import { el, say } from "../shared/dom.js";
import { actions, button, orSay, paragraph } from "../shared/elements.js";
import { missingPictures, ratersNeeded, strataText } from "./preview.js";
import { StudyQuality } from "./rater_quality.js";
import { StudyRaters } from "./raters.js";
import { showLife, stateText } from "./manage_dialog.js";
import { showLinks } from "./links.js";
import { showMonitor } from "./monitor.js";
import { showReport } from "./report.js";
import { showProblems } from "./problems_dialog.js";
import { warningLine } from "./warnings.js";

/** @import { Study } from "./page.js" */

const EXPORTS = ["csv", "jsonl", "parquet"];

export class StudyCard {
  /** @param {Study} study @param {() => void} onChange is called after a user has changed the study on this card */
  constructor(study, onChange) {
    this.study = study; // current state of the study, which changes when raters join
    this.facts = factsOf(study);
    this.raters = new StudyRaters(study, onChange);
    this.progress = el("p", { class: "study-progress" });
    this.workload = el("p", { class: "study-workload" });
    this.next = el("div", { class: "next-steps", hidden: true }); // next steps of a study that was made just now
    this.nextText = el("p", { role: "status" });
    this.warnings = el("div", {}); // warns of missing completion codes and of settings that have no effect
    this.quality = new StudyQuality(study, () => this.forecast());
    this.element = el(
      "article",
      { class: "study-card" },
      el(
        "header",
        {},
        el("h2", {}, study.name),
        el("span", { class: `chip state ${study.course.over ? "closed" : study.course.state}` }, stateText(study)),
        chip(study.title),
        chip(
          `${study.captions} captions, ${study.items} items`,
        ),
        chip(`data: ${study.dataset}`),
        !study.veil && chip("picture shown from the start"),
      ),
      this.next,
      study.without_picture > 0 && el("p", { class: "notice-line" }, missingPictures(study)),
      study.notice && el("p", { class: "notice-line" }, study.notice),
      this.workload,
      this.warnings,
      this.progress,
      this.raters.element,
      this.quality.element,
      studyActions(
        study,
        () => showLife(this.study, onChange, () => this.forecast()),
        onChange,
        () => this.forecast(),
      ),
      origin(study),
    );
    this.tell(study);
    this.forecast();
  }

  /** Show how many items each rater gets. */
  async forecast() {
    const shown = get(`/api/studies/${this.study.id}/workload`).then(({ words, raters, warnings }) => {
      say(this.workload, `Each rater gets ${words}.${ratersNeeded(this.study, raters)}`);
      this.warnings.replaceChildren(...warnings.map(warningLine));
    });
    await orSay(this.workload, shown);
    if (!this.next.hidden) await orSay(this.nextText, this.tellNext());
  }

  /** Say which steps a new study still needs. */
  async tellNext() {
    const [controls, links] = await Promise.all([
      get(`/api/studies/${this.study.id}/controls`),
      get(`/api/studies/${this.study.id}/links`),
    ]);
    const hasGold = controls.some(({ role, retired_at: retired }) => role === "gold" && retired === null);
    const steps = [
      !hasGold && "add items with known answers",
      !links.some(({ state }) => state === "open") && "make a link for raters",
      this.study.course.state === "draft" && "start the study under “Manage”",
    ].filter(Boolean);
    const last = steps.length > 1 ? ` and ${steps.pop()}` : "";
    say(this.nextText, steps.length || last ? `Next, ${steps.join(", ")}${last}.` : "Raters can begin.");
  }

  /** Offer the next steps of a new study, and scroll to its card. */
  offerNext() {
    this.next.hidden = false;
    const link = button("Make a link", () => showLinks(this.study, () => this.forecast()));
    this.next.replaceChildren(
      paragraph("The study is made."),
      this.nextText,
      actions(button("Add gold and practice items", () => this.quality.showControls()), link),
    );
    this.element.scrollIntoView({ block: "nearest" });
    link.focus({ preventScroll: true });
    orSay(this.nextText, this.tellNext());
  }

  /** Show how much of the study is done. Show nothing if every rater rates all items.
   * @param {Study} study */
  tell({ finished, items, raters_per_item: each, course }) {
    const wanted = each === null ? 0 : items * each;
    const isDone = wanted > 0 && finished >= wanted;
    this.progress.hidden = wanted === 0;
    say(
      this.progress,
      isDone
        ? `Complete: ${each} ${each === 1 ? "rater has" : "raters have"} rated each of the ${items} items.` +
          (course.state === "running" ? " You can close the study under Manage." : "")
        : `${finished} of ${wanted} item ratings are done (${items} items × ${each} ${
          each === 1 ? "rater" : "raters"
        }).`,
    );
  }

  /** Update the raters' progress. Return false if anything else about the study has changed.
   * @param {Study} study */
  update(study) {
    if (factsOf(study) !== this.facts) return false;
    this.study = study;
    this.tell(study);
    this.raters.show(study.raters);
    this.quality.show(study);
    return true;
  }
}

/** Return everything about a study except its raters and their progress, as text for comparison.
 * @param {Study} study */
function factsOf(study) {
  return JSON.stringify({ ...study, raters: null, finished: null });
}

/** @param {string} text */
function chip(text) {
  return el("span", { class: "chip" }, text);
}

/** Build the row of buttons of a study's card.
 * @param {Study} study @param {() => void} manage @param {() => void} onChange
 * @param {() => void} onLinks is called after a link was made or closed */
function studyActions(study, manage, onChange, onLinks) {
  const isDraft = study.course.state === "draft";
  const kind = (/** @type {boolean} */ isNext) => isNext ? "primary makes" : "button makes";
  return actions(
    el("a", { href: `/rate?study=${study.id}`, class: `${kind(!isDraft)}` }, "Rate"),
    button("Links for raters", () => showLinks(study, onLinks), "makes"),
    button("Manage", manage, `${kind(isDraft)}`),
    button("Problems", () => showProblems(study), "makes"),
    button("Monitor", () => showMonitor(study, onChange)),
    button("Report", () => showReport(study)),
    el("a", { href: `/api/studies/${study.id}/archive`, download: true, class: "button" }, "Archive"),
    EXPORTS.map((kind) =>
      el("a", { href: `/api/studies/${study.id}/export.${kind}`, download: true, class: "button" }, `Export .${kind}`)
    ),
  );
}

/** @param {Study} study */
function origin(study) {
  const { course } = study;
  const fact = (
    /** @type {string} */ name,
    /** @type {unknown} */ value,
  ) => [el("dt", {}, name), el("dd", {}, String(value))];
  return el(
    "details",
    {},
    el("summary", {}, "How the study was made"),
    el(
      "dl",
      { class: "facts" },
      fact("Form", `${study.asks}, version ${study.version}, sha256 ${study.sha256.slice(0, 12)}…`),
      study.metrics.length > 0 && fact("Metrics", study.metrics.join(", ")),
      study.criteria.length > 0 && fact("Criteria", study.criteria.join(", ")),
      fact("Captions chosen", strataText(study.strata)),
      study.pairs > 0 && fact("Captions with every metric", study.pairs),
      fact("Seed", study.seed),
      fact("Raters per item", study.raters_per_item ?? "every rater rates every item"),
      fact(
        "Items per rater",
        `${course.items_per_rater ?? "no limit"}${
          course.controls_included ? ", including practice, gold and repeated items" : ""
        }`,
      ),
      course.contact && fact("Contact for raters", course.contact),
      fact("Deadline", course.deadline ? new Date(course.deadline).toLocaleString() : "none"),
      study.raters_per_item !== null &&
        fact("Unfinished items go to others", `after ${course.hold_hours} hours of inactivity`),
      fact(
        "Picture",
        study.veil ? "hidden until the questions that need only the text are answered" : "shown from the start",
      ),
      fact("Regions", study.overlay ? "the regions that HICE-S used are shown" : "not shown"),
      fact("Explanations", study.uniform ? "uniform layout, numbers with two decimals" : "unchanged"),
      fact("Created", new Date(study.created_at).toLocaleString()),
    ),
  );
}
