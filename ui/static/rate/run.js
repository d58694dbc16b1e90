// A rater's run through a study: shows item after item, sends the answers, and shows their state.

import { Busy, isRefused, Refused, wordsOf } from "../shared/api.js";
import { dialog, el, say } from "../shared/dom.js";
import { button, paragraph, quiet } from "../shared/elements.js";
import { countDown } from "../shared/waiting.js";
import { ItemView } from "./item.js";
import { ending } from "./end.js";
import { entryOf } from "./outbox_entry.js";
import { NO_PICTURE } from "./answers.js";
import { WaitingKeys } from "./waiting_keys.js";
import { Shelf } from "./item_store.js";
import { placeText, savingText } from "./save_status.js";

/** @import { Child, Item, Rater, Save, Study } from "../shared/types.d.ts" */
/** @import { Outbox } from "./outbox.js" */
/** @import { State } from "./save_status.js" */
/** @import { Change } from "./item_questions.js" */
/** @typedef {object} RunPage functions and data of the page that a rating run needs
 * @property {(content: Child) => void} show shows content in a column
 * @property {(element: HTMLElement) => void} showItem shows an item
 * @property {() => void} showRater shows the rater's code and return key
 * @property {boolean} isSent whether a recruitment platform has sent the rater
 * @property {(place: HTMLElement) => Promise<void>} showWayBack shows the link or code that leads back to the platform,
 * after everything is saved
 * @property {() => void} signOut
 * @property {() => void} startAgain starts again as a new rater with the same code
 * @property {() => Promise<boolean>} comeBack signs in with the return key; returns whether the server knows the rater
 * @property {(() => void) | null} another goes to another study; null: there is none */

const RETRY_MS = 2000;
const PAINT_MS = 50; // ms to wait until an item is on the screen, before the next items are fetched

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
    this.wanted = null; // place in the rater's order of the item that is shown or being loaded
    this.keys = new WaitingKeys();
    this.keyWords = el("p", { role: "status", class: "quiet" }); // says which keys wait while an item is fetched
    this.isFetching = true; // whether the next item is awaited
    this.ended = false;
    this.isNew = true; // whether the rater never answered; an answer counts even if a restored server has lost it
    /** @type {Change[]} changes of answers in this visit, newest last */
    this.past = [];
    this.wayBack = el("div", { role: "status" }); // element that shows the way back to the platform on the end page
    this.status = el("p", { role: "status", class: "status" });
    const way = (/** @type {string} */ text, /** @type {() => void} */ click) =>
      button(text, click, "small", { hidden: true });
    this.signIn = way("Sign in again", page.signOut);
    this.startAgain = way(`Start again as ${rater.code}`, page.startAgain);
    this.ways = el("span", { class: "ways" }, this.signIn, !page.isSent && this.startAgain);
    this.isTelling = false; // whether a dialog that reports a refused answer is open
    this.shelf = new Shelf(study, outbox);
    outbox.tell({
      onState: (state) => this.showState(state),
      onRefused: (_save, reason) => this.onRefused(reason),
      onStored: (saves) => saves.forEach((save) => this.onStored(save)),
      onStepBack: () => page.comeBack(),
      onSentAgain: () => this.onSentAgain(),
    });
  }

  /** Continue where the rater stopped. Throws Refused, Unreachable. */
  async begin() {
    const place = await this.shelf.open();
    this.state = this.outbox.waiting().length ? "saving" : "saved";
    this.outbox.flush();
    await this.goTo(place);
  }

  /** Return whether the page says that the study has stopped. */
  isStopped() {
    return this.ended && this.shelf.stopped !== null && this.shelf.stopped !== "full";
  }

  /** Return whether the rater has rated or skipped every item. */
  isFinished() {
    return this.shelf.isFinished();
  }

  /** Remove the item from the screen, because another page is shown. Waiting answers are still sent. */
  rest() {
    this.view?.close();
    this.view = null;
    this.wanted = null;
    this.ended = false;
    this.isFetching = false;
    this.keys.clear();
  }

  /** @param {Child} content */
  show(content) {
    this.view = null;
    this.page.show(content);
  }

  /** Show the item at a place in the rater's order, or the end page after the last item.
   * The browser's Back button leads to the previous place.
   * @param {number} place @param {{byHistory?: boolean}} [how] byHistory: whether the browser's history is
   * already at this place */
  async goTo(place, { byHistory = false } = {}) {
    if (this.wanted === null) noteInHistory(place, true);
    else if (!byHistory) afterPaint(() => noteInHistory(place, false)); // slow in Gradio's frame, so after painting
    this.wanted = place;
    this.ended = false;
    if (this.shelf.isOver(place)) return this.showEnd();
    this.view?.close();
    const item = this.shelf.get(place) ?? await this.fetch(place);
    if (!item) return;
    const view = this.view = new ItemView(this, item);
    // If a script scrolls or moves the focus, the browser must lay out the page immediately. So the page scrolls while
    // it still shows the old item, and the focus moves only after the new item is painted.
    scrollTo({ top: 0 });
    this.page.showItem(view.element);
    this.isFetching = false;
    this.keys.moveTo(item.id, view.questions.waiting.size > 0 && !view.questions.untouched().length);
    afterPaint(() => this.view === view && view.focusFirst());
    this.showStateOr("saved");
    this.replayKeys();
    // a failed request is reported only when the rater needs the item
    setTimeout(() => this.wanted === place && this.shelf.fetchAhead(place).catch(() => {}), PAINT_MS);
  }

  /** Keep a key until the next item is shown, if the rater presses it before. Return whether the key is kept.
   * Backspace removes the last kept key. @param {string} key */
  keepKey(key) {
    const { view, keys } = this;
    if (view ? !keys.isOn || (key === "Enter" && !keys.keys.length) : !this.isFetching) return false;
    if (!keys.add(key)) keys.set(false);
    if (view) view.questions.message(keys.words() || view.questions.waitingWords());
    else say(this.keyWords, keys.words());
    return true;
  }

  /** Give the kept keys to the item that is shown now, and to those after it. */
  replayKeys() {
    while (this.keys.keys.length && this.view && !this.keys.isOn) {
      const key = this.keys.next();
      if (key === "Enter") this.view.goNext(false);
      else if (key !== "n") this.view.answer(Number(key));
      else if (!this.view.item.image) this.view.answer(NO_PICTURE);
    }
  }

  /** Go back to an item and undo the latest change of its answers. @param {Item} item */
  async undoAt(item) {
    await this.goTo(item.place);
    afterPaint(() => this.view?.item === item && this.view.undo()); // only after goTo() has focused the new item
  }

  /** Wait for an item. Return it if it has arrived and the rater has not gone elsewhere meanwhile.
   * @param {number} place place in the rater's order @returns {Promise<Item | undefined>} */
  async fetch(place) {
    const busy = el("p", { role: "status" });
    this.isFetching = true;
    say(this.keyWords, this.keys.words());
    this.show([
      el("h1", {}, "Fetching the next item …"),
      busy,
      this.keyWords,
      this.status, // no item is shown while waiting, so that no answer goes to the wrong item
      this.ways,
      quiet("All your answers are kept. This page continues by itself."),
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

  /** Show the end page. At first, it states the number of finished items that this page has counted.
   * When all answers are saved, it states the server's number instead. */
  showEnd() {
    this.ended = true;
    this.isFetching = false;
    this.keys.clear();
    const { shelf, status, ways, rater } = this;
    this.view?.close();
    const { total, stopped } = shelf;
    const progress = {
      rated: shelf.done(),
      skipped: shelf.skipped(),
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
    const { shelf } = this, before = [shelf.done(), shelf.skipped()];
    await shelf.open();
    if (this.ended && (shelf.done() !== before[0] || shelf.skipped() !== before[1])) return this.showEnd();
    if (this.ended && !this.outbox.waiting().length) await this.page.showWayBack(this.wayBack);
  }

  /** Show the state of the waiting answers. If no answer waits, show the given state.
   * @param {State} state */
  showStateOr(state) {
    this.showState(this.outbox.waiting().length ? this.state : state);
  }

  /** Show whether all answers are saved, and the rater's place among the items, for example "item 3 of 12".
   * @param {State} state */
  showState(state) {
    if (state === "saved" && this.state === "offline" && this.view) {
      this.shelf.fetchAhead(this.view.item.place).catch(() => {});
    }
    // The end page shows this page's own count of finished items until recount() has the server's number.
    if (state === "saved" && this.ended) this.recount().catch(() => {});
    if (state === "saved") this.view?.allSaved();
    if (state === "saved" || state === "offline") this.view?.picture.tellConnection(state === "offline");
    this.state = state;
    const { shelf, outbox, rater } = this;
    const unkept = outbox.unkept(), refused = outbox.refused().length, { again, told } = outbox;
    const waiting = outbox.waiting().length;
    this.isNew &&= !waiting && shelf.isUntouched();
    const { isNew } = this;
    const saving = savingText(state, { waiting, unkept, refused, again, code: rater.code, told, isNew });
    const place = placeText(this.wanted ?? 1, shelf, this.study);
    const look = isNew && state === "saved" ? "new" : state;
    this.status.dataset.state = (unkept || refused) && state !== "saving" ? "at-risk" : look;
    this.signIn.hidden = state !== "signed-out";
    this.startAgain.hidden = state !== "unknown";
    say(this.status, shelf.total && !this.ended ? `${saving} · ${place}` : saving);
  }

  /** Update an item after the server has stored an answer. If its picture was hidden until this answer, show it.
   * @param {Save} save */
  onStored(save) {
    this.isNew = false;
    const item = this.shelf.takeStored(save);
    if (item && this.view?.item === item) this.view.picture.show();
  }

  /** Report a refused answer in a dialog, unless such a dialog is open. The status line also reports refused answers.
   * @param {string} reason */
  onRefused(reason) {
    if (this.isTelling) return;
    this.isTelling = true;
    const box = dialog(
      "An answer was not stored",
      paragraph(reason),
      paragraph("The answer is kept in this browser. Tell the person who sent you the link."),
    );
    box.addEventListener("close", () => this.isTelling = false);
  }

  /** Fetch the items again after the server has received the answers that it lacked. */
  onSentAgain() {
    const place = this.wanted ?? 1;
    this.shelf.forgetAfter(place);
    if (this.view) this.shelf.fetchAhead(place).catch(() => {}); // failures are reported when the item is needed
  }

  /** Show an answer that was given in another tab of this browser.
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

/** Run some work after the new elements are on the screen. @param {() => void} work */
function afterPaint(work) {
  requestAnimationFrame(() => setTimeout(work));
}

/** Add a place in the rater's order to the browser's history, for Back and Forward.
 * @param {number} place @param {boolean} isFirst */
function noteInHistory(place, isFirst) {
  if (history.state?.capscopePlace === place) return;
  const state = { ...history.state, capscopePlace: place };
  if (isFirst) history.replaceState(state, "");
  else history.pushState(state, "");
}
