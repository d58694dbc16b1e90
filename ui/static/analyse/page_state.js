// The state of the Analyse page (what the page shows). The page's address stores this state.

import { at } from "../shared/address.js";
import { plotOf } from "./plot_list.js";

/** @typedef {object} PageState the choices on the page, stored in its address
 * @property {string} dataset
 * @property {string[]} metric
 * @property {string} benchmark
 * @property {string} slice
 * @property {string} plot
 * @property {number | null} sample */

/** Read the page's state from its address. @returns {PageState} */
export function readState() {
  const query = new URLSearchParams(location.search);
  return {
    dataset: query.get("dataset") ?? "",
    metric: query.getAll("metric"),
    benchmark: query.get("benchmark") ?? "",
    slice: query.get("slice") ?? "",
    plot: plotOf(query.get("plot")).key,
    sample: Number(query.get("sample")) || null,
  };
}

/** Write the page's state to its address. @param {PageState} state @param {"pushState" | "replaceState"} how */
export function writeState(state, how) {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(state)) {
    if (Array.isArray(value)) value.forEach((one) => query.append(name, one));
    else if (value && !(name === "plot" && value === plotOf(null).key)) query.set(name, String(value));
  }
  history[how](null, "", at(`/analyse?${query}`));
}
