// One rater's way through one study: item after item to the end, and what becomes of the answers.

import { Busy, isRefused, Refused, wordsOf } from "../shared/api.js";
import { dialog, el, say } from "../shared/dom.js";
import { button, paragraph, quiet } from "../shared/elements.js";
import { countDown } from "../shared/waiting.js";
import { ItemView } from "./item.js";
import { ending } from "./end.js";
import { entryOf } from "./entry.js";
import { Shelf } from "./item_store.js";
import { saveAnswers } from "./answer_file.js";
import { setFiled } from "./outbox_storage.js";
import { placeText, savingText } from "./status.js";

/** @import { Child, Item, Rater, Save, Study } from "../shared/types.d.ts" */
/** @import { Outbox } from "./outbox.js" */
/** @import { State } from "./status.js" */
/** @typedef {object} RunPage what a run can do with the page
 * @property {(content: Child) => void} show in a column
 * @property {(element: HTMLElement) => void} showItem
 * @property {() => void} showRater
 * @property {boolean} isSent a panel has sent the rater
 * @property {(place: HTMLElement) => Promise<void>} showWayBack at the end, once everything is saved
 * @property {() => void} signOut
 * @property {() => void} startAgain as a new rater of the same code
 * @property {() => Promise<boolean>} comeBack by the return key; returns whether the server knows the rater
 * @property {(() => void) | null} another to another study */

const RETRY_MS = 2000;
const PAINT_MS = 50; // an item is on the screen by then; what comes next can wait for that

export class RatingRun {
  /** @param {Study} study @param {Rater} rater @param {Outbox} outbox @param {RunPage} page */
  constructor(study, rater, outbox, page) {
    this.study = study;
    this.rater = rater;
    this.outbox = outbox;
    this.page = page;
    /** @type {ItemView | null} the item on the screen */
    this.view = null;
    /** @type {State} */
    this.state = "saved";
    /** @type {number | null} */
    this.wanted = null; // the place that is on the screen, or on its way
    this.ended = false;
    this.wayBack = el("div", { role: "status" }); // at the end
    this.status = el("p", { role: "status", class: "status" });
    const way = (/** @type {string} */ text, /** @type {() => void} */ click) =>
      button(text, click, "small", { hidden: true });
    this.signIn = way("Sign in again", page.signOut);
    this.startAgain = way(`Start again as ${rater.code}`, page.startAgain);
    this.toFile = way("Save answers as a file", () => this.saveFile());
    this.ways = el("span", { class: "ways" }, this.signIn, !page.isSent && this.startAgain, this.toFile);
    this.isTelling = false; // of refused answers, in a dialog
    this.shelf = new Shelf(study, outbox);
    outbox.tell({
      onState: (state) => this.showState(state),
      onRefused: (_save, reason) => this.onRefused(reason),
      onStored: (saves) => saves.forEach((save) => this.onStored(save)),
      onStepBack: () => page.comeBack(),
      onSentAgain: () => this.onSentAgain(),
    });
  }

  /** Go on where the rater was. Throws Refused, Unreachable. */
  async begin() {
    const place = await this.shelf.open();
    this.state = this.outbox.waiting().length ? "saving" : "saved";
    this.outbox.flush();
    await this.goTo(place);
  }

  /** Whether the page says that the study has stopped. */
  isStopped() {
    return this.ended && this.shelf.stopped !== null && this.shelf.stopped !== "full";
  }

  /** Leave the screen to something else; answers that wait are sent all the same. */
  rest() {
    this.view?.close();
    this.view = null;
    this.wanted = null;
    this.ended = false;
  }

  /** @param {Child} content */
  show(content) {
    this.view = null;
    this.page.show(content);
  }

  /** Show the item at a place of the rater's order; beyond the last one is the end. The browser's own Back leads to the
   * place before.
   * @param {number} place @param {{byHistory?: boolean}} [how] byHistory: the browser is there already */
  async goTo(place, { byHistory = false } = {}) {
    if (this.wanted === null) noteInHistory(place, true);
    else if (!byHistory) afterPaint(() => noteInHistory(place, false)); // inside Gradio's frame it takes milliseconds
    this.wanted = place;
    this.ended = false;
    if (this.shelf.isOver(place)) return this.showEnd();
    this.view?.close();
    const item = this.shelf.get(place) ?? await this.fetch(place);
    if (!item) return;
    const view = this.view = new ItemView(this, item);
    // Scrolling and focus make the browser lay out the page at once. So the old item is scrolled, which is laid out
    // already, and the focus moves once the new item is painted.
    scrollTo({ top: 0 });
    this.page.showItem(view.element);
    afterPaint(() => this.view === view && view.focusFirst());
    this.showStateOr("saved");
    setTimeout(() => this.wanted === place && this.shelf.fetchAhead(place).catch(() => {}), PAINT_MS); // who needs an item says why it does not come
  }

  /** Wait for an item; returns it if it came and is still wanted.
   * @param {number} place @returns {Promise<Item | undefined>} */
  async fetch(place) {
    const busy = el("p", { role: "status" });
    this.show([
      el("h1", {}, "Fetching the next item …"),
      busy,
      this.status, // the item before must not take the answers meant for this one
      this.ways,
      quiet("Everything you have answered is kept. This page goes on by itself."),
    ]);
    this.showStateOr("loading");
    let item;
    try {
      item = await this.shelf.fetch(place);
    } catch (error) {
      if (error instanceof Busy) {
        countDown(busy, error.words, error.seconds).then((isShown) => {
          if (isShown && this.wanted === place) this.goTo(place, { byHistory: true });
        });
        return undefined;
      }
      if (!(error instanceof Refused)) throw error;
      if (isRefused(error, "signed_out")) this.page.signOut();
      else this.show([el("h1", {}, "Something went wrong"), this.status, paragraph(wordsOf(error))]);
      return undefined;
    }
    if (this.wanted !== place) return undefined;
    if (!item && this.shelf.isOver(place)) this.showEnd();
    else if (!item) setTimeout(() => this.wanted === place && this.goTo(place, { byHistory: true }), RETRY_MS);
    return item;
  }

  /** Show the end. Once all is saved the server's count replaces our own. */
  showEnd() {
    this.ended = true;
    const { shelf, status, ways, rater } = this;
    this.view?.close();
    const { total, stopped } = shelf;
    const progress = {
      rated: shelf.done(),
      total,
      practice: shelf.practice.length,
      stopped,
      minutes: shelf.minutes(),
    };
    this.wayBack.replaceChildren();
    const [heading, ...rest] = ending({
      ...progress,
      status: [this.wayBack, status, ways],
      rater: this.page.isSent ? null : rater,
    }, {
      again: () => this.goTo(1),
      resume: async () => this.goTo(await shelf.open()),
      another: this.page.another,
    });
    this.show([heading, ...rest]);
    this.showStateOr("saved");
    heading.focus();
  }

  async recount() {
    const before = this.shelf.done();
    await this.shelf.open();
    if (this.ended && this.shelf.done() !== before) return this.showEnd();
    if (this.ended && !this.outbox.waiting().length) await this.page.showWayBack(this.wayBack);
  }

  /** Show what becomes of the answers that wait, or this where none does.
   * @param {State} state */
  showStateOr(state) {
    this.showState(this.outbox.waiting().length ? this.state : state);
  }

  /** Say plainly whether all is saved, and where the rater is.
   * @param {State} state */
  showState(state) {
    if (state === "saved" && this.state === "offline" && this.view) {
      this.shelf.fetchAhead(this.view.item.place).catch(() => {});
    }
    if (state === "saved" && this.ended) this.recount().catch(() => {}); // our own count stands until it works
    if (state === "saved") this.view?.allSaved();
    if (state === "saved" || state === "offline") this.view?.picture.tellConnection(state === "offline");
    this.state = state;
    const { shelf, outbox, rater } = this;
    const unkept = outbox.unkept(), refused = outbox.refused().length, { again, told } = outbox;
    const waiting = outbox.waiting().length;
    const saving = savingText(state, { waiting, unkept, refused, again, code: rater.code, told });
    const place = placeText(this.wanted ?? 1, shelf);
    this.status.dataset.state = (unkept || refused) && state !== "saving" ? "at-risk" : state;
    this.signIn.hidden = state !== "signed-out";
    this.startAgain.hidden = state !== "unknown";
    this.toFile.hidden = state !== "unknown" && !refused;
    say(this.status, shelf.total && !this.ended ? `${saving} · ${place}` : saving);
  }

  /** The server has stored something: it may open an item's picture.
   * @param {Save} save */
  onStored(save) {
    const item = this.shelf.takeStored(save);
    if (item && this.view?.item === item) this.view.picture.show();
    if (this.view?.item.id === save.assignment) this.view.evidence?.hints.stored(save);
  }

  /** Say once that answers were refused; the status goes on saying so. @param {string} reason */
  onRefused(reason) {
    if (this.isTelling) return;
    this.isTelling = true;
    const box = dialog(
      "An answer was not stored",
      paragraph(reason),
      paragraph(button("Save it as a file", () => this.saveFile())),
    );
    box.addEventListener("close", () => this.isTelling = false);
  }

  /** After a step back the server has again what it lacked: look what it gives out now. */
  onSentAgain() {
    const place = this.wanted ?? 1;
    this.shelf.forgetAfter(place);
    if (this.view) this.shelf.fetchAhead(place).catch(() => {}); // who needs an item says why it does not come
  }

  /** Save as a file what the server does not have; the rater sends it to whoever sent the link. */
  async saveFile() {
    saveAnswers(this.rater.code, await this.outbox.unsent());
    setFiled(this.rater.code);
    this.showState(this.state);
  }

  /** Another tab of this browser has taken an answer, or the server has stored one: show it here too.
   * @param {StorageEvent} event */
  onOtherTab({ key, newValue, oldValue }) {
    if (!key?.startsWith(this.outbox.prefix)) return;
    const entry = entryOf(newValue || oldValue);
    if (!entry) return;
    if (!newValue) return this.onStored(entry.save);
    const item = this.shelf.takeSave(entry.save);
    if (item && this.view?.item === item) this.view.refresh();
  }
}

/** Do something once what has just been made is on the screen. @param {() => void} work */
function afterPaint(work) {
  requestAnimationFrame(() => setTimeout(work));
}

/** Let the browser's Back and Forward lead from place to place. @param {number} place @param {boolean} isFirst */
function noteInHistory(place, isFirst) {
  if (history.state?.capscopePlace === place) return;
  const state = { ...history.state, capscopePlace: place };
  if (isFirst) history.replaceState(state, "");
  else history.pushState(state, "");
}
