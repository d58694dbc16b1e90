// The forecast of a new study: raters, hours and cost, and the chance to show a difference between metrics.

import { get, latest, post, wordsOf } from "../shared/api.js";
import { el, field, say } from "../shared/dom.js";
import { alertText, paragraph, picker, quiet, statusText } from "../shared/elements.js";

/** @import { Answer, Body } from "../shared/wire.d.ts" */
/** @typedef {Answer<"POST", "/api/studies/preview">} Plan */
/** @typedef {Answer<"POST", "/api/studies/forecast">} Forecast */
/** @typedef {Required<Body<"POST", "/api/studies/forecast">>} Question */
/** @typedef {{plan: Plan, raters: number, isShared: boolean, perRater: number | null, metrics: number, criteria: number}} Sketch */

const PAUSE_MS = 400; // ms after the last keypress, before the forecast is computed
/** @type {[string, string][]} */
const TYPICAL = [["explanations", "typical explanations"], ["captions", "typical captions"]];
/** @type {[string, string, string, string][]} key, label, default value and step of each number field */
const FIELDS = [
  ["raters", "Raters that you can invite", "", "1"],
  ["drop_out", "Raters who leave, in %", "10", "1"],
  ["fee", "Platform’s fee, in % of the pay", "", "0.1"],
  ["practice", "Practice items", "", "1"], // empty: the number in the preview of the study
  ["gold_every", "One gold item in every … items", "", "1"],
  ["difference", "Difference to detect, in points", "0.2", "0.05"],
];

/** The part of the wizard's last step that computes how many raters and hours, and how much money, a study needs. */
export class ForecastPart {
  constructor() {
    this.turn = latest();
    this.problem = alertText();
    this.status = statusText();
    this.sight = el("div", { class: "forecast-answer", "aria-live": "polite" });
    /** @type {Sketch | null} */
    this.sketch = null;
    this.currency = "";
    /** @type {number | null} */
    this.hourlyRate = null;
    /** @type {number | null} */
    this.reward = null;
    const soon = () => this.soon();
    /** @type {Map<string, HTMLInputElement>} */
    this.inputs = new Map(FIELDS.map(([key, , value, step]) => [
      key,
      el("input", { id: `forecast-${key}`, type: "number", min: 0, step, value, input: soon }),
    ]));
    this.like = picker({ id: "forecast-like" }, TYPICAL, TYPICAL[0][0], () => this.compute());
    this.element = el(
      "details",
      { class: "forecast", toggle: () => this.element.open && this.open() },
      el("summary", {}, "Raters, hours, cost and power"),
      el(
        "div",
        { class: "numbers" },
        FIELDS.map(([key, label]) => field(label, /** @type {HTMLInputElement} */ (this.inputs.get(key)))),
        field("Assume ratings like those of", this.like),
      ),
      this.status,
      this.problem,
      this.sight,
    );
  }

  /** Use the pay that the user has typed as the pay in the forecast.
   * @param {{currency: string, hourly_rate: string, reward: string}} terms */
  pay({ currency, hourly_rate, reward }) {
    const amount = (/** @type {string} */ typed) =>
      currency !== "" && /^\d+(\.\d{1,2})?$/.test(typed) ? Number(typed) : null;
    this.currency = currency;
    this.hourlyRate = amount(hourly_rate);
    this.reward = amount(reward);
    if (this.element.open) this.soon();
  }

  /** Use a new preview of the study for the forecast. @param {Sketch | null} sketch what the forecast needs from it */
  show(sketch) {
    this.sketch = sketch;
    const practice = this.inputs.get("practice");
    if (practice) practice.placeholder = String(sketch?.plan.workload.practice ?? 0);
    if (this.element.open) this.compute();
  }

  async open() {
    this.compute();
    if (this.like.options.length > TYPICAL.length) return;
    const studies = await get("/api/studies");
    this.like.append(...studies.map(({ name }) => el("option", { value: name }, `the study ${name}`)));
  }

  /** Compute the forecast after a short pause in typing. */
  soon() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.compute(), PAUSE_MS);
  }

  /** @param {string} key */
  number(key) {
    const { value } = /** @type {HTMLInputElement} */ (this.inputs.get(key));
    return value === "" ? null : Number(value);
  }

  /** @param {Sketch} sketch @returns {Question} */
  question({ plan, raters, isShared, perRater, metrics, criteria }) {
    return {
      items: plan.items,
      ratings_per_item: raters,
      items_per_rater: perRater ?? (isShared ? plan.items : null),
      practice: this.number("practice") ?? plan.workload.practice,
      gold_every: this.number("gold_every") || null,
      repeat_every: null,
      item_seconds: plan.workload.item_seconds,
      opening_seconds: plan.opening_seconds,
      drop_out: (this.number("drop_out") ?? 0) / 100,
      hourly_rate: this.hourlyRate,
      reward: this.reward,
      fee: (this.number("fee") ?? 0) / 100,
      like: this.like.value,
      difference: metrics > 1 && criteria ? this.number("difference") || null : null,
      metrics: Math.max(2, metrics),
      criteria: Math.max(1, criteria),
      raters: this.number("raters") || null,
      samples: plan.compared,
    };
  }

  /** Let the server compute the forecast. Only the response to the latest request is shown. */
  async compute() {
    const isLast = this.turn();
    if (!this.sketch?.plan.items) return this.sight.replaceChildren();
    say(this.status, "Simulating studies …");
    try {
      const question = this.question(this.sketch);
      const answer = await post("/api/studies/forecast", question);
      if (!isLast()) return;
      this.sight.replaceChildren(...wordsOfForecast(answer, question, this.currency));
      say(this.problem, "");
    } catch (error) {
      if (!isLast()) return;
      this.sight.replaceChildren();
      say(this.problem, wordsOf(error));
    }
    say(this.status, "");
  }
}

/** @param {number} value @param {string} currency */
const money = (value, currency) => value.toLocaleString(undefined, { style: "currency", currency });
/** @param {number} share */
const percent = (share) => `${Math.round(100 * share)} %`;

/** Describe the forecast in words and tables.
 * @param {Forecast} answer @param {Question} question @param {string} currency */
function wordsOfForecast({ forecast, coverage, source, tests, rows }, question, currency) {
  const { raters, starting, announced, each, hours, pay_each, pay, fee, cost, item_ratings } = forecast;
  const invited = starting > raters ? `; invite ${starting.toLocaleString()}, because some leave before the end` : "";
  const costs = cost !== null && paragraph(
    `Pay: ${money(pay_each ?? 0, currency)} for each rater${
      question.reward !== null && (pay_each ?? 0) > question.reward ? " with a bonus" : ""
    }, `,
    el("strong", {}, money(pay ?? 0, currency)),
    " in total.",
    fee ? ` With the platform’s fee of ${money(fee, currency)}, the total is ${money(cost, currency)}.` : "",
  );
  const power = question.difference !== null && [
    ...rows.map((row) => paragraph(powerOf(row, question))),
    quiet(
      `Simulated with the report’s Wilcoxon test at 5 % and Holm’s correction for ${tests} ${
        tests === 1 ? "test" : "tests"
      }. ${source}`,
    ),
  ];
  return [
    paragraph(
      el("strong", {}, counted(raters, "rater")),
      `${invited}. Each rater gets ${workloadOf(each)}, about ${counted(announced, "minute")}. This is ${
        hours.toFixed(1)
      } hours in total, for ${counted(item_ratings, "item rating")}.`,
    ),
    ...[costs, coverage && coverageOf(coverage, question.items, currency), power].flat().filter((one) =>
      one !== false && one !== null
    ),
  ];
}

/** State how many items of each kind a rater gets. @param {Forecast["forecast"]["each"]} each */
function workloadOf({ items, practice, gold, repeats }) {
  return [
    counted(items, "item"),
    practice > 0 && `${practice} practice`,
    gold > 0 && `${gold} gold`,
    repeats > 0 && counted(repeats, "repeat"),
  ].filter(Boolean).join(" + ");
}

/** Say how many items the invited raters can rate. @param {NonNullable<Forecast["coverage"]>} covered
 * @param {number} all number of items of the study @param {string} currency */
function coverageOf(covered, all, currency) {
  const { invited, finishing, working, item_ratings, items, hours, pay, fee, cost } = covered;
  const finish = finishing === invited ? "" : `, ${finishing.toLocaleString()} of them finish`;
  const enough = working < finishing ? ` ${counted(working, "rater")} ${working === 1 ? "is" : "are"} enough.` : "";
  const fees = fee ? ` with the platform’s fee of ${money(fee, currency)}` : "";
  const costs = cost === null
    ? ""
    : fees
    ? ` They cost ${money(cost, currency)}${fees}.`
    : ` Their pay is ${money(pay ?? 0, currency)}.`;
  return paragraph(
    el("strong", {}, `If you invite ${counted(invited, "rater")}`),
    `${finish}: they give ${counted(item_ratings, "item rating")} in ${hours.toFixed(1)} hours. ${
      items === null ? eachOf(covered) : `${items.toLocaleString()} of ${counted(all, "item")} get all their ratings.`
    }${enough}${costs}`,
  );
}

/** Say how many ratings each item gets, in a study in which every rater rates every item.
 * @param {NonNullable<Forecast["coverage"]>} covered */
function eachOf({ ratings_per_item: each, items_with_more: more }) {
  return `Each item gets ${counted(each, "rating")}${more ? `, and ${counted(more, "item")} one more` : ""}.`;
}

/** @param {number} number @param {string} what */
function counted(number, what) {
  return `${number.toLocaleString()} ${what}${number === 1 ? "" : "s"}`;
}

/** @param {Forecast["rows"][number]} row @param {Question} question */
function powerOf({ criterion, power, needed, note }, { items, difference }) {
  const name = criterion ? `${criterion}: ` : "";
  if (power === null) return `${name}${note}`;
  const counts = needed.map(([wanted, number]) =>
    `${number === null ? "more than 5,000" : number.toLocaleString()} items for a probability of ${percent(wanted)}`
  );
  return `${name}${items.toLocaleString()} items show a difference of ${difference} points with ${
    percent(power)
  } probability (${counts.join(", ")}).`;
}
