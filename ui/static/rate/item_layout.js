// The layout of an item: where its elements are on the page.

import { el, explanation } from "../shared/dom.js";
import { button, quiet } from "../shared/elements.js";
import { rounded } from "../shared/rounding.js";
import { showInstructions } from "./dialogs.js";
import { showKeys } from "./keys.js";
import { buildRow, evaluator } from "./question.js";
import { placeName } from "./status.js";

/** @import { Panel, Study } from "../shared/types.d.ts" */
/** @import { ItemView } from "./item.js" */

/** Build the elements of an item and arrange them on the page. @param {ItemView} view */
export function layoutOf(view) {
  const { item, study, questions } = view, name = placeName(item.place, view.run.shelf.practice);
  const isOneCaption = study.rates === "caption" && !study.criteria.some(({ compares }) => compares);
  const judge = el(
    "div",
    { class: "judge-column" },
    !isOneCaption && el("div", { class: "panels" }, item.panels.map((panel, index) => panelOf(study, panel, index))),
    el(
      "div",
      { class: "questions" },
      study.criteria.map((one) => buildRow(study, item, questions.all.filter(({ criterion }) => criterion === one))),
    ),
  );
  judge.style.setProperty("--panels", String(item.panels.length));
  const previous = button("Previous", () => view.goBack(), "", { disabled: item.place === 1 });
  return el(
    "section",
    {
      class: `rate ${study.form === "side_by_side" ? "side-by-side" : "single"} of-${study.rates}s`,
      "aria-label": name,
      tabindex: "-1",
    },
    bar(view, `${study.title}: ${name}`),
    item.practice &&
      el("div", { class: "practice notice-line" }, el("strong", {}, "Practice."), " This item does not count."),
    el(
      "div",
      { class: "desk" },
      el(
        "div",
        { class: "picture-column" },
        view.picture.figure,
        view.caption,
        references(item.references),
        el("div", { class: "remarks" }, view.note.element, view.report.element),
      ),
      judge,
    ),
    el("footer", { class: "foot" }, previous, view.leave, questions.guideline, view.next),
    study.notice && quiet(study.notice),
  );
}

/** @param {ItemView} view @param {string} heading */
function bar(view, heading) {
  const { run, study } = view;
  const tool = (/** @type {string} */ text, /** @type {string} */ title, /** @type {() => void} */ click) =>
    button(text, click, "quiet-button", { title });
  return el(
    "header",
    { class: "bar" },
    el("h1", { class: "visually-hidden" }, heading),
    view.progress,
    run.status,
    run.ways,
    el(
      "span",
      { class: "tools" },
      tool("Instructions", "Read the instructions and all guidelines (g)", () => showInstructions(study)),
      tool("Keys", "Show the keys (?)", showKeys),
      tool(run.rater.code, "Your code and return key", () => run.page.showRater()),
    ),
  );
}

/** @param {readonly string[]} references */
function references(references) {
  return references.length > 0 && el(
    "details",
    { class: "references", open: true },
    el("summary", {}, references.length === 1 ? "A description by people" : "Descriptions by people"),
    el("ul", {}, references.map((text) => el("li", { dir: "auto" }, text))),
  );
}

/** Build a panel: a part of the item that shows a score, an explanation or a caption.
 * @param {Study} study @param {Panel} panel @param {number} index */
function panelOf(study, { value, scale, rationales, caption }, index) {
  const isOfCaptions = study.rates === "caption", isOne = study.form !== "side_by_side";
  const heading = isOfCaptions ? `Caption ${index + 1}` : evaluator(study, index);
  const name = isOne ? "Explanation" : isOfCaptions ? heading : `Explanation of ${heading}`;
  return el(
    "div",
    { class: "panel" },
    !isOne && el("h2", {}, heading),
    value !== null && gauge(value, scale),
    el(
      "div",
      { class: "words", role: "region", "aria-label": name },
      caption === null ? explanation(rationales) : el("p", { class: "compared", dir: "auto" }, `“${caption}”`),
    ),
  );
}

/** Build a score, and a bar that shows its position in its range. @param {number} value @param {[number, number]} range */
function gauge(value, [low, high]) {
  const words = (
    /** @type {number} */ end,
    /** @type {string} */ meaning,
  ) => [String(end), " ", el("span", { class: "gauge-words" }, meaning)];
  return el(
    "div",
    { class: "gauge" },
    el("span", {}, "Score"),
    el("strong", { class: "gauge-value" }, rounded(value)),
    el(
      "svg",
      { viewBox: "0 0 100 6", preserveAspectRatio: "none", class: "gauge-bar", "aria-hidden": "true" },
      el("rect", { x: 0, y: 1, width: 100, height: 4, class: "gauge-track" }),
      el("rect", { x: 0, y: 1, width: (100 * (value - low)) / (high - low), height: 4, class: "gauge-fill" }),
    ),
    el("span", { class: "quiet" }, words(low, "no match"), " … ", words(high, "perfect")),
  );
}
