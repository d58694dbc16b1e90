// Small bar plots of the probabilities with which FLEUR and EXPERT smooth a score. Each plot is about one digit of the
// score (units, first or second decimal). It shows the probability of each of the ten values that the digit can have.

import { el } from "../shared/dom.js";
import { halfUp } from "../shared/rounding.js";

const PLACES = { units: "units", p: "first decimal", q: "second decimal" };
const WIDTH = 120, HEIGHT = 36, FOOT = 12;

/** Plot the probabilities of each digit of a score. Return null if the score has no such probabilities.
 * @param {Record<string, any>} components */
export function digitPlots(components) {
  const plots = Object.entries(PLACES).filter(([name]) => Array.isArray(components[name]));
  if (!plots.length) return null;
  const sum = arithmetic(components);
  return [
    el(
      "div",
      { class: "digit-plots" },
      plots.map(([name, place]) => plot(place, components[name], components[`${name}_mass`])),
    ),
    sum && el("p", { class: "quiet arithmetic" }, sum),
  ];
}

/** Write the formula that computes a score from the probabilities of its digits, with the numbers of this score.
 * In 0.1 · Σ i·p + 0.01 · Σ i·q, p and q are the probabilities that the first and the second decimal are the digit i.
 * If the raw score is 1.0, the formula is 0.9 · P(0) + P(1), with the probabilities of the units digit. The source is
 * FLEUR, section 3.2 and appendix B. Return "" if the score does not have ten probabilities.
 * @param {Record<string, any>} components */
export function arithmetic({ p, q, units }) {
  if (units?.length === 10) {
    return `0.9 · P(0) + P(1) = 0.9 · ${halfUp(units[0], 3)} + ${halfUp(units[1], 3)} = ${
      halfUp(0.9 * units[0] + units[1], 3)
    }`;
  }
  if (p?.length !== 10) return "";
  const tenths = mean(p), terms = [`0.1 · ${halfUp(tenths, 3)}`], formula = ["0.1 · Σ i·pᵢ"];
  let value = 0.1 * tenths;
  if (q?.length === 10) {
    const hundredths = mean(q);
    value += 0.01 * hundredths;
    terms.push(`0.01 · ${halfUp(hundredths, 3)}`);
    formula.push("0.01 · Σ i·qᵢ");
  }
  return `${formula.join(" + ")} = ${terms.join(" + ")} = ${halfUp(value, 3)}`;
}

/** Return the expected value of a digit. @param {number[]} probabilities probabilities of the digits 0 to 9 */
function mean(probabilities) {
  return probabilities.reduce((sum, probability, digit) => sum + digit * probability, 0);
}

/** Plot the probabilities of one digit of a score.
 * @param {string} place @param {number[]} probabilities @param {number} [mass] total probability of all ten digits */
function plot(place, probabilities, mass) {
  const top = Math.max(...probabilities), best = probabilities.indexOf(top), step = WIDTH / probabilities.length;
  const words = `${place}: digit ${best} has probability ${halfUp(top, 3)}` +
    (mass === undefined ? "" : `; all ten digits together ${halfUp(mass, 3)}`);
  const bars = probabilities.map((probability, digit) => {
    const height = top ? (probability / top) * HEIGHT : 0;
    return [
      el("rect", {
        x: digit * step + 1,
        y: HEIGHT - height,
        width: step - 2,
        height,
        class: digit === best ? "bar best" : "bar",
      }, el("title", {}, `${digit}: ${probability}`)),
      el("text", { x: (digit + 0.5) * step, y: HEIGHT + FOOT - 2, "text-anchor": "middle" }, String(digit)),
    ];
  });
  return el(
    "figure",
    { class: "digits" },
    el(
      "svg",
      {
        viewBox: `0 0 ${WIDTH} ${HEIGHT + FOOT}`,
        width: WIDTH,
        height: HEIGHT + FOOT,
        role: "img",
        "aria-label": words,
      },
      el("line", { x1: 0, x2: WIDTH, y1: HEIGHT, y2: HEIGHT, class: "base" }),
      bars,
    ),
    el("figcaption", { class: "quiet" }, `${place}, top ${halfUp(top, 2)}`),
  );
}
