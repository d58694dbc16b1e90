// The address of the Inspect page. It states the list of samples, the page of this list, the open sample and its view.

import { at } from "../shared/address.js";

/** @typedef {object} Address
 * @property {string} dataset
 * @property {string} text
 * @property {string} metric
 * @property {string} lowest
 * @property {string} highest
 * @property {string} picture "true" or "false": whether the listed samples have a picture
 * @property {string} regions "true" or "false": whether the listed samples have regions
 * @property {string} explained "true" or "false": whether the listed samples have an explanation
 * @property {string} code code of an error that somebody has given to each listed sample
 * @property {string} system the captioner
 * @property {string} slice
 * @property {string} sort a key of SORTS
 * @property {string} other the second metric, if the list is ordered by the disagreement of two metrics
 * @property {string} view "grid": the list shows pictures instead of rows
 * @property {number} page
 * @property {number | null} sample
 * @property {string} caption the caption that a person has written for the sample; "": the sample's own caption
 * @property {string} by the metric whose regions are shown
 * @property {number | null} region index of the region that the user has chosen
 * @property {number | null} cut threshold that the user has chosen for marking regions */

/** Orders of the list of samples. sort: the order's name for the server; falling: "true": largest value first. */
export const SORTS = {
  "": { sort: "", falling: "", words: "as imported" },
  lowest: { sort: "score", falling: "", words: "lowest score first" },
  highest: { sort: "score", falling: "true", words: "highest score first" },
  error: { sort: "error", falling: "true", words: "largest difference from people" },
  disagreement: { sort: "disagreement", falling: "true", words: "largest difference from another metric" },
};

/** Names of the address parameters that select samples and are sent to the server. */
const LISTED = /** @type {const} */ ([
  "dataset",
  "text",
  "metric",
  "picture",
  "regions",
  "explained",
  "code",
  "system",
  "slice",
]);

/** @type {Address} */
const USUAL = {
  dataset: "",
  text: "",
  metric: "",
  lowest: "",
  highest: "",
  picture: "",
  regions: "",
  explained: "",
  code: "",
  system: "",
  slice: "",
  sort: "",
  other: "",
  view: "",
  page: 1,
  sample: null,
  caption: "",
  by: "",
  region: null,
  cut: null,
};

const MOST_IN_ADDRESS = 4000; // maximum length of an encoded caption; proxies refuse addresses above 8,000 characters

/** Return whether an address may contain a caption. A caption is never cut, because a cut caption has another score.
 * @param {string} caption */
export function fitsAddress(caption) {
  return caption.isWellFormed() && encodeURIComponent(caption).length <= MOST_IN_ADDRESS;
}

/** Read the page's state from an address. Missing and invalid values become defaults.
 * @param {string} [search] @returns {Address} */
export function readAddress(search = location.search) {
  const query = new URLSearchParams(search);
  /** @type {any} */
  const state = Object.fromEntries(Object.entries(USUAL).map(([name, usual]) => [name, query.get(name) ?? usual]));
  const number = (
    /** @type {string | null} */ text,
  ) => (text && Number.isFinite(Number(text)) ? Number(text) : null);
  return {
    ...state,
    ...Object.fromEntries(["picture", "regions", "explained"].map((name) => [name, yesOrNo(state[name])])),
    sort: Object.hasOwn(SORTS, state.sort) ? state.sort : "",
    page: Math.round(Math.max(1, Number(state.page) || 1)),
    sample: Number(state.sample) || null,
    caption: fitsAddress(state.caption) ? state.caption : "",
    region: number(state.region),
    cut: number(state.cut),
  };
}

/** @param {string} text */
function yesOrNo(text) {
  return text === "true" || text === "false" ? text : "";
}

/** Return the address of a page state. The address contains only values that differ from the defaults.
 * @param {Partial<Address>} state */
export function addressOf(state) {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(state)) {
    if (value !== USUAL[/** @type {keyof Address} */ (name)] && value !== null) query.set(name, String(value));
  }
  return `/inspect${query.size ? `?${query}` : ""}`;
}

/** Write a state to the page's address, so that users can copy it.
 * @param {Address} state @param {"pushState" | "replaceState"} how */
export function writeAddress(state, how) {
  history[how](null, "", at(addressOf(state)));
}

/** Return the request parameters that filter and order the list of samples. Without a metric, omit the bounds of the
 * score and the order.
 * @param {Address} state @returns {Record<string, string>} */
export function listed(state) {
  const { sort, falling } = SORTS[/** @type {keyof typeof SORTS} */ (state.metric ? state.sort : "")];
  const ordered = { sort, falling, other: sort === "disagreement" ? state.other : "" };
  const asked = {
    ...Object.fromEntries(LISTED.map((name) => [name, state[name]])),
    ...(state.metric && { lowest: state.lowest, highest: state.highest, ...ordered }),
    ...(!state.dataset && { slice: "" }),
  };
  return Object.fromEntries(Object.entries(asked).filter(([, value]) => value !== ""));
}

/** Return whether a filter or an order is set. @param {Address} state */
export function isFiltered(state) {
  return Object.keys(listed(state)).length > 0;
}
