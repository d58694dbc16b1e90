// The states of a study's participants, in the order in which participants reach them.

/** @import { StudyMonitor } from "./monitor.js" */
/** @typedef {StudyMonitor["raters"][number]["state"]} State */

/** @type {Record<State, string>} */
export const STATE_WORDS = {
  arrived: "not started",
  screened_out: "screened out",
  practising: "practising",
  rating: "rating",
  finished: "finished",
  returned: "returned",
  excluded: "excluded",
};
export const STATES = /** @type {State[]} */ (Object.keys(STATE_WORDS));
