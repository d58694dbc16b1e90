// The form "Frequency": how often gold and repeated items occur, and after how many failed gold items a rater is stopped.

import { get, latest, request, wordsOf } from "../shared/api.js";
import { el, field, say } from "../shared/dom.js";
import { paragraph, quiet, statusText, submitButton } from "../shared/elements.js";
import { Conflict } from "./conflict.js";
import { warningLine } from "./warnings.js";

/** @import { Study } from "./page.js" */
/** @import { MonitorAnswer } from "./rater_quality.js" */

const PAUSE_MS = 300; // ms after the last keypress, before the forecast is fetched

/** Build the form that sets how often raters get gold items (with known answers) and repeated items.
 * The form shows the server's forecast of how many items each rater then gets.
 * @param {Study} study @param {MonitorAnswer} found @param {HTMLElement} problem
 * @param {(found: MonitorAnswer) => void} onChange
 * @returns {{element: HTMLElement, forecast: () => Promise<void>}} */
export function frequencyForm(study, found, problem, onChange) {
  const turn = latest();
  /** @type {ReturnType<typeof setTimeout>} */
  let timer;
  const often = (/** @type {string} */ id, /** @type {number | null} */ value) =>
    el("input", {
      id,
      type: "number",
      min: 2,
      max: 1000,
      value: value ?? "",
      inputmode: "numeric",
      input: () => {
        clearTimeout(timer);
        timer = setTimeout(forecast, PAUSE_MS);
      },
    });
  const gold = often("gold-every", found.gold_every), repeat = often("repeat-every", found.repeat_every);
  const stop = often("stop-after-gold", found.stop_after_gold);
  stop.min = "1";
  const meets = statusText();
  const warnings = el("div", { role: "status" });
  const number = (/** @type {HTMLInputElement} */ input) => input.value ? Number(input.value) : null;
  async function forecast(saved = "") {
    if (!stop.validity.valid || !gold.validity.valid || !repeat.validity.valid) {
      return say(meets, "Each number must be a whole number up to 1000. Gold and repeated items need at least 2.");
    }
    const isLast = turn();
    try {
      const tried = `gold_every=${number(gold) ?? 0}&repeat_every=${number(repeat) ?? 0}&stop_after_gold=${
        number(stop) ?? 0
      }`;
      const workload = await get(`/api/studies/${study.id}/workload?${tried}`);
      if (!isLast()) return;
      say(meets, `${saved}Each rater gets ${workload.words}. ${reasons()}`);
      warnings.replaceChildren(...workload.warnings.map(warningLine));
    } catch (error) {
      if (isLast()) say(meets, wordsOf(error));
    }
  }
  const reasons = () =>
    "Practice, gold and repeated items are added to the study’s own items. A repeated item comes at least ten items after its first " +
    "appearance, so short studies have none. A flag needs at least two gold answers.";
  /** @type {Conflict<{gold_every: number | null, repeat_every: number | null, stop_after_gold: number | null}>} */
  const conflict = new Conflict({
    names: {
      gold_every: "One gold item in every … items",
      repeat_every: "One repeated item in every … items",
      stop_after_gold: "Stop a rater after … failed gold items",
    },
    mine: () => ({ gold_every: number(gold), repeat_every: number(repeat), stop_after_gold: number(stop) }),
    show: (theirs) => {
      gold.value = String(theirs.gold_every ?? "");
      repeat.value = String(theirs.repeat_every ?? "");
      stop.value = String(theirs.stop_after_gold ?? "");
      forecast();
    },
    load: async () => {
      found = await get(`/api/studies/${study.id}/monitor`);
      return { values: oftenIn(found), stamp: found.stamp };
    },
    send: async (mine, stamp) => {
      found = await request("PUT", `/api/studies/${study.id}/watch`, { ...mine, stamp });
      clearTimeout(timer); // without this, a late forecast would replace "Saved."
      await forecast("Saved. ");
      onChange(found);
      return { values: oftenIn(found), stamp: found.stamp };
    },
  });
  conflict.open(oftenIn(found), found.stamp);
  const element = el(
    "form",
    {
      class: "propose",
      submit: (/** @type {Event} */ event) => conflict.submit(event, problem),
    },
    el("h3", {}, "Frequency"),
    field("One gold item in every … items (empty: none)", gold),
    field("One repeated item in every … items (empty: none)", repeat),
    field("Stop a rater after … failed gold items (empty: never)", stop),
    quiet(
      "The answers of a stopped rater are kept, but results exclude them and state this reason. " +
        "You can include them again.",
    ),
    warnings,
    conflict.element,
    paragraph(submitButton("Save")),
    meets,
  );
  return { element, forecast: () => forecast() };
}

/** @param {MonitorAnswer} found */
function oftenIn({ gold_every, repeat_every, stop_after_gold }) {
  return { gold_every, repeat_every, stop_after_gold };
}
