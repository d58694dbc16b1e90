// The outbox. Every answer is first written to the browser's storage. It is removed only after the server has confirmed
// that it has stored the answer. So answers survive reloads, crashes and two open tabs. Each answer has an idempotency
// key, so sending it twice changes nothing. If the browser stores nothing, the browser asks before the page is left.
//
// If the server's database is restored to an earlier time, the server lacks answers that it had stored. The epoch, a
// text that marks the state of the database, changes then. In a new epoch, the outbox first asks which of the answers
// kept in this browser the server lacks, and sends these answers again.

import { Busy, get, isRefused, post, randomKey, Refused, Unreachable } from "../shared/api.js";
import {
  drop,
  entriesOf,
  entryName,
  keep,
  keepAgain,
  move,
  REFUSED,
  SENT,
  tidy,
  timeOf,
  unkept,
  WAITING,
} from "./stored_answers.js";

/** @import { Save } from "../shared/types.d.ts" */
/** @import { Refusal } from "../shared/wire.d.ts" */
/** @import { Entry } from "./stored_answers.js" */
/** @typedef {"saved" | "saving" | "offline" | "signed-out" | "unknown"} SaveState state of the answers
 * unknown: the server's database was restored to an earlier time, so the server does not know the rater */
/** @typedef {object} Listener callbacks of the page
 * @property {(state: SaveState, waiting: number) => void} onState is called after each change of the state
 * @property {(save: Save, reason: string) => void} onRefused gets each answer that the server refuses
 * @property {(saves: Save[]) => void} onStored gets the answers that the server has stored
 * @property {() => Promise<boolean>} onStepBack signs the rater in again after the server's database was restored to an
 * earlier time; returns whether the server knows the rater
 * @property {() => void} onSentAgain is called after the server has received the answers again that it lacked */

const FIRST_PAUSE_MS = 500, LONGEST_PAUSE_MS = 8000;
const LONGEST_WAIT_MS = 60_000; // maximum pause in ms that a busy server can ask for
const BATCH = 100; // maximum number of answers per request
const LARGEST = 200_000; // maximum bytes of the answers in a request; a request has at least one answer
const COMPARED = 1000; // maximum number of answers per request that asks which answers the server lacks

export class Outbox {
  /** @param {string} code the rater's code */
  constructor(code) {
    this.code = code;
    /** @type {Listener | null} */
    this.listener = null; // null: another rater uses this page, so nothing is sent
    this.pause = FIRST_PAUSE_MS;
    /** @type {number | undefined} */
    this.timer = undefined;
    this.sending = false;
    this.isToldToWait = false; // whether a busy server has asked this page to wait before it sends again
    /** @type {string | null} */
    this.told = null; // the server's reason for storing no answers; null: it has given none
    /** @type {Map<string, number>} maps an entry's name to the time when this page added it, by performance.now() */
    this.taken = new Map();
    /** @type {string | null} */
    this.epoch = null; // latest epoch (database state) in which the server had every answer that this browser keeps
    /** @type {string | null} */
    this.heard = null; // the current epoch (state of the server's database); "" if the page must ask for it
    /** @type {string | null} */
    this.unknownIn = null; // epoch (state of the database) in which the server does not know the rater; null: none
    this.again = 0; // number of stored answers that are being sent again, because the server lost them
    this.last = 0; // time in the name of the newest entry, in ms since 1970; the next entry's name gets a later time
    /** @type {[string, Entry][]} names and entries that the server has not stored yet, oldest first */
    this.waiting = [];
    this.refused = 0; // number of answers that the server has refused
    this.read();
    tidy(code);
    window.addEventListener("online", () => this.flush());
    document.addEventListener("visibilitychange", () => document.visibilityState === "hidden" && this.flush());
    window.addEventListener("beforeunload", (event) => this.unkept() && event.preventDefault());
  }

  /** Read which answers wait or were refused, because other tabs and this page change the browser's storage. */
  read() {
    this.waiting = entriesOf(WAITING, this.code);
    this.refused = entriesOf(REFUSED, this.code).length;
    this.last = Math.max(this.last, ...this.waiting.slice(-1).map(([name]) => timeOf(name)));
  }

  /** Return whether a name in the browser's storage belongs to a waiting answer of this rater.
   * @param {string | null} name */
  owns(name) {
    return name?.startsWith(`${WAITING}.${this.code}.`) ?? false;
  }

  /** Add an answer and send it as soon as possible.
   * @param {Omit<Save, "key">} save */
  add(save) {
    const at = Date.now(), key = randomKey();
    this.last = Math.max(at, this.last + 1); // names must have the order of the answers, even if the clock was set back
    const name = entryName(WAITING, this.code, this.last, key);
    const entry = { at, save: { key, ...save } };
    keep(name, entry);
    this.waiting.push([name, entry]);
    this.taken.set(name, performance.now());
    this.tell(this.isToldToWait ? "offline" : "saving");
    this.flush();
  }

  /** Return how many waiting answers would be lost if the page were closed now. */
  unkept() {
    return unkept(this.code);
  }

  /** @param {SaveState} state */
  tell(state) {
    this.listener?.onState(state, this.waiting.length);
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

  /** Remove the listener, and send nothing until another listener is set. */
  rest() {
    this.listener = null;
    this.isToldToWait = false;
    clearTimeout(this.timer);
  }

  /** Set the listener (the page's callbacks), and start to send answers. @param {Listener} listener */
  serve(listener) {
    this.listener = listener;
    this.read();
  }

  /** Send waiting answers. Only one tab sends, one request at a time, so that answers keep their order. */
  async flush() {
    if (this.sending || !this.listener || this.isToldToWait) return;
    this.sending = true;
    clearTimeout(this.timer);
    try {
      if (navigator.locks) await navigator.locks.request(`${WAITING}.${this.code}.`, () => this.sendAll());
      else await this.sendAll();
    } finally {
      this.sending = false;
    }
    const isMore = this.waiting.length || this.heard !== this.epoch; // answers or an epoch that came while sending
    if (isMore && !this.timer) this.flush();
  }

  async sendAll() {
    this.timer = undefined;
    this.read();
    for (;;) {
      if (this.heard !== this.epoch && !(await this.compare())) return;
      const batch = fitting(this.waiting);
      if (!batch.length) break;
      if (!(await this.send(batch))) return;
    }
    this.pause = FIRST_PAUSE_MS;
    if (this.again) this.listener?.onSentAgain();
    this.again = 0;
    this.tell("saved");
  }

  /** Ask the server which answers it lacks that it had stored, and put them into the queue again, in the order in which
   * they were given. Return whether sending can continue. */
  async compare() {
    try {
      const epoch = this.heard || (await get("/api/rate/epoch")).epoch;
      const sent = entriesOf(SENT, this.code).filter(([, entry]) => entry.epoch !== epoch);
      for (let first = 0; first < sent.length; first += COMPARED) {
        const asked = sent.slice(first, first + COMPARED);
        const keys = asked.map(([, { save }]) => save.key);
        const { epoch: now, missing } = await post("/api/rate/kept", { keys }, this.options());
        if (now !== epoch) {
          this.heard = now;
          return this.later();
        }
        for (const [name, entry] of asked) {
          if (missing.includes(entry.save.key)) move(SENT, WAITING, name, entry);
          else keep(name, { ...entry, epoch });
        }
        this.again += missing.length;
        this.read();
        if (missing.length) this.tell("saving");
      }
      this.heard = this.epoch = epoch;
      this.unknownIn = null;
      return true;
    } catch (error) {
      return await this.failed(error, []);
    }
  }

  /** @returns {RequestInit} */
  options() {
    return { headers: { "X-Capscope-Rater": this.code } }; // the server refuses if the cookie is another rater's
  }

  /** @param {[string, Entry][]} batch */
  async send(batch) {
    try {
      const saves = batch.map(([name, entry]) => ({ ...entry.save, age_ms: this.age(name, entry) }));
      // with keepalive, the browser finishes the request even if the page closes
      const keepalive = JSON.stringify(saves).length < 20_000;
      const body = { saves, ...(this.epoch && { epoch: this.epoch }) };
      const { results, epoch } = await post("/api/rate/saves", body, { keepalive, ...this.options() });
      const stored = batch.filter((_, index) => results[index].saved).map(([, { save }]) => save);
      batch.forEach(([name, entry], index) => {
        const { saved, refusal } = results[index];
        if (saved && epoch) move(WAITING, SENT, name, { ...entry, epoch });
        else if (saved) drop(name);
        else this.refuse(name, entry, refusal);
      });
      this.read();
      this.listener?.onStored(stored);
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

  /** Set an answer aside that the server refuses.
   * @param {string} name @param {Entry} entry @param {Refusal | null} refusal */
  refuse(name, entry, refusal) {
    move(WAITING, REFUSED, name, { ...entry, refusal });
    this.listener?.onRefused(entry.save, refusal?.detail ?? "The server refused.");
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
      for (const [name, entry] of batch) this.refuse(name, entry, { kind: "not_yours", detail: error.message });
      this.read();
      return true;
    }
    if (!(error instanceof Unreachable || error instanceof Refused)) throw error;
    const isSignedOut = error instanceof Refused && error.kind === "signed_out";
    this.told = error instanceof Unreachable ? error.told : isSignedOut ? null : error.message;
    keepAgain();
    if (isSignedOut && (await this.cameBack())) return true;
    this.tell(!isSignedOut ? "offline" : this.unknownIn === null ? "signed-out" : "unknown");
    return this.later(error instanceof Busy ? error : null);
  }

  /** Try again after a pause. Return false. @param {Busy | null} busy error with the pause that a busy server asks for */
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

  /** Sign the rater in again after a restored database has lost the session.
   * Try this only once in each epoch (state of the server's database).
   * Return whether the rater is signed in. */
  async cameBack() {
    if (this.epoch === null || !this.listener) return false;
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
