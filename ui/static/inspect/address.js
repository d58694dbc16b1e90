// The address of the Inspect page. It states the list of samples, the page of this list, the open sample and its view.

import { at } from "../shared/address.js";

/** @typedef {typeof USUAL} Address
 * code: code of an error that somebody has given to each listed sample; system: the captioner; sort: a key of SORTS;
 * caption: the caption that a person has written for the sample, "": the sample's own caption; by: the metric whose
 * regions are shown; region: index of the region that the user has chosen */

/** Orders of the list of samples. sort: the order's name for the server; falling: "true": largest value first. */
export const SORTS = {
  "": { sort: "", falling: "", words: "as imported" },
  lowest: { sort: "score", falling: "", words: "lowest score first" },
  highest: { sort: "score", falling: "true", words: "highest score first" },
  error: { sort: "error", falling: "true", words: "largest difference from people" },
};

/** Values of a page's state that its address omits. */
const USUAL = {
  dataset: "",
  text: "",
  code: "",
  system: "",
  slice: "",
  metric: "",
  lowest: "",
  highest: "",
  sort: "",
  page: 1,
  sample: /** @type {number | null} */ (null),
  caption: "",
  by: "",
  region: /** @type {number | null} */ (null),
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
  const { sort, page, sample, caption, region } = state;
  return {
    ...state,
    sort: Object.hasOwn(SORTS, sort) ? sort : "",
    page: Math.round(Math.max(1, Number(page) || 1)),
    sample: Number(sample) || null,
    caption: fitsAddress(caption) ? caption : "",
    region: region && Number.isFinite(Number(region)) ? Number(region) : null,
  };
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
  const { dataset, metric, lowest, highest } = state;
  const { sort, falling } = SORTS[/** @type {keyof typeof SORTS} */ (metric ? state.sort : "")];
  const asked = {
    ...{ dataset, text: state.text, code: state.code, system: state.system, slice: dataset && state.slice },
    ...(metric && { metric, lowest, highest, sort, falling }),
  };
  return Object.fromEntries(Object.entries(asked).filter(([, value]) => value !== ""));
}

/** Return whether a filter or an order is set. @param {Address} state */
export function isFiltered(state) {
  return Object.keys(listed(state)).length > 0;
}
