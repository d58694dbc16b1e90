// A study's results on the Analyse page: means and tests, agreement between raters, ratings beside score errors.

import { get, getSlowly, latest } from "../shared/api.js";
import { el, field } from "../shared/dom.js";
import { interval, number, records, share } from "../shared/tables.js";
import { drawDistribution, drawMeans, studyFigure } from "./study_plots.js";
import { problem, working } from "../shared/notices.js";

/** @import { StudyResults as Results } from "../shared/wire.d.ts" */
/** @typedef {ReturnType<typeof studyFigure>} Figure */

export class StudyResults {
  constructor() {
    this.section = el("section", { class: "analyse-section", "aria-labelledby": "study-results" });
    this.body = el("div");
    /** @type {Figure[]} */
    this.figures = [];
    this.turn = latest();
  }

  /** Offer the studies of a data set, its newest first; results are computed once they come into sight.
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
      return this.section.replaceChildren(
        head,
        el("p", {}, "No study of this data set yet. Make one to have its explanations rated."),
        el("p", {}, el("a", { class: "button", href: "/studies" }, "Make a study")),
      );
    }
    const choose = el(
      "select",
      { id: "study", change: () => this.load(Number(choose.value)) },
      studies.map(({ id, name }) => el("option", { value: id }, name)),
    );
    this.body.replaceChildren();
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
    this.body.replaceChildren(working("Computing means, tests and agreement with their intervals").node);
    try {
      const found = await getSlowly(`/api/analyse/studies/${id}`);
      if (!isLast()) return;
      this.figures = found.ratings ? figures(found) : [];
      this.body.replaceChildren(...parts(found, this.figures));
      this.redraw();
    } catch (error) {
      if (isLast()) this.body.replaceChildren(problem(error, () => this.load(id)));
    }
  }

  /** Draw the figures again, in the colours of now. */
  redraw() {
    for (const figure of this.figures) figure.redraw();
  }
}

/** @param {Results} found */
function figures(found) {
  const several = found.scales.length > 1; // one figure a scale: 3 is not the same on four points and on seven
  return found.scales.flatMap(({ points, criteria }) => {
    const on = (row) => criteria.includes(row.criterion);
    const rows = found.rows.filter(on), shares = found.distribution.filter(on);
    if (!rows.length) return [];
    const scale = several ? ` on the scale ${points[0]}–${points.at(-1)}` : "";
    const name = (what) => `${found.study} ${what}${scale}`;
    return [
      studyFigure(`Mean ratings with 95 % intervals${scale}`, rows, name("means"), drawMeans(rows, points)),
      studyFigure(
        `Distribution of ratings${scale} (0: abstained)`,
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
    return [
      el("p", {}, "Nobody has rated yet. Send raters the study’s link."),
      el("p", {}, el("a", { class: "button", href: "/studies" }, "Go to the study")),
    ];
  }
  return [
    found.notice && el("p", { class: "notice-line" }, found.notice),
    el(
      "p",
      { class: "quiet" },
      `${found.ratings.toLocaleString()} ratings by ${found.raters} ${
        found.raters === 1 ? "rater" : "raters"
      }. Intervals are bootstrapped over items; abstentions are counted, never averaged.`,
    ),
    el("div", { class: "study-figures" }, drawn.map(({ node }) => node)),
    ratings(found),
    found.tests.length > 0 && tests(found),
    ...agreement(found),
    ...ratingErrors(found),
  ].filter(Boolean);
}

/** @param {Results} found */
function ratings({ rows, study }) {
  return records(
    "Ratings",
    [
      ["metric", (row) => row.metric],
      ["criterion", (row) => row.criterion],
      ["scale", (row) => row.scale],
      ["n", (row) => row.n.toLocaleString()],
      ["mean", (row) => number(row.mean)],
      ["sd", (row) => number(row.sd)],
      ["95 % interval", (row) => interval(row)],
      ["abstained", (row) => share(row.abstain_rate)],
      ["published mean (sd)", (row) => row.published],
      ["note", (row) => row.remark],
    ],
    rows,
    { file: `${study} ratings` },
  );
}

/** @param {Results} found */
function tests({ tests: rows, study }) {
  return records(
    "Differences between metrics",
    [
      ["criterion", (row) => row.criterion],
      ["metrics", (row) => `${row.metric_a} − ${row.metric_b}`],
      ["items", (row) => row.n_items.toLocaleString()],
      ["difference", (row) => number(row.mean_difference)],
      ["p", (row) => number(row.p)],
      ["p (Holm)", (row) => number(row.p_holm)],
      ["note", (row) => row.note],
    ],
    rows,
    { file: `${study} differences`, name: "Differences between metrics (Wilcoxon signed-rank on item means, Holm)" },
  );
}

/** @param {Results} found */
function agreement({ agreement: agreements, study }) {
  if (!agreements.length) {
    return [el("p", { class: "quiet" }, "Raters cannot be compared: all of them abstained throughout.")];
  }
  const rows = agreements.flatMap(({ criterion, metric, agreement: { coefficients, ...counts } }) =>
    coefficients.map((coefficient) => ({ criterion, metric: metric ?? "all", ...counts, ...coefficient }))
  );
  return [
    records(
      "Agreement between raters",
      [
        ["criterion", (row) => row.criterion],
        ["metric", (row) => row.metric],
        ["coefficient", (row) => row.name],
        ["value", (row) => number(row.value)],
        ["95 % interval", (row) => interval(row)],
        ["by chance alone", (row) => number(row.chance)],
        ["raters", (row) => row.raters],
        ["shared items", (row) => row.shared_units.toLocaleString()],
        ["note", (row) => row.note],
      ],
      rows,
      { file: `${study} agreement` },
    ),
    el(
      "p",
      { class: "quiet" },
      "“By chance alone” is what independent raters with these marginals would reach: top-heavy ratings agree often without agreeing about anything.",
    ),
  ];
}

/** @param {Results} found */
function ratingErrors({ rating_errors: rows, rating_errors_test: test, low, study }) {
  if (!rows.length) {
    return [
      el(
        "p",
        { class: "quiet" },
        "Ratings cannot be set beside score errors: no rated sample has a human judgement of its caption.",
      ),
    ];
  }
  return [
    records(
      "Ratings beside score errors",
      [
        ["metric", (row) => row.metric],
        ["criterion", (row) => row.criterion],
        ["n", (row) => row.n.toLocaleString()],
        ["low ratings", (row) => row.n_low.toLocaleString()],
        ["their error", (row) => number(row.error_low, "no low ratings")],
        ["error of others", (row) => number(row.error_other, "no other ratings")],
        ["τ-b", (row) => number(row.tau_b)],
        ["p", (row) => number(row.p)],
        ["p (Holm)", (row) => number(row.p_holm)],
        ["note", (row) => row.note],
      ],
      rows,
      { file: `${study} ratings beside errors` },
    ),
    el(
      "p",
      { class: "quiet" },
      `A low rating is a mean of ${low}. Test: ${test}. A negative τ-b says that low ratings go with large errors.`,
    ),
  ];
}
