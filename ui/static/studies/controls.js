// Gold and training items of a study: those there are, and new ones made of its own data, looked at before raters get any.

import { get, post, remove, wordsOf } from "../shared/api.js";
import { all, dialog, el, explanation, field, gauge, say } from "../shared/dom.js";

/** @import { Answer, Body } from "../shared/wire.d.ts" */
/** @import { Study } from "./page.js" */
/** @typedef {Answer<"GET", `/api/studies/${number}/controls`>[number]} Control */
/** @typedef {Control["made"]} Made */
/** @typedef {Body<"POST", `/api/studies/${number}/controls`>["role"]} ControlRole */

const MAKINGS = { swapped: "an explanation of another picture", turned: "a score that is turned round" };

/** @param {Study} study */
export async function showControls(study) {
  const problem = el("p", { role: "alert", class: "problem" });
  const list = el("div", { class: "controls" }), fresh = el("div", { class: "controls" });
  const box = dialog(
    `Gold and training of ${study.name}`,
    el(
      "p",
      {},
      "These are made of the study’s own data, so that what is right is known. Gold comes silently among the items; training comes first, and raters are told afterwards what would have been right. None of it counts in results.",
    ),
    problem,
    list,
    fresh,
  );
  box.classList.add("wide");
  try {
    const [there, makings] = await Promise.all([
      get(`/api/studies/${study.id}/controls`),
      get(`/api/studies/${study.id}/controls/makings`),
    ]);
    list.replaceChildren(...thereOf(study, there, problem));
    list.after(
      makings.length ? proposing(makings) : el("p", {}, "None can be made: the form shows or asks nothing for it."),
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
      field("Make items with", making),
      field("How many", count),
      el("p", {}, el("button", {}, "Propose")),
    );
  }

  /** @param {Event} event @param {HTMLSelectElement} making @param {HTMLInputElement} count */
  async function propose(event, making, count) {
    event.preventDefault();
    try {
      const made = await post(`/api/studies/${study.id}/controls/proposals`, {
        making: /** @type {Made["making"]} */ (making.value),
        count: Number(count.value),
        seed: Math.floor(Math.random() * 2 ** 31),
      });
      say(problem, "");
      const use = (/** @type {ControlRole} */ role) => () => approve(role, made);
      fresh.replaceChildren(
        el("h3", {}, "Proposed: tick those that are plainly wrong"),
        ...made.map((one, at) => card(one, el("input", { type: "checkbox", value: at, "aria-label": one.caption }))),
        el(
          "p",
          { class: "actions" },
          el("button", { type: "button", class: "primary", click: use("gold") }, "Use as gold"),
          el("button", { type: "button", click: use("training") }, "Use as training"),
        ),
      );
    } catch (error) {
      say(problem, wordsOf(error));
    }
  }

  /** @param {ControlRole} role @param {readonly Made[]} made */
  async function approve(role, made) {
    const ticked = all(fresh, "input:checked").map((input) =>
      made[Number(/** @type {HTMLInputElement} */ (input).value)]
    );
    if (!ticked.length) return say(problem, "Tick at least one.");
    try {
      const items = ticked.map(({ making, sample, scores }) => ({ making, sample, scores: [...scores] }));
      list.replaceChildren(
        ...thereOf(study, await post(`/api/studies/${study.id}/controls`, { role, items }), problem),
      );
      fresh.replaceChildren();
      say(problem, "");
      list.scrollIntoView({ block: "start" });
    } catch (error) {
      say(problem, wordsOf(error));
    }
  }
}

/** @param {Study} study @param {readonly Control[]} controls @param {HTMLElement} problem @returns {Node[]} */
function thereOf(study, controls, problem) {
  const used = controls.filter(({ retired }) => !retired);
  if (!used.length) return [el("p", { class: "quiet" }, "None yet.")];
  return used.map((control) => {
    const one = card(
      control.made,
      el(
        "p",
        { class: "quiet" },
        `${
          control.role === "gold" ? "Gold" : "Training"
        }, approved by ${control.approved_by}; given ${control.given} times. `,
        el("button", { type: "button", class: "small", click: retire }, "Retire"),
      ),
    );
    async function retire() {
      try {
        await remove(`/api/studies/${study.id}/controls/${control.item}`);
        one.remove();
      } catch (error) {
        say(problem, wordsOf(error));
      }
    }
    return one;
  });
}

/** @param {Made} made @param {HTMLElement} control */
function card({ image, caption, panels, criterion, highest, words }, control) {
  return el(
    "article",
    { class: "preview-item control" },
    el("img", { src: `${image}/small`, alt: "Picture of the item" }),
    el(
      "div",
      {},
      el("p", { class: "caption", dir: "auto" }, `“${caption}”`),
      panels.map(({ value, scale, rationales }) => [gauge(value, scale), explanation(rationales)]),
      el("p", { class: "quiet" }, `${words} Right: ${criterion} 1 to ${highest}.`),
      control,
    ),
  );
}
