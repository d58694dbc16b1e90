// A study's results on the Analyse page: mean ratings and tests, agreement between raters, and ratings beside the
// errors of the scores.

import { get, latest } from "../shared/api.js";
import { el, field, present } from "../shared/dom.js";
import { paragraph, picker, quiet } from "../shared/elements.js";
import { begin, shown } from "../shared/long_work.js";
import { records } from "../shared/tables.js";
import { fold, unfold } from "./folding.js";
import { drawDistribution, drawMeans, studyFigure } from "./study_plots.js";
import { problem } from "../shared/notices.js";

/** @import { StudyResults as Results } from "../shared/wire.d.ts" */
const NO_RATING_COUNTS = "No rating counts so far. All ratings are from a pilot, excluded raters or reassigned items.";
/** @typedef {ReturnType<typeof studyFigure>} Figure */

export class StudyResults {
  constructor() {
    this.section = el("section", { class: "analyse-section", "aria-labelledby": "study-results" });
    this.body = el("div");
    /** @type {Figure[]} */
    this.figures = [];
    this.turn = latest();
  }

  /** Offer the studies of a data set, newest first. A study's results are computed when they come into view.
   * @param {string} dataset */
  async open(dataset) {
    const head = el("h2", { id: "study-results" }, "Study results");
    this.figures = [];
    this.waiting?.disconnect();
    let studies;
    try {
      studies = await get(`/api/analyse/studies?${new URLSearchParams({ dataset })}`);
    } catch (error) {
      return this.section.replaceChildren(head, problem(error, () => this.open(dataset)));
    }
    if (!studies.length) {
      const make = el("a", { class: "button makes", href: "/studies" }, "Make a study");
      return fold(this.section, head, "No study of this data set yet.", make);
    }
    const choose = picker({ id: "study" }, studies.map(({ id, name }) => [id, name]), null, (id) => {
      this.load(Number(id));
    });
    this.body.replaceChildren();
    unfold(this.section);
    this.section.replaceChildren(
      head,
      field("Study", choose),
      this.body,
    );
    this.waiting = new IntersectionObserver(([{ isIntersecting }]) => {
      if (!isIntersecting) return;
      this.waiting.disconnect();
      this.load(Number(choose.value));
    });
    this.waiting.observe(this.section);
  }

  /** @param {number} id */
  async load(id) {
    const isLast = this.turn();
    this.body.replaceChildren();
    try {
      const what = "Computing means, tests, agreement and their intervals";
      const found = await shown(this.body, begin(`/api/analyse/studies/${id}`), what);
      if (!isLast()) return;
      this.figures = found.ratings ? figures(found) : [];
      this.body.replaceChildren(...parts(found, this.figures));
      this.redraw();
    } catch (error) {
      if (isLast()) this.body.replaceChildren(problem(error, () => this.load(id)));
    }
  }

  /** Draw the figures again in the current colours. */
  redraw() {
    for (const figure of this.figures) figure.redraw();
  }
}

/** @param {Results} found */
function figures(found) {
  const several = found.scales.length > 1; // ratings on different scales cannot be compared in one figure
  return found.scales.flatMap(({ points, criteria }) => {
    const on = (/** @type {{criterion: string}} */ row) => criteria.includes(row.criterion);
    const rows = found.means.rows.filter(on), shares = found.distribution.rows.filter(on);
    if (!rows.length) return [];
    const scale = several ? ` on the scale ${points[0]}–${points.at(-1)}` : "";
    const name = (/** @type {string} */ what) => `${found.study} ${what}${scale}`;
    return [
      studyFigure(`Mean ratings with 95 % intervals${scale}`, rows, name("means"), drawMeans(rows, points)),
      studyFigure(
        `Distribution of ratings${scale} (${
          shares.some(({ point }) => point < 0) ? "0: abstained; -1: no picture" : "0: abstained"
        })`,
        shares,
        name("distribution"),
        drawDistribution(shares, points),
      ),
    ];
  });
}

/** @param {Results} found @param {Figure[]} drawn */
function parts(found, drawn) {
  if (!found.ratings) {
    const left = found.left_out.rows.length > 0;
    return present(
      paragraph(left ? NO_RATING_COUNTS : "Nobody has rated yet. Send raters the study’s link."),
      left && records(found.left_out, { file: `${found.study} left out` }),
      paragraph(el("a", { class: "button", href: "/studies" }, "Go to the study")),
    );
  }
  return present(
    found.notice && el("p", { class: "notice-line" }, found.notice),
    quiet(
      `${found.ratings.toLocaleString()} ratings by ${found.raters} ${
        found.raters === 1 ? "rater" : "raters"
      }. Intervals are bootstrapped over items; “cannot judge” answers are counted, but are not part of the mean.`,
    ),
    el("div", { class: "study-figures" }, drawn.map(({ node }) => node)),
    records(found.means, { file: `${found.study} ratings` }),
    (found.tests.rows.length > 0 || found.tests.footnote) &&
      records(found.tests, { file: `${found.study} differences` }),
    ...agreement(found),
    found.positions.rows.length > 0 && records(found.positions, { file: `${found.study} places` }),
    found.positions.rows.length > 0 &&
      quiet(
        "The table shows how far ratings at each position on the page differ from the same rater’s mean on that page.",
      ),
    records(found.rater_table, { file: `${found.study} raters` }),
    quiet(
      "Severity is the mean rating of the other raters on the same questions minus this rater’s rating, as a share of the scale. Above 0, the rater is stricter.",
    ),
    ...ratingErrors(found),
    ...methods(found),
  );
}

/** Show how the study was made and run. @param {Results} found */
function methods(found) {
  return [records(found.methods, { file: `${found.study} methods` }), paragraph(found.paragraph)];
}

/** @param {Results} found */
function agreement({ agreement: found, study }) {
  if (!found.rows.length) {
    return [quiet("Raters cannot be compared, because all of them always chose “cannot judge”.")];
  }
  return [
    records(found, { file: `${study} agreement` }),
    quiet(
      "“By chance alone” is the agreement expected from independent raters who use the points equally often. If most ratings are high, raters often agree by chance.",
    ),
  ];
}

/** @param {Results} found */
function ratingErrors({ rating_errors: found, rating_errors_test: test, low, study }) {
  if (!found.rows.length) {
    return [
      quiet(
        "Ratings cannot be compared with score errors, because no rated sample has a human judgement of its caption.",
      ),
    ];
  }
  return [
    records(found, { file: `${study} ratings and score errors` }),
    quiet(
      `A low rating is a mean of ${low}. Test: ${test}. A negative τ-b means that low ratings occur with large errors.`,
    ),
  ];
}
