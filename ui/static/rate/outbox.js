// The outbox: everything a rater does is written here first, in the browser's own storage, one entry a key, and
// leaves only when the server has said that it is stored. It survives reloads, crashes and two tabs at once:
// entries carry an idempotency key, so sending one twice does nothing. What the browser does not keep lives as long
// as the page; leaving the page then asks first.

import { isRefused, post, Refused, Unreachable } from "../shared/api.js";

/** @import { Save } from "../shared/types.d.ts" */
/** @import { Refusal } from "../shared/wire.d.ts" */
/** @typedef {{at: number, save: Save}} Entry what waits, and when it was done, in ms since 1970 */
/** @typedef {"saved" | "saving" | "offline" | "signed-out"} SaveState */
/** @typedef {{saved: boolean, refusal?: Refusal | null}} Result */
/** @typedef {object} Listener
 * @property {(state: SaveState, waiting: number) => void} onState is told of each change
 * @property {(save: Save, reason: string) => void} onRefused is told what the server will not take
 * @property {(saves: Save[]) => void} onStored is told what the server has stored */

const PREFIX = "capscope.outbox";
const REFUSED = "capscope.refused"; // what the server will not take is set aside, never thrown away
const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 8000;
const BATCH = 100;
const TIME_DIGITS = 15;
/** @type {Listener} */
const NOBODY = { onState: () => {}, onRefused: () => {}, onStored: () => {} };

/** Whose answers wait in this browser, the latest first. @returns {{code: string, answers: number}[]} */
export function codesWaiting() {
  /** @type {Map<string, {answers: number, latest: string}>} */
  const found = new Map();
  for (const name of names()) {
    if (!name.startsWith(`${PREFIX}.`)) continue;
    const [code, time] = name.slice(PREFIX.length + 1).split(".");
    const { answers, latest } = found.get(code) ?? { answers: 0, latest: "" };
    found.set(code, { answers: answers + 1, latest: time > latest ? time : latest });
  }
  const sorted = [...found].sort(([, a], [, b]) => (a.latest < b.latest ? 1 : -1));
  return sorted.map(([code, { answers }]) => ({ code, answers }));
}

export class Outbox {
  /** @param {string} code of the rater */
  constructor(code) {
    this.code = code;
    this.prefix = `${PREFIX}.${code}.`;
    this.listener = NOBODY;
    this.pause = FIRST_PAUSE_MS;
    /** @type {number | null} */
    this.timer = null;
    this.sending = false;
    /** @type {string | null} */
    this.told = null; // why the server stores nothing, in its own words, where it answers
    this.resting = false; // while somebody else rates on this page
    /** @type {Map<string, Entry>} */
    this.unstored = new Map(); // what the browser does not keep
    window.addEventListener("online", () => this.flush());
    document.addEventListener("visibilitychange", () => document.visibilityState === "hidden" && this.flush());
    window.addEventListener("beforeunload", (event) => this.unstored.size && event.preventDefault());
  }

  /** Take something in and send it as soon as possible.
   * @param {Omit<Save, "key">} save */
  add(save) {
    const now = Date.now();
    const key = newKey();
    // names sort in the order of clicking, even when the clock is set back
    const last = Number(this.waiting().at(-1)?.[0].slice(this.prefix.length, this.prefix.length + TIME_DIGITS) ?? 0);
    const name = `${this.prefix}${String(Math.max(now, last + 1)).padStart(TIME_DIGITS, "0")}.${key}`;
    const entry = { at: now, save: { key, ...save } };
    if (!keep(name, entry)) this.unstored.set(name, entry);
    this.listener.onState("saving", this.waiting().length);
    this.flush();
  }

  /** What has not been stored by the server yet, oldest first: [name, entry].
   * @returns {[string, Entry][]} */
  waiting() {
    const found = [...this.unstored];
    for (const name of names()) {
      if (name.startsWith(this.prefix)) {
        const entry = parsed(localStorage.getItem(name));
        if (entry) found.push([name, entry]);
      }
    }
    return found.sort(([a], [b]) => (a < b ? -1 : 1));
  }

  /** How much of what waits is lost when the page is left. */
  unkept() {
    return this.unstored.size;
  }

  /** Tell nobody, and send nothing until somebody listens again. */
  rest() {
    this.resting = true;
    this.listener = NOBODY;
    clearTimeout(this.timer);
  }

  /** Work for whom it may concern. @param {Listener} listener */
  tell(listener) {
    this.resting = false;
    this.listener = listener;
  }

  /** Send what waits. Only one tab and one request at a time, so that the order of answers is kept. */
  async flush() {
    if (this.sending || this.resting) return;
    this.sending = true;
    clearTimeout(this.timer);
    try {
      if (navigator.locks) await navigator.locks.request(this.prefix, () => this.sendAll());
      else await this.sendAll();
    } finally {
      this.sending = false;
    }
    if (this.waiting().length && !this.timer) this.flush(); // added meanwhile
  }

  async sendAll() {
    this.timer = null;
    for (let batch = this.waiting().slice(0, BATCH); batch.length; batch = this.waiting().slice(0, BATCH)) {
      if (!(await this.send(batch))) return;
    }
    this.pause = FIRST_PAUSE_MS;
    this.listener.onState("saved", 0);
  }

  /** @param {[string, Entry][]} batch */
  async send(batch) {
    try {
      const now = Date.now();
      const saves = batch.map(([, { at, save }]) => ({ ...save, age_ms: Math.max(0, now - at) }));
      const keepalive = JSON.stringify(saves).length < 20_000; // then the browser finishes the request even when the page closes
      const headers = { "X-Capscope-Rater": this.code }; // the server refuses what comes under another one's cookie
      const { results } = await post("/api/rate/saves", { saves }, { keepalive, headers });
      batch.forEach(([name, entry], index) => this.settle(name, entry, results[index]));
      this.listener.onStored(batch.filter((_, index) => results[index].saved).map(([, { save }]) => save));
      return true;
    } catch (error) {
      return this.failed(error, batch);
    }
  }

  /** @param {string} name @param {Entry} entry @param {Result} result */
  settle(name, entry, result) {
    if (!result.saved) {
      keep(name.replace(PREFIX, REFUSED), { ...entry, refusal: result.refusal });
      this.listener.onRefused(entry.save, result.refusal.detail);
    }
    if (!this.unstored.delete(name)) localStorage.removeItem(name);
  }

  /** @param {unknown} error @param {[string, Entry][]} batch */
  failed(error, batch) {
    if (isRefused(error, "not_yours")) {
      const refusal = { kind: error.kind, detail: error.message };
      batch.forEach(([name, entry]) => this.settle(name, entry, { saved: false, refusal }));
      return true;
    }
    if (!(error instanceof Unreachable || error instanceof Refused)) throw error;
    this.told = error instanceof Unreachable ? error.told : error.kind === "signed_out" ? null : error.message;
    for (const [name, entry] of this.unstored) if (keep(name, entry)) this.unstored.delete(name); // there may be room again
    const signedOut = isRefused(error, "signed_out");
    this.listener.onState(signedOut ? "signed-out" : "offline", this.waiting().length);
    this.timer = setTimeout(() => this.flush(), this.pause);
    this.pause = Math.min(LONGEST_PAUSE_MS, this.pause * 2);
    return false;
  }
}

/** Names of everything in the browser's storage; none where it lets nobody in. @returns {string[]} */
function names() {
  try {
    return Array.from({ length: localStorage.length }, (_, at) => localStorage.key(at));
  } catch {
    return [];
  }
}

/** Write something down; returns whether the browser keeps it. @param {string} name @param {unknown} content */
function keep(name, content) {
  try {
    localStorage.setItem(name, JSON.stringify(content));
    return true;
  } catch {
    return false;
  }
}

function newKey() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** @param {string} text @returns {Entry | null} */
function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
