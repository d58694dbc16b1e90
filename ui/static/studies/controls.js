// Gold items (with known answers) and practice items of a study. The dialog shows the existing items and how often gold
// items and repeated items occur. It also makes new items from the study's data, which a person approves before raters
// get them.

import { get, post, remove, wordsOf } from "../shared/api.js";
import { all, dialog, el, explanation, field, gauge, say } from "../shared/dom.js";
import { actions, alertText, button, orSay, paragraph, quiet, statusText, submitButton } from "../shared/elements.js";
import { frequencyForm } from "./frequency_form.js";

/** @import { Answer, Body } from "../shared/wire.d.ts" */
/** @import { Study } from "./page.js" */
/** @import { MonitorAnswer } from "./rater_quality.js" */
/** @typedef {Answer<"GET", `/api/studies/${number}/controls`>[number]} Control */
/** @typedef {Control["made"]} Made */
/** @typedef {Body<"POST", `/api/studies/${number}/controls`>["role"]} ControlRole */

const HERE = "this machine"; // name of the person who approves items, if sign-in is off
const MAKINGS = { swapped: "an explanation of another picture", turned: "an inverted score" };

/** Show the dialog in which gold and practice items are made and approved.
 * @param {Study} study @param {(found: MonitorAnswer) => void} onWatch gets the new thresholds that flag raters, and
 * how often gold and repeated items occur
 * @param {() => void} onWorkload is called after the number of items per rater changed */
export async function showControls(study, onWatch, onWorkload) {
  const problem = alertText();
  const list = el("div", { class: "controls" }), fresh = el("div", { class: "controls" });
  const box = dialog(
    `Gold, repeated and practice items of ${study.name}`,
    paragraph(
      "These items are made from the study’s data, so their right answers are known. " +
        "Gold items look like other items. " +
        "Practice items come first, and show the right answer after the rater has answered. " +
        "Results exclude both kinds.",
    ),
    problem,
    list,
  );
  box.classList.add("wide", "capscope");
  let forecast = () => {}; // shows how many items each rater would get with the entered frequencies
  try {
    const [found, there, makings] = await Promise.all([
      get(`/api/studies/${study.id}/monitor`),
      get(`/api/studies/${study.id}/controls`),
      get(`/api/studies/${study.id}/controls/makings`),
    ]);
    const often = frequencyForm(study, found, problem, (changed) => {
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
        : paragraph("No gold or practice items can be made, because this form has no suitable question."),
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
        `Propose items, select clearly wrong ones, and use them as gold or practice items.`,
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
          button("Use as gold items", use("gold"), "primary"),
          button("Use as practice items", use("training")),
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
  const heading = used.length ? `There are ${count("gold")} gold and ${count("training")} practice items` : "None yet";
  return [
    el("h3", {}, heading),
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
