// The outbox: everything a rater does is written here first, in the browser's own storage, one entry a key, and

/** @import { Save } from "../shared/types.d.ts" */
/** @import { Refusal } from "../shared/wire.d.ts" */
/** @typedef {{at: number, save: Save}} Entry what waits, and when it was done, in ms since 1970 */
/** @typedef {"saved" | "saving" | "offline" | "signed-out"} SaveState */
/** @typedef {{saved: boolean, refusal?: Refusal | null}} Result */
// leaves only when the server has said that it is stored. It survives reloads, crashes and two tabs at once:
// entries carry an idempotency key, so sending one twice does nothing.

import { isRefused, post, Refused, Unreachable } from "../shared/api.js";

const PREFIX = "capscope.outbox";
const REFUSED = "capscope.refused"; // what the server will not take is set aside, never thrown away
const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 8000;
const BATCH = 100;

export class Outbox {
  /** @param {string} code of the rater @param {(state: SaveState, waiting: number) => void} onState is told of each change
   * @param {(save: Save, reason: string) => void} onRefused is told what the server will not take */
  constructor(code, onState, onRefused) {
    this.prefix = `${PREFIX}.${code}.`;
    this.onState = onState;
    this.onRefused = onRefused;
    this.pause = FIRST_PAUSE_MS;
    /** @type {number | null} */
    this.timer = null;
    this.sending = false;
    /** @type {string | null} */
    this.told = null; // why the server stores nothing, in its own words, where it answers
    /** @type {Map<string, Entry>} */
    this.unstored = new Map(); // where the browser refuses storage, entries live as long as the page
    this.online = () => this.flush();
    this.hidden = () => document.visibilityState === "hidden" && this.flush();
    window.addEventListener("online", this.online);
    document.addEventListener("visibilitychange", this.hidden);
  }

  close() {
    clearTimeout(this.timer);
    window.removeEventListener("online", this.online);
    document.removeEventListener("visibilitychange", this.hidden);
  }

  /** Take something in and send it as soon as possible.
   * @param {Omit<Save, "key">} save */
  add(save) {
    const now = Date.now();
    const key = newKey();
    // names sort in the order of clicking, even when the clock is set back
    const last = Number(this.waiting().at(-1)?.[0].slice(this.prefix.length, this.prefix.length + 15) ?? 0);
    const name = `${this.prefix}${String(Math.max(now, last + 1)).padStart(15, "0")}.${key}`;
    const entry = { at: now, save: { key, ...save } };
    try {
      localStorage.setItem(name, JSON.stringify(entry));
    } catch {
      this.unstored.set(name, entry);
    }
    this.onState("saving", this.waiting().length);
    this.flush();
  }

  /** What has not been stored by the server yet, oldest first: [name, entry].
   * @returns {[string, Entry][]} */
  waiting() {
    const found = [...this.unstored];
    for (let i = 0; i < localStorage.length; i++) {
      const name = localStorage.key(i);
      if (name.startsWith(this.prefix)) {
        const entry = parsed(localStorage.getItem(name));
        if (entry) found.push([name, entry]);
      }
    }
    return found.sort(([a], [b]) => (a < b ? -1 : 1));
  }

  /** Send what waits. Only one tab and one request at a time, so that the order of answers is kept. */
  async flush() {
    if (this.sending) return;
    this.sending = true;
    clearTimeout(this.timer);
    try {
      if (navigator.locks) await navigator.locks.request(this.prefix, () => this.sendAll());
      else await this.sendAll();
    } finally {
      this.sending = false;
    }
    if (this.waiting().length && !this.timer) this.flush();
  }

  async sendAll() {
    this.timer = null;
    for (let batch = this.waiting().slice(0, BATCH); batch.length; batch = this.waiting().slice(0, BATCH)) {
      if (!(await this.send(batch))) return;
    }
    this.pause = FIRST_PAUSE_MS;
    this.onState("saved", 0);
  }

  /** @param {[string, Entry][]} batch */
  async send(batch) {
    try {
      const now = Date.now();
      const saves = batch.map(([, { at, save }]) => ({ ...save, age_ms: Math.max(0, now - at) }));
      const keepalive = JSON.stringify(saves).length < 20_000; // then the browser finishes the request even when the page closes
      const { results } = await post("/api/rate/saves", { saves }, { keepalive });
      batch.forEach(([name, entry], index) => this.settle(name, entry, results[index]));
      return true;
    } catch (error) {
      return this.failed(error, batch);
    }
  }

  /** @param {string} name @param {Entry} entry @param {Result} result */
  settle(name, entry, result) {
    if (!result.saved) {
      setAside(name, entry, result.refusal);
      this.onRefused(entry.save, result.refusal.detail);
    }
    localStorage.removeItem(name);
    this.unstored.delete(name);
  }

  /** @param {unknown} error @param {[string, Entry][]} batch */
  failed(error, batch) {
    if (isRefused(error, "not_yours")) {
      const refusal = { kind: error.kind, detail: error.message };
      batch.forEach(([name, entry]) => this.settle(name, entry, { saved: false, refusal }));
      return true;
    }
    if (!(error instanceof Unreachable || error instanceof Refused)) throw error;
    this.told = error instanceof Unreachable ? error.told : null;
    const signedOut = isRefused(error, "signed_out");
    this.onState(signedOut ? "signed-out" : "offline", this.waiting().length);
    this.timer = setTimeout(() => this.flush(), this.pause);
    this.pause = Math.min(LONGEST_PAUSE_MS, this.pause * 2);
    return false;
  }
}

/** @param {string} name @param {Entry} entry @param {Refusal} refusal */
function setAside(name, entry, refusal) {
  try {
    localStorage.setItem(name.replace(PREFIX, REFUSED), JSON.stringify({ ...entry, refusal }));
  } catch {
    // the page has said that it was refused; there is nowhere to keep it
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
