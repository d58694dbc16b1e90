// Small bar charts of the probabilities with which FLEUR and EXPERT smooth a score. Each chart is about one digit of the
// score (units, first or second decimal). It shows the probability of each of the ten values that the digit can have.

import { el } from "../shared/dom.js";
import { halfUp } from "../shared/rounding.js";

const PLACES = { units: "units", p: "first decimal", q: "second decimal" };

/** Draw the probabilities of each digit of a score. Return null if the score has no such probabilities.
 * @param {Record<string, any>} components */
export function digitCharts(components) {
  const charts = Object.entries(PLACES).filter(([name]) => Array.isArray(components[name]));
  if (!charts.length) return null;
  const sum = arithmetic(components);
  return [
    el("div", { class: "digit-charts" }, charts.map(([name, place]) => chart(place, components[name]))),
    sum && el("p", { class: "quiet arithmetic" }, sum),
  ];
}

/** Write the formula that computes a score from the probabilities of its digits, with the numbers of this score.
 * In 0.1 · Σ i·p + 0.01 · Σ i·q, p and q are the probabilities that the first and the second decimal are the digit i.
 * If the raw score is 1.0, the formula is 0.9 · P(0) + P(1), with the probabilities of the units digit. The source is
 * FLEUR, section 3.2 and appendix B. Return "" if the score does not have ten probabilities.
 * @param {Record<string, any>} components */
export function arithmetic({ p, q, units }) {
  const shown = (/** @type {number} */ number) => halfUp(number, 3);
  const mean = (/** @type {number[]} */ digits) => digits.reduce((sum, one, digit) => sum + digit * one, 0);
  if (units?.length === 10) {
    const [none, one] = units;
    return `0.9 · P(0) + P(1) = 0.9 · ${shown(none)} + ${shown(one)} = ${shown(0.9 * none + one)}`;
  }
  if (p?.length !== 10) return "";
  const tenths = mean(p);
  if (q?.length !== 10) return `0.1 · Σ i·pᵢ = 0.1 · ${shown(tenths)} = ${shown(0.1 * tenths)}`;
  const hundredths = mean(q), value = 0.1 * tenths + 0.01 * hundredths;
  return `0.1 · Σ i·pᵢ + 0.01 · Σ i·qᵢ = 0.1 · ${shown(tenths)} + 0.01 · ${shown(hundredths)} = ${shown(value)}`;
}

/** Draw the probabilities of one digit of a score. @param {string} place @param {number[]} probabilities */
function chart(place, probabilities) {
  const top = Math.max(...probabilities), best = probabilities.indexOf(top);
  const words = `${place}: digit ${best} has probability ${halfUp(top, 3)}`;
  const bars = probabilities.map((probability, digit) =>
    el(
      "span",
      {
        class: digit === best && "best",
        style: `--share: ${top && probability / top}`,
        title: `${digit}: ${probability}`,
      },
      digit,
    )
  );
  return el(
    "figure",
    { class: "digits" },
    el("div", { role: "img", "aria-label": words }, bars),
    el("figcaption", { class: "quiet" }, `${place}, top ${halfUp(top, 2)}`),
  );
}
