// The Inspect page's address: which search, page of results, sample and view of it.

/** @typedef {object} Address
 * @property {string} dataset
 * @property {string} text
 * @property {string} metric
 * @property {string} lowest
 * @property {string} highest
 * @property {number} page
 * @property {number | null} sample
 * @property {string} by the metric whose regions are shown
 * @property {number | null} region
 * @property {number | null} cut
 * @property {string | null} scale */

/** @type {Address} */
const USUAL = {
  dataset: "",
  text: "",
  metric: "",
  lowest: "",
  highest: "",
  page: 1,
  sample: null,
  by: "",
  region: null,
  cut: null,
  scale: null,
};

/** Read what the address says; what it does not say, or says wrongly, is as usual.
 * @returns {Address} */
export function readAddress() {
  const query = new URLSearchParams(location.search);
  /** @type {any} */
  const state = Object.fromEntries(Object.entries(USUAL).map(([name, usual]) => [name, query.get(name) ?? usual]));
  const number = (/** @type {string | null} */ text) => (Number.isFinite(parseFloat(text)) ? Number(text) : null);
  return {
    ...state,
    page: Math.round(Math.max(1, Number(state.page) || 1)),
    sample: Number(state.sample) || null,
    region: number(state.region),
    cut: number(state.cut),
  };
}

/** Make the address one to copy, with only what differs from the page as it opens.
 * @param {Address} state @param {"pushState" | "replaceState"} how */
export function writeAddress(state, how) {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(state)) {
    if (value !== USUAL[/** @type {keyof Address} */ (name)] && value !== null) query.set(name, String(value));
  }
  history[how](null, "", `/inspect${query.size ? `?${query}` : ""}`);
}
