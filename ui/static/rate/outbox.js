// The outbox. Every answer is first written to the browser's storage, as an entry with its own name. The entry is
// removed only after the server has confirmed that it has stored the answer. So answers survive reloads, crashes and
// two open tabs. Each entry has an idempotency key, so sending it twice changes nothing. If the browser stores nothing,
// entries are kept while the page is open, and the browser asks before the page is left.
//
// If the server's database is restored to an earlier time, the server lacks answers that it had stored. The epoch, a
// text that marks the state of the database, changes then. In a new epoch, the outbox first asks which of the answers
// kept in this browser the server lacks, and sends these answers again.

import { Busy, get, isRefused, post, Refused, Unreachable } from "../shared/api.js";
import { Kept } from "./sent_answers.js";
import { entriesUnder, keep, PREFIX, REFUSED } from "./outbox_storage.js";

/** @import { Save } from "../shared/types.d.ts" */
/** @import { Refusal } from "../shared/wire.d.ts" */
/** @import { KeptAnswer } from "./sent_answers.js" */
/** @typedef {{at: number, save: Save}} Entry an answer that is sent to the server
 * at: when the answer was given, in ms since 1970 */
/** @typedef {"saved" | "saving" | "held" | "offline" | "signed-out" | "unknown"} SaveState state of the answers
 * unknown: the server's database was restored to an earlier time, so the server does not know the rater */
/** @typedef {{saved: boolean, refusal?: Refusal | null}} Result */
/** @typedef {object} Listener callbacks of the page
 * @property {(state: SaveState, waiting: number) => void} onState is called after each change of the state
 * @property {(save: Save, reason: string) => void} onRefused gets each answer that the server refuses
 * @property {(saves: Save[]) => void} onStored gets the answers that the server has stored
 * @property {() => Promise<boolean>} onStepBack signs the rater in again after the server's database was restored to an
 * earlier time; returns whether the server knows the rater
 * @property {() => void} onSentAgain is called after the server has received the answers again that it lacked */

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 8000;
const LONGEST_WAIT_MS = 60_000; // maximum pause in ms that a busy server can ask for
const BATCH = 100; // maximum number of answers per request
const LARGEST = 200_000; // maximum bytes of the answers in a request; a request has at least one answer
const COMPARED = 1000; // maximum number of answers per request that asks which answers the server lacks
const TIME_DIGITS = 15;
/** @type {Listener} */
const NOBODY = {
  onState: () => {},
  onRefused: () => {},
  onStored: () => {},
  onStepBack: async () => false,
  onSentAgain: () => {},
};

export class Outbox {
  /** @param {string} code the rater's code */
  constructor(code) {
    this.code = code;
    this.prefix = `${PREFIX}.${code}.`;
    this.listener = NOBODY;
    this.pause = FIRST_PAUSE_MS;
    /** @type {number | undefined} */
    this.timer = undefined;
    this.sending = false;
    this.isToldToWait = false; // whether a busy server has asked this page to wait before it sends again
    /** @type {string | null} */
    this.told = null; // the server's reason for storing no answers; null: it has given none
    this.resting = false; // true while nothing is sent, because another rater uses this page
    /** @type {Map<string, Entry>} */
    this.unstored = new Map(); // maps a name to an entry that the browser's storage could not store
    /** @type {Map<string, string>} maps an entry's name to the assignment id of its item; the server accepts these
     * entries only after another answer to the same item */
    this.held = new Map();
    /** @type {Map<string, number>} maps an entry's name to the time when this page added it, by performance.now() */
    this.taken = new Map();
    this.kept = new Kept(code);
    /** @type {string | null} */
    this.epoch = null; // latest epoch (database state) in which the server had every answer that this browser keeps
    /** @type {string | null} */
    this.heard = null; // the current epoch (state of the server's database); "" if the page must ask for it
    /** @type {string | null} */
    this.unknownIn = null; // epoch (state of the database) in which the server does not know the rater; null: none
    this.again = 0; // number of stored answers that are being sent again, because the server lost them
    this.last = 0; // time in the name of the newest entry, in ms since 1970; the next entry's name gets a later time
    window.addEventListener("online", () => this.flush());
    document.addEventListener("visibilitychange", () => document.visibilityState === "hidden" && this.flush());
    window.addEventListener("beforeunload", (event) => this.unstored.size && event.preventDefault());
  }

  /** Add an answer and send it as soon as possible.
   * @param {Omit<Save, "key">} save */
  add(save) {
    const now = Date.now();
    const key = newKey();
    // sorted names must have the order in which answers were given, even if the clock was set back
    const last = Number(this.waiting().at(-1)?.[0].slice(this.prefix.length, this.prefix.length + TIME_DIGITS) ?? 0);
    this.last = Math.max(now, last + 1, this.last + 1);
    const name = `${this.prefix}${String(this.last).padStart(TIME_DIGITS, "0")}.${key}`;
    this.write(name, { at: now, save: { key, ...save } });
    this.taken.set(name, performance.now());
    this.listener.onState(this.isToldToWait ? "offline" : "saving", this.waiting().length);
    this.flush();
  }

  /** Return the entries that the server has not stored yet, oldest first, as [name, entry].
   * @returns {[string, Entry][]} */
  waiting() {
    return [...this.unstored, ...entriesUnder(this.prefix)].sort(([a], [b]) => (a < b ? -1 : 1));
  }

  /** Return the waiting entries that can be sent now, oldest first. */
  sendable() {
    return this.waiting().filter(([name]) => !this.held.has(name));
  }

  /** Release the answers that were held back until the server had stored another answer to the same item.
   * Released answers can be sent.
   * @param {string} assignment */
  letGo(assignment) {
    for (const [name, item] of this.held) if (item === assignment) this.held.delete(name);
  }

  /** Store an entry in the browser until the entry is sent. Return whether the browser stores it.
   * @param {string} name @param {Entry} entry */
  write(name, entry) {
    const isKept = keep(name, entry);
    if (isKept) this.unstored.delete(name);
    else this.unstored.set(name, entry);
    return isKept;
  }

  /** Record the epoch (state) of the server's database. If it is new, find out which kept answers the server lacks.
   * @param {string | undefined} epoch */
  hear(epoch) {
    if (!epoch || epoch === this.heard) return;
    this.heard = epoch;
    if (epoch !== this.epoch) this.flush();
  }

  /** Ask the server for the current epoch (state of its database), unless something else is being sent. */
  async listen() {
    if (this.epoch === null || this.sending || this.timer) return;
    try {
      this.hear((await get("/api/rate/epoch")).epoch);
    } catch (error) {
      if (!(error instanceof Unreachable || error instanceof Refused)) throw error;
    }
  }

  /** Return the answers that the server has refused.
   * @returns {[string, Entry][]} */
  refused() {
    return entriesUnder(this.prefix.replace(PREFIX, REFUSED));
  }

  /** Return how many waiting answers would be lost if the page were closed now. */
  unkept() {
    return this.unstored.size;
  }

  /** Remove the listener, and send nothing until another listener is set. */
  rest() {
    this.resting = true;
    this.listener = NOBODY;
    this.isToldToWait = false;
    clearTimeout(this.timer);
  }

  /** Set the listener (the page's callbacks), and start to send answers. @param {Listener} listener */
  tell(listener) {
    this.resting = false;
    this.listener = listener;
    this.held.clear();
  }

  /** Send waiting answers. Only one tab sends, one request at a time, so that answers keep their order. */
  async flush() {
    if (this.sending || this.resting || this.isToldToWait) return;
    this.sending = true;
    clearTimeout(this.timer);
    try {
      if (navigator.locks) await navigator.locks.request(this.prefix, () => this.sendAll());
      else await this.sendAll();
    } finally {
      this.sending = false;
    }
    const isMore = this.sendable().length || this.heard !== this.epoch; // answers or an epoch that came while sending
    if (isMore && !this.timer) this.flush();
  }

  async sendAll() {
    this.timer = undefined;
    for (;;) {
      if (this.heard !== this.epoch && !(await this.compare())) return;
      const batch = fitting(this.sendable());
      if (!batch.length) break;
      if (!(await this.send(batch))) return;
    }
    this.pause = FIRST_PAUSE_MS;
    if (this.again) this.listener.onSentAgain();
    this.again = 0;
    const held = this.waiting().length;
    this.listener.onState(held ? "held" : "saved", held);
  }

  /** Ask the server which kept answers it lacks, and put them into the queue again, in the order in which they were
   * given. Return whether sending can continue. */
  async compare() {
    try {
      const epoch = this.heard || (await get("/api/rate/epoch")).epoch;
      const held = await this.kept.others(epoch);
      for (let first = 0; first < held.length; first += COMPARED) {
        const asked = held.slice(first, first + COMPARED);
        const answer = await post("/api/rate/kept", { keys: asked.map(({ entry }) => entry.save.key) }, this.options());
        if (answer.epoch !== epoch) {
          this.heard = answer.epoch;
          return this.later();
        }
        const missing = new Set(answer.missing);
        await this.takeBack(asked.filter(({ entry }) => missing.has(entry.save.key)));
        await this.kept.confirm(asked.filter(({ entry }) => !missing.has(entry.save.key)), epoch);
      }
      this.heard = this.epoch = epoch;
      this.unknownIn = null;
      return true;
    } catch (error) {
      return await this.failed(error, []);
    }
  }

  /** Put the answers that the server lacks into the queue again. @param {KeptAnswer[]} lost */
  async takeBack(lost) {
    const waiting = lost.filter(({ name, entry }) => this.write(name, entry));
    this.again += lost.length;
    if (lost.length) this.listener.onState("saving", this.waiting().length);
    await this.kept.remove(waiting.map(({ name }) => name)); // answers that the queue lacks must stay in `kept`
  }

  /** @returns {RequestInit} */
  options() {
    return { headers: { "X-Capscope-Rater": this.code } }; // the server refuses if the cookie is another rater's
  }

  /** Try again after a pause. @param {Busy | null} busy error with the pause that a busy server asks for */
  later(busy = null) {
    this.isToldToWait = busy !== null;
    const asked = busy ? Math.min(LONGEST_WAIT_MS, 1000 * busy.seconds) : 0;
    this.timer = setTimeout(() => {
      this.isToldToWait = false;
      this.flush();
    }, Math.max(this.pause, asked));
    this.pause = Math.min(LONGEST_PAUSE_MS, this.pause * 2);
    return false;
  }

  /** @param {[string, Entry][]} batch */
  async send(batch) {
    try {
      const saves = batch.map(([name, entry]) => ({
        ...entry.save,
        age_ms: this.age(name, entry),
      }));
      // with keepalive, the browser finishes the request even if the page closes
      const keepalive = JSON.stringify(saves).length < 20_000;
      const body = { saves, ...(this.epoch && { epoch: this.epoch }) };
      const { results, epoch } = await post("/api/rate/saves", body, { keepalive, ...this.options() });
      const stored = batch.filter((_, index) => results[index].saved);
      if (epoch) this.kept.add(stored, epoch);
      batch.forEach(([name, entry], index) => this.settle(name, entry, results[index]));
      for (const [, { save }] of stored) this.letGo(save.assignment);
      this.listener.onStored(stored.map(([, { save }]) => save));
      if (epoch) this.heard = epoch;
      return true;
    } catch (error) {
      return await this.failed(error, batch);
    }
  }

  /** Return how long ago an entry was made, in whole ms.
   * The computer's clock is used only for entries that were made before the page was opened, because somebody may set
   * this clock while an entry waits.
   * @param {string} name @param {Entry} entry */
  age(name, { at }) {
    const taken = this.taken.get(name);
    return Math.max(0, Math.round(taken === undefined ? Date.now() - at : performance.now() - taken));
  }

  /** Handle the server's result for an entry: stored, refused, or not accepted yet.
   * @param {string} name @param {Entry} entry @param {Result} result */
  settle(name, entry, result) {
    if (result.refusal?.kind === "veiled") return void this.held.set(name, entry.save.assignment);
    if (!result.saved) {
      const aside = { ...entry, refusal: result.refusal };
      if (!keep(name.replace(PREFIX, REFUSED), aside)) {
        localStorage.removeItem(name); // remove the old copy first: the storage may be too full for both
        keep(name.replace(PREFIX, REFUSED), aside);
      }
      this.listener.onRefused(entry.save, result.refusal?.detail ?? "The server refused.");
    }
    if (!this.unstored.delete(name)) localStorage.removeItem(name);
  }

  /** Handle a failed request.
   * @param {unknown} error @param {[string, Entry][]} batch entries of the request
   * @returns {Promise<boolean>} whether sending can continue */
  async failed(error, batch) {
    if (isRefused(error, "went_back")) {
      this.heard = "";
      return true;
    }
    if (isRefused(error, "not_yours")) {
      const refusal = { kind: error.kind, detail: error.message };
      batch.forEach(([name, entry]) => this.settle(name, entry, { saved: false, refusal }));
      return true;
    }
    if (!(error instanceof Unreachable || error instanceof Refused)) throw error;
    this.told = error instanceof Unreachable ? error.told : error.kind === "signed_out" ? null : error.message;
    // try to store these entries again, because the browser's storage may have room now
    for (const [name, entry] of this.unstored) if (keep(name, entry)) this.unstored.delete(name);
    const signedOut = isRefused(error, "signed_out");
    if (signedOut && (await this.cameBack())) return true;
    const state = !signedOut ? "offline" : this.unknownIn === null ? "signed-out" : "unknown";
    this.listener.onState(state, this.waiting().length);
    return this.later(error instanceof Busy ? error : null);
  }

  /** Sign the rater in again after a restored database has lost the session.
   * Try this only once in each epoch (state of the server's database).
   * Return whether the rater is signed in. */
  async cameBack() {
    if (this.epoch === null) return false;
    try {
      const { epoch } = await get("/api/rate/epoch");
      if (epoch === this.epoch || epoch === this.unknownIn) return false;
      const isKnown = await this.listener.onStepBack();
      this.unknownIn = isKnown ? null : epoch;
      if (isKnown) this.heard = epoch;
      return isKnown;
    } catch (error) {
      if (!(error instanceof Unreachable || error instanceof Refused)) throw error;
      return false;
    }
  }
}

/** Return the first entries that fit into one request. @param {[string, Entry][]} entries */
function fitting(entries) {
  const encoder = new TextEncoder();
  let bytes = 0;
  const over = entries.slice(0, BATCH).findIndex(([, { save }]) =>
    (bytes += encoder.encode(JSON.stringify(save)).length) > LARGEST
  );
  return entries.slice(0, over < 0 ? BATCH : Math.max(1, over));
}

function newKey() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
