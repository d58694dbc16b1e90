// One rater's way through one study: item after item to the end, and what becomes of the answers.

import { isRefused } from "../shared/api.js";
import { dialog, el, say } from "../shared/dom.js";
import { ItemView } from "./item.js";
import { Outbox } from "./outbox.js";
import { ending } from "./end.js";
import { Shelf } from "./item_store.js";

/** @import { Child, Item, Rater, Study } from "../shared/types.d.ts" */
/** @import { SaveState } from "./outbox.js" */
/** @typedef {object} RunPage what a run can do with the page
 * @property {(content: Child) => void} show in a column
 * @property {(element: HTMLElement) => void} showItem
 * @property {() => void} showRater
 * @property {() => void} signOut
 * @property {(() => void) | null} another to another study */

const RETRY_MS = 2000;

export class RatingRun {
  /** @param {Study} study @param {Rater} rater @param {RunPage} page */
  constructor(study, rater, page) {
    this.study = study;
    this.rater = rater;
    this.page = page;
    /** @type {ItemView} the item on the screen */
    this.view = null;
    /** @type {SaveState | "loading"} */
    this.state = "saved";
    /** @type {number | null} */
    this.wanted = null; // the place that is on the screen, or on its way
    this.ended = false;
    this.status = el("p", { role: "status", class: "status" });
    this.outbox = new Outbox(
      rater.code,
      (state, waiting) => this.showState(state, waiting),
      (_save, reason) => onRefused(reason),
    );
    this.shelf = new Shelf(study, this.outbox);
  }

  /** Go on where the rater was. Throws Refused, Unreachable. */
  async begin() {
    const place = await this.shelf.open();
    this.state = this.outbox.waiting().length ? "saving" : "saved";
    this.outbox.flush();
    await this.goTo(place);
  }

  /** Leave the screen to something else; answers that wait are sent all the same. */
  rest() {
    this.view?.close();
    this.view = null;
    this.wanted = null;
    this.ended = false;
  }

  close() {
    this.rest();
    this.outbox.close();
  }

  /** @param {Child} content */
  show(content) {
    this.view = null;
    this.page.show(content);
  }

  /** Show the item at a place of the rater's order; beyond the last one is the end.
   * @param {number} place */
  async goTo(place) {
    this.wanted = place;
    this.ended = false;
    if (place > this.shelf.total) return this.showEnd();
    this.view?.close();
    if (!this.shelf.has(place) && !(await this.fetch(place))) return;
    this.view = new ItemView(this, this.shelf.get(place));
    this.page.showItem(this.view.element);
    this.view.focusFirst();
    this.showStateOr("saved");
    this.shelf.fetchAhead(place);
  }

  /** Wait for an item; returns whether it came and is still wanted.
   * @param {number} place */
  async fetch(place) {
    this.show([
      el("h1", {}, "Fetching the next item …"),
      this.status, // the item before must not take the answers meant for this one
      el("p", { class: "quiet" }, "Everything you have answered is kept. This page goes on by itself."),
    ]);
    this.showStateOr("loading");
    let item;
    try {
      item = await this.shelf.fetch(place);
    } catch (error) {
      if (!isRefused(error, "signed_out")) throw error;
      this.page.signOut();
      return false;
    }
    if (this.wanted !== place) return false;
    if (!item && this.shelf.total < place) this.showEnd();
    else if (!item) setTimeout(() => this.wanted === place && this.goTo(place), RETRY_MS);
    return Boolean(item);
  }

  /** Show the end. Once all is saved the server's count replaces our own. */
  showEnd() {
    this.ended = true;
    const { shelf, status } = this;
    this.view?.close();
    const [heading, ...rest] = ending({ rated: shelf.done(), total: shelf.total, minutes: shelf.minutes(), status }, {
      again: () => this.goTo(1),
      resume: async () => this.goTo(await shelf.open()),
      another: this.page.another,
    });
    this.show([heading, ...rest]);
    this.showStateOr("saved");
    if (heading) heading.focus();
  }

  async recount() {
    const before = this.shelf.done();
    await this.shelf.open();
    if (this.ended && this.shelf.done() !== before) this.showEnd();
  }

  /** Show what becomes of the answers that wait, or this where none does.
   * @param {SaveState | "loading"} state */
  showStateOr(state) {
    const waiting = this.outbox.waiting().length;
    this.showState(waiting ? this.state : state, waiting);
  }

  /** Say plainly whether all is saved, and where the rater is.
   * @param {SaveState | "loading"} state @param {number} waiting */
  showState(state, waiting) {
    if (state === "saved" && this.state === "offline" && this.view) this.shelf.fetchAhead(this.view.item.place);
    if (state === "saved" && this.ended) this.recount().catch(() => {}); // our own count stands until it works
    if (state === "saved") this.view?.allSaved();
    this.state = state;
    const answers = waiting === 1 ? "1 answer" : `${waiting} answers`;
    const texts = {
      saved: "Saved",
      saving: "Saving …",
      loading: "Loading the next item …",
      offline: this.outbox.told
        ? `${this.outbox.told} ${answers} kept in this browser, sent as soon as it stores again`
        : `Not connected: ${answers} kept in this browser, sent as soon as the server is back`,
      "signed-out": `${answers} kept in this browser: sign in again as ${this.rater.code} to send them`,
    };
    const place = Math.min(this.wanted ?? 1, this.shelf.total);
    this.status.dataset.state = state;
    say(this.status, `${texts[state]} · item ${place} of ${this.shelf.total}`);
  }

  /** Another tab of this browser has taken an answer: show it here too.
   * @param {StorageEvent} event */
  onOtherTab({ key, newValue }) {
    if (!newValue || !key?.startsWith(this.outbox.prefix)) return;
    const { save } = JSON.parse(newValue);
    const item = this.shelf.takeSave(save);
    if (item && this.view?.item === item) this.view.refresh();
  }
}

/** @param {string} reason */
function onRefused(reason) {
  dialog(
    "An answer was not stored",
    el("p", {}, `The server refused it: ${reason}`),
    el("p", {}, "Reload the page to see what is stored."),
  );
}
