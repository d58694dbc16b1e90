// Gold and practice items of a study: the existing items, how often gold and repeats occur, and new items. New items
// are made from the study's data, and approved before raters get them.

import { get, latest, post, remove, request, wordsOf } from "../shared/api.js";
import { all, dialog, el, explanation, field, gauge, say } from "../shared/dom.js";
import { actions, alertText, button, orSay, paragraph, quiet, statusText, submitButton } from "../shared/elements.js";
import { Conflict } from "./conflict.js";
import { plannedPractice } from "./planned_practice.js";
import { warningLine } from "./warnings.js";

/** @import { Answer, Body } from "../shared/wire.d.ts" */
/** @import { Study } from "./page.js" */
/** @import { MonitorAnswer } from "./rater_quality.js" */
/** @typedef {Answer<"GET", `/api/studies/${number}/controls`>[number]} Control */
/** @typedef {Control["made"]} Made */
/** @typedef {Body<"POST", `/api/studies/${number}/controls`>["role"]} ControlRole */

const PAUSE_MS = 300; // ms after the last keypress, before the forecast is fetched
const HERE = "this machine"; // name of the person who approves items, if sign-in is off
const MAKINGS = { swapped: "an explanation of another picture", turned: "an inverted score" };

/** Show the dialog in which gold and practice items are made and approved.
 * @param {Study} study @param {(found: MonitorAnswer) => void} onWatch gets the new thresholds and frequencies
 * @param {() => void} onWorkload is called after the number of items per rater changed */
export async function showControls(study, onWatch, onWorkload) {
  const problem = alertText();
  const list = el("div", { class: "controls" }), fresh = el("div", { class: "controls" });
  const box = dialog(
    `Gold, repeated and practice items of ${study.name}`,
    paragraph(
      "These items are made from the study’s data, so their right answers are known. Gold items look like other items. Practice items come first, and then show the right answer. Results exclude both kinds.",
    ),
    problem,
    list,
  );
  box.classList.add("wide", "capscope");
  let forecast = () => {}; // function that shows each rater's new number of items
  try {
    const [found, there, makings] = await Promise.all([
      get(`/api/studies/${study.id}/monitor`),
      get(`/api/studies/${study.id}/controls`),
      get(`/api/studies/${study.id}/controls/makings`),
    ]);
    const often = oftenOf(study, found, problem, (changed) => {
      onWatch(changed);
      onWorkload();
    });
    forecast = () => {
      often.forecast();
      onWorkload();
    };
    often.forecast();
    list.replaceChildren(...thereOf(study, there, problem, forecast));
    list.before(
      often.element,
      makings.length
        ? proposing(makings)
        : paragraph("No such items can be made, because this form has no suitable question."),
      fresh,
    );
  } catch (error) {
    say(problem, wordsOf(error));
  }

  /** @param {readonly Made["making"][]} makings */
  function proposing(makings) {
    const making = el("select", { id: "making" }, makings.map((one) => el("option", { value: one }, MAKINGS[one])));
    const count = el("input", { id: "made-count", type: "number", min: 1, max: 100, value: 10, required: true });
    return el(
      "form",
      { class: "propose", submit: (event) => propose(event, making, count) },
      el("h3", {}, "Make gold or practice items"),
      quiet(
        `Propose items, select the clearly wrong ones, and use them as gold or practice.${plannedPractice(study.id)}`,
      ),
      field("Make items from", making),
      field("How many", count),
      paragraph(submitButton("Propose")),
    );
  }

  /** Fetch proposals for new items.
   * @param {Event} event @param {HTMLSelectElement} making menu of ways to make items
   * @param {HTMLInputElement} count field for the number of proposals */
  async function propose(event, making, count) {
    event.preventDefault();
    try {
      const made = await post(`/api/studies/${study.id}/controls/proposals`, {
        making: /** @type {Made["making"]} */ (making.value),
        count: Number(count.value),
        seed: Math.floor(Math.random() * 2 ** 31),
      });
      say(problem, "");
      const use = (/** @type {ControlRole} */ role) => () => approve(role, made, status);
      const status = statusText();
      fresh.replaceChildren(
        el("h3", {}, "Proposed items: select the items that are clearly wrong"),
        ...made.map((one, at) => card(one, tick(one, at))),
        actions(
          button("Use as gold", use("gold"), "primary"),
          button("Use as practice", use("training")),
          button("Select all", () => all(fresh, "input[type=checkbox]").forEach(tickOn)),
        ),
        status,
      );
    } catch (error) {
      say(problem, wordsOf(error));
    }
  }

  /** Approve the selected proposals for use in the study. The other proposals stay in the list.
   * @param {ControlRole} role @param {readonly Made[]} made @param {HTMLElement} status */
  async function approve(role, made, status) {
    const ticks = all(fresh, "input:checked");
    const ticked = ticks.map((input) => made[Number(/** @type {HTMLInputElement} */ (input).value)]);
    if (!ticked.length) return say(problem, "Select at least one item.");
    try {
      const items = ticked.map(({ making, sample, scores }) => ({ making, sample, scores: [...scores] }));
      list.replaceChildren(
        ...thereOf(study, await post(`/api/studies/${study.id}/controls`, { role, items }), problem, forecast),
      );
      forecast();
      say(problem, "");
      ticks.forEach((input) => input.closest(".control")?.remove());
      if (!fresh.querySelector(".control")) {
        fresh.replaceChildren();
        list.scrollIntoView({ block: "start" });
        return;
      }
      const used = `${ticked.length} ${ticked.length === 1 ? "item is" : "items are"} now`;
      say(status, `${used} ${role === "gold" ? "gold" : "practice"}. The others are not used yet.`);
    } catch (error) {
      say(problem, wordsOf(error));
    }
  }
}

/** Build the form that sets how often raters get gold items (with known answers) and repeated items.
 * The form shows the server's forecast of how many items each rater then gets.
 * @param {Study} study @param {MonitorAnswer} found @param {HTMLElement} problem
 * @param {(found: MonitorAnswer) => void} onChange
 * @returns {{element: HTMLElement, forecast: () => Promise<void>}} */
function oftenOf(study, found, problem, onChange) {
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
    `appearance, so short studies have none. Gold answers are evaluated if there are at least ${found.thresholds.fewest_gold}.`;
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
      found = await get(`/api/studies/${study.id}/monitor`); // fetch again, as another dialog sets the thresholds
      return { values: oftenIn(found), stamp: found.stamp };
    },
    send: async (mine, stamp) => {
      const body = { thresholds: { ...found.thresholds }, ...mine, stamp };
      found = await request("PUT", `/api/studies/${study.id}/watch`, body);
      clearTimeout(timer); // otherwise a late forecast would replace "Saved."
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
      "The answers of a stopped rater are kept, but results exclude them with this reason. You can include them again.",
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

/** @param {Element} box */
function tickOn(box) {
  /** @type {HTMLInputElement} */ (box).checked = true;
}

/** @param {Made} one @param {number} at */
function tick(one, at) {
  const input = el("input", { type: "checkbox", value: at, "aria-label": `Select this item: ${one.caption}` });
  return el("label", { class: "choice" }, input, el("span", {}, "Select this item"));
}

/** Build the list of gold and practice items that are in use.
 * @param {Study} study @param {readonly Control[]} controls @param {HTMLElement} problem
 * @param {() => void} onChange is called after an item was retired
 * @returns {Node[]} */
function thereOf(study, controls, problem, onChange) {
  const used = controls.filter(({ retired_at: retired }) => retired === null);
  const count = (/** @type {string} */ role) => used.filter((one) => one.role === role).length;
  const said = used.length ? `There are ${count("gold")} gold and ${count("training")} practice items` : "None yet";
  return [
    el("h3", {}, said),
    ...used.map((control) => {
      const one = card(
        control.made,
        quiet(
          `${control.role === "gold" ? "Gold" : "Practice"}, approved ${
            control.approved_by === HERE ? `on ${HERE}` : `by ${control.approved_by}`
          }; given ${control.given} ${control.given === 1 ? "time" : "times"}. `,
          button("Retire", retire, "small"),
        ),
      );
      async function retire() {
        await orSay(
          problem,
          remove(`/api/studies/${study.id}/controls/${control.item}`).then(() => one.remove()).then(onChange),
        );
      }
      return one;
    }),
  ];
}

/** @param {Made} made @param {HTMLElement} control */
function card({ image, caption, panels, criterion, highest, words }, control) {
  return el(
    "article",
    { class: "preview-item control" },
    image ? el("img", { src: `${image}/small`, alt: "Picture of the item" }) : quiet("Its picture is missing."),
    el(
      "div",
      {},
      el("p", { class: "caption", dir: "auto" }, `“${caption}”`),
      panels.map(({ value, scale, rationales }) => [gauge(value, scale), explanation(rationales)]),
      quiet(`${words} Right: ${criterion} 1 to ${highest}.`),
      control,
    ),
  );
}
