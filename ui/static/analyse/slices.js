// Saved slices: filters with a name. The page shows every figure for the slice that is chosen.

import { at } from "../shared/address.js";
import { latest, remove, request, wordsOf } from "../shared/api.js";
import { dialog, el, field, say } from "../shared/dom.js";
import { alertText, asOptions, button, paragraph, picker, quiet } from "../shared/elements.js";
import { problem, shownIfSlow } from "../shared/notices.js";

/** @import { Child } from "../shared/types.d.ts" */
/** @import { KnownMetric, Slices } from "../shared/wire.d.ts" */

const RANGES = [
  ["score", "Score, on the metric’s scale"],
  ["error", "|metric − human|, 0 to 1"],
  ["human", "Human judgement, 0 to 1"],
  ["words", "Caption length in words"],
  ["rating", "Mean rating"],
];

/** The menu from which people choose a slice, a named subset of the samples. */
export class SliceChoice {
  /** @param {(slice: string) => void} chosen is called with the chosen slice; "": all samples
   * @param {(slice: string) => void} changed is called with the slice to show after a slice was made or removed */
  constructor(chosen, changed) {
    this.chosen = chosen;
    this.changed = changed;
    this.turn = latest();
    this.node = el("p", { class: "field" });
    /** @type {HTMLButtonElement[]} buttons that act on the chosen slice */
    this.ofSlice = [];
  }

  /** Offer the data set's slices, and buttons to make a slice or to remove the chosen one.
   * If the chosen slice no longer exists, choose all samples.
   * @param {{dataset: string, slice: string}} state @param {KnownMetric[]} metrics */
  async offer(state, metrics) {
    const { dataset } = state, isLast = this.turn();
    let found;
    try {
      found = await shownIfSlow(
        this.node,
        `/api/analyse/slices?${new URLSearchParams({ dataset })}`,
        "Counting the samples of slices",
      );
    } catch (error) {
      return isLast() && this.node.replaceChildren(problem(error, () => this.offer(state, metrics)));
    }
    if (!isLast()) return; // offer() was called again, and the newer call will show its slices
    if (!found.slices.some(({ slice }) => slice.name === state.slice)) state.slice = "";
    /** @type {[string, string][]} */
    const counted = found.slices.map(({ slice: { name }, samples }) => [name, `${name} (${samples.toLocaleString()})`]);
    const choose = picker({ id: "slice" }, [["", "all samples"], ...counted], state.slice, (name) => this.choose(name));
    const drop = button("Remove slice", () => this.remove(dataset, choose.value), "quiet-button makes", {
      hidden: !state.slice,
    });
    const save = () =>
      location.assign(at(`/api/samples.jsonl?${new URLSearchParams({ dataset, slice: choose.value })}`));
    const take = button("Save slice as JSONL", save, "", { hidden: !state.slice });
    const fresh = () => newSlice({ ...found, dataset, metrics, done: this.changed });
    this.node.replaceChildren(
      el("label", { for: "slice" }, "Slice"),
      choose,
      button("New slice", fresh, "makes"),
      take,
      drop,
    );
    this.ofSlice = [take, drop];
  }

  /** @param {string} slice */
  choose(slice) {
    for (const each of this.ofSlice) each.hidden = !slice;
    this.chosen(slice);
  }

  /** @param {string} dataset @param {string} name */
  async remove(dataset, name) {
    await remove(`/api/analyse/slices?${new URLSearchParams({ dataset, name })}`).catch(() => {}); // maybe removed
    this.changed("");
  }
}

/** Ask for the conditions of a new slice. After the slice is saved, call `done` with its name.
 * @param {Slices & {dataset: string, metrics: KnownMetric[], done: (name: string) => void}} known */
function newSlice({ dataset, metrics, phrases, criteria, systems, own, codes, done }) {
  const labelled = (/** @type {KnownMetric[]} */ columns) =>
    columns.map(({ name: key, label }) => /** @type {[string, string]} */ ([key, label]));
  const pick = (/** @type {string} */ id, /** @type {string} */ empty, /** @type {readonly string[]} */ values) =>
    picker({ id }, [["", empty], ...asOptions(values)]);
  const metric = picker({ id: "slice-metric" }, labelled(metrics));
  const phrase = pick("slice-phrase", "any", phrases);
  const code = picker({ id: "slice-code" }, [["", codes.length ? "any" : "no codes yet"], ...codes]);
  const system = pick("slice-captioner", systems.length ? "any" : "no captioners in these data", systems);
  const values = Object.entries(own).flatMap(([column, found]) => found.map((value) => ({ column, value })));
  const ownValue = picker({ id: "slice-own" }, [
    ["", values.length ? "any" : "no columns of your own; choose “Columns to keep” when you import"],
    ...values.map(({ column, value }, at) => /** @type {[string, string]} */ ([String(at), `${column} = ${value}`])),
  ]);
  const criterion = pick("slice-criterion", criteria.length ? "any" : "no study of these data yet", criteria);
  const caption = el("input", { id: "slice-caption", maxlength: 500, placeholder: "red, blue shirt" });
  const explanation = el("input", { id: "slice-explanation", maxlength: 500, placeholder: "omits, does not mention" });
  const ranges = RANGES.map(([key, label]) => ({ key, label, low: end(key, "from"), high: end(key, "to") }));
  const conditions = () => {
    /** @type {Record<string, any>} */
    const slice = {};
    for (const { key, low, high } of ranges) {
      const range = {
        ...(low.value !== "" && { low: Number(low.value) }),
        ...(high.value !== "" && { high: Number(high.value) }),
      };
      if (Object.keys(range).length) slice[key] = range;
    }
    if (slice.score || slice.error) slice.metric = metric.value;
    for (const [key, control] of Object.entries({ phrase, code, system, criterion, caption, explanation })) {
      if (control.value.trim()) slice[key] = control.value.trim();
    }
    if (ownValue.value) slice.own = values[Number(ownValue.value)];
    return slice;
  };
  sliceDialog({
    title: "New slice",
    dataset,
    before: quiet(
      "A sample belongs to the slice if it meets every condition that you fill in. A range includes both of its ends. " +
        "Separate words by commas. They match whole words in upper or lower case. " +
        "A lasso in a plot also makes a slice.",
    ),
    fields: [
      field("Metric whose score and error are used", metric),
      ranges.map(({ label, low, high }) =>
        el("fieldset", { class: "choices range" }, el("legend", {}, label), low, el("span", {}, " up to "), high)
      ),
      field("Criterion of the rating", criterion),
      field("Caption has a word of this kind", phrase),
      field("Caption has any of these words", caption),
      field("An explanation has any of these words", explanation),
      field("Captioner", system),
      field("Your own column", ownValue),
      field("Error code", code),
    ],
    conditions,
    done,
  });
}

/** @param {string} key @param {string} which */
function end(key, which) {
  return el("input", { type: "number", step: "any", "aria-label": `${key} ${which}`, size: 6 });
}

/** Open the dialog that saves a slice. If the server refuses the slice, the dialog stays open and shows the reason.
 * @param {{title: string, dataset: string, name?: string, before?: Child, fields?: Child, conditions: () => object,
 *   done: (name: string) => void}} of
 * name: proposed name; before: content above the name; fields: content below the name; conditions: returns the slice's
 * conditions when it is saved; done: is called with the saved slice's name */
export function sliceDialog({ title, dataset, name: proposed = "", before, fields, conditions, done }) {
  const name = el("input", { id: "slice-name", maxlength: 80, required: true, value: proposed });
  const refusal = alertText();
  const save = async () => {
    const slice = { name: name.value.trim(), ...conditions() };
    try {
      await request("PUT", "/api/analyse/slices", { dataset, slice });
    } catch (error) {
      return say(refusal, wordsOf(error));
    }
    box.close();
    done(slice.name);
  };
  const saves = paragraph(button("Save slice", save, "primary"));
  const form = el("div", { class: "capscope slice-form" }, before, field("Name", name), fields, refusal, saves);
  const box = dialog(title, form);
  name.select();
}
