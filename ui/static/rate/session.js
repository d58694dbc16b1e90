// Who rates in this browser: signing in, by a code or by a recruitment platform's link, and signing out.

import { isRefused, post, Refused, remove, taken } from "../shared/api.js";
import { forget, remember, remembered } from "../shared/storage.js";

/** @import { Rater } from "../shared/types.d.ts" */

const LAST_KEY = "capscope.rater"; // storage key of the rater's code, which is stored until the rater signs out

/** Find out who rates in this browser, and sign in a rater whom a recruitment platform sent. */
export async function currentSession() {
  const session = await taken("/api/rate/session");
  if (!session.panel || !location.search) return session;
  const query = location.search.slice(1);
  try {
    const arrived = await post("/api/rate/arrival", { query });
    history.replaceState(history.state, "", location.pathname); // remove the participant's id from the address
    return arrived;
  } catch (error) {
    if (isRefused(error, "signed_out")) return session; // without a participant id in the address, keep the session
    throw error;
  }
}

/** Sign a rater in by a code. A code that is already in use also needs its return key. Throws Refused, Unreachable.
 * @param {string} code @param {string} key "" for a new rater */
export async function signIn(code, key) {
  return (await post("/api/rate/session", { code, ...(key && { return_key: key }) })).rater;
}

/** Sign a rater in again after the database was restored to an earlier time.
 * Returns whether the server knows the rater. Throws Unreachable. @param {Rater} rater */
export async function comeBack({ code, return_key }) {
  try {
    await post("/api/rate/session", { code, return_key });
    return true;
  } catch (error) {
    if (error instanceof Refused) return false;
    throw error;
  }
}

/** Sign the rater out of this browser. Throws Refused, Unreachable. */
export async function signOutHere() {
  await remove("/api/rate/session");
  forget(LAST_KEY);
}

/** The code of the rater who rated in this browser last, or null. */
export function lastCode() {
  return remembered(LAST_KEY);
}

/** @param {string} code */
export function rememberCode(code) {
  remember(LAST_KEY, code);
}

/** Return the study that the address names, or null. */
export function wantedStudy() {
  return new URLSearchParams(location.search).get("study");
}
