// Saved slices: filters with a name. The page shows every figure for the slice that is chosen.

import { request } from "./api.js";
import { dialog, el, say } from "./dom.js";

const RANGES = [
  ["score", "Score, on the metric’s scale"], ["error", "|metric − human|, 0 to 1"], ["human", "Human judgement, 0 to 1"],
  ["words", "Caption length in words"], ["rating", "Mean rating"],
];

/** Ask for a slice's conditions; calls `done` with its name once it is saved. */
export function sliceDialog({ dataset, metrics, phrases, criteria, codes, done }) {
  const name = el("input", { id: "slice-name", maxlength: 80, required: true });
  const pick = (id, empty, options) => el("select", { id }, el("option", { value: "" }, empty), options.map((one) => el("option", { value: one }, one)));
  const metric = el("select", { id: "slice-metric" }, metrics.map(({ name: key, label }) => el("option", { value: key }, label)));
  const phrase = pick("slice-phrase", "any", phrases);
  const code = pick("slice-code", "any", codes);
  const criterion = pick("slice-criterion", criteria.length ? "any" : "no study of these data yet", criteria);
  const ranges = RANGES.map(([key, label]) => [key, label, end(key, "from"), end(key, "to")]);
  const problem = el("p", { class: "problem", role: "alert" });
  const field = (label, control) => el("p", { class: "field" }, el("label", { for: control.id }, label), control);
  const save = async () => {
    const slice = { name: name.value.trim() };
    for (const [key, , low, high] of ranges) {
      const range = { ...(low.value !== "" && { low: Number(low.value) }), ...(high.value !== "" && { high: Number(high.value) }) };
      if (Object.keys(range).length) slice[key] = range;
    }
    if (slice.score || slice.error) slice.metric = metric.value;
    for (const [key, control] of [["phrase", phrase], ["code", code], ["criterion", criterion]]) if (control.value) slice[key] = control.value;
    try {
      await request("PUT", "/api/analyse/slices", { dataset, slice });
    } catch (error) {
      return say(problem, error.message);
    }
    box.close();
    done(slice.name);
  };
  const box = dialog("New slice", el("div", { class: "capscope slice-form" },
    el("p", { class: "quiet" }, "Every condition that you fill in must hold. Ranges include their lower end and leave out their upper one."),
    field("Name", name), field("Metric of score and error", metric),
    ranges.map(([, label, low, high]) => el("fieldset", { class: "choices range" }, el("legend", {}, label), low, el("span", {}, " up to "), high)),
    field("Criterion of the rating", criterion), field("Caption has a word of kind", phrase), field("Error code", code),
    problem, el("p", {}, el("button", { type: "button", class: "primary", click: save }, "Save slice"))));
  name.focus();
}

function end(key, which) {
  return el("input", { type: "number", step: "any", "aria-label": `${key} ${which}`, size: 6 });
}
