// Answers in this browser's storage. Each answer is an entry with its own name, so that several tabs can store answers.
// The name contains the rater's code and the time, so that sorted names have the order of the answers. Entries that the
// browser does not store are kept as long as the page is open.

/** @import { Save } from "../shared/types.d.ts" */
/** @import { Refusal } from "../shared/wire.d.ts" */
/** @typedef {object} Entry an answer
 * @property {number} at when the answer was given, in ms since 1970
 * @property {Save} save
 * @property {string} [epoch] latest epoch (state of the server's database) in which the server had the answer
 * @property {Refusal | null} [refusal] why the server has refused the answer */

export const WAITING = "capscope.outbox"; // answers that the server does not have yet
export const REFUSED = "capscope.refused"; // answers that the server has refused; they are never deleted
export const SENT = "capscope.sent"; // answers that the server has stored, but may lack after a restore
const MOST_SENT = 2000; // maximum number of a rater's stored answers that this browser keeps
const LASTS_MS = 30 * 24 * 3_600_000; // ms to keep answers that a restored backup may lack; backups are rarely older
const TIME_DIGITS = 15;

/** @type {Map<string, Entry>} entries that the browser does not store */
const memory = new Map();

/** @param {string} where WAITING, REFUSED or SENT @param {string} code @param {number} time in ms since 1970
 * @param {string} key */
export function entryName(where, code, time, key) {
  return `${where}.${code}.${String(time).padStart(TIME_DIGITS, "0")}.${key}`;
}

/** Return the time in an entry's name, in ms since 1970. @param {string} name */
export function timeOf(name) {
  return Number(name.split(".")[3]);
}

/** Store an entry. If the storage is full, delete answers that the server has.
 * @param {string} name @param {Entry} entry */
export function keep(name, entry) {
  if (written(name, entry) || (forgetSent() && written(name, entry))) memory.delete(name);
  else memory.set(name, entry);
}

/** Try again to store the entries that the browser has not stored, because its storage may have room now. */
export function keepAgain() {
  for (const [name, entry] of [...memory]) keep(name, entry);
}

/** @param {string} name */
export function drop(name) {
  if (memory.delete(name)) return;
  try {
    localStorage.removeItem(name);
  } catch { /* the browser denies access, so it stores nothing */ }
}

/** Move an entry to other entries, such as from WAITING to REFUSED.
 * @param {string} from WAITING or SENT @param {string} to @param {string} name @param {Entry} entry */
export function move(from, to, name, entry) {
  drop(name); // first, because a full storage has no room for both
  keep(name.replace(from, to), entry);
}

/** Return a rater's entries, oldest first. Skip values that are no answers: the storage may be damaged, or written by
 * another version.
 * @param {string} where @param {string} code @returns {[string, Entry][]} */
export function entriesOf(where, code) {
  const prefix = `${where}.${code}.`, here = [...memory.keys()].filter((name) => name.startsWith(prefix));
  return [...here, ...storedNames(prefix)].sort().flatMap((name) => {
    const entry = memory.get(name) ?? entryIn(name);
    return entry ? [/** @type {[string, Entry]} */ ([name, entry])] : [];
  });
}

/** Return how many waiting answers of a rater would be lost if the page were closed now. @param {string} code */
export function unkept(code) {
  return [...memory.keys()].filter((name) => name.startsWith(`${WAITING}.${code}.`)).length;
}

/** Delete a rater's answers that the server has, if they are too old or too many. @param {string} code */
export function tidy(code) {
  const names = storedNames(`${SENT}.${code}.`).sort(), surplus = names.length - MOST_SENT;
  names.filter((name, at) => at < surplus || timeOf(name) < Date.now() - LASTS_MS).forEach(drop);
}

/** Return the raters whose answers wait in this browser, the latest first.
 * @returns {{code: string, answers: number}[]} */
export function codesWaiting() {
  const names = storedNames(`${WAITING}.`).filter(entryIn).sort((a, b) => timeOf(b) - timeOf(a));
  const codes = names.map((name) => name.split(".")[2]);
  return [...new Set(codes)].map((code) => ({ code, answers: codes.filter((one) => one === code).length }));
}

/** Read an answer that was stored as text. Return null if the text is no answer.
 * @param {string | null} text @returns {Entry | null} */
export function entryOf(text) {
  try {
    const entry = JSON.parse(text ?? "null");
    const { key, assignment, kind, said } = entry.save;
    const isWhole = Number.isSafeInteger(entry.at) && [key, assignment, kind].every((one) => typeof one === "string");
    return isWhole && typeof (said ?? {}) === "object" ? entry : null;
  } catch {
    return null;
  }
}

/** @param {string} name */
function entryIn(name) {
  return entryOf(localStorage.getItem(name));
}

/** @param {string} prefix @returns {string[]} */
function storedNames(prefix) {
  try {
    const names = Array.from({ length: localStorage.length }, (_, at) => localStorage.key(at) ?? "");
    return names.filter((name) => name.startsWith(prefix));
  } catch {
    return []; // the browser denies access, so it stores nothing
  }
}

/** @param {string} name @param {Entry} entry */
function written(name, entry) {
  try {
    localStorage.setItem(name, JSON.stringify(entry));
    return true;
  } catch {
    return false;
  }
}

/** Delete all answers that the server has. Return whether there were any. */
function forgetSent() {
  const names = storedNames(`${SENT}.`);
  names.forEach(drop);
  return names.length > 0;
}
