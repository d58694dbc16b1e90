// A rater's run through a study: shows item after item, sends the answers, and shows their state.

import { Busy, isRefused, post, Refused } from "../shared/api.js";
import { dialog, el, say } from "../shared/dom.js";
import { button, paragraph, quiet } from "../shared/elements.js";
import { isDone, NO_PICTURE } from "./answers.js";
import { comingBack } from "./dialogs.js";
import { endPage, heading, lastPage, showTrouble } from "./endings.js";
import { ItemView } from "./item.js";
import { Shelf } from "./items.js";
import { placeText, savingText } from "./status.js";
import { entryOf } from "./stored_answers.js";

/** @import { Child, Item, Rater, Save, Study } from "../shared/types.d.ts" */
/** @import { Outbox } from "./outbox.js" */
/** @import { RatePage } from "./page.js" */
/** @import { State } from "./status.js" */

const RETRY_MS = 2000;
const PAINT_MS = 50; // ms to wait until an item is on the screen, before the next items are fetched

export class RatingRun {
  /** @param {Study} study @param {Rater} rater @param {Outbox} outbox @param {RatePage} page */
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
    /** @type {string[]} */
    this.early = []; // digits, "n" and "Enter" that were pressed after the last answer to an item, for the next items
    this.ended = false;
    this.hasSaved = false; // whether the server has stored an answer since the page was opened
    this.keyWords = el("p", { role: "status", class: "quiet" }); // says which keys wait while an item is fetched
    this.wayBack = el("div", { role: "status" }); // element that shows the way back to the platform on the end page
    this.status = el("p", { role: "status", class: "status" });
    const way = (/** @type {string} */ text, /** @type {() => void} */ click) =>
      button(text, click, "small", { hidden: true });
    this.signIn = way("Sign in again", () => page.signOut());
    this.startAgain = way(`Start again as ${rater.code}`, () => page.startAgain());
    this.ways = el("span", { class: "ways" }, this.signIn, !page.sender && this.startAgain);
    this.isTelling = false; // whether a dialog that reports a refused answer is open
    this.shelf = new Shelf(study, outbox);
    outbox.serve(this);
  }

  /** Continue where the rater stopped. Throws Refused, Unreachable. */
  async begin() {
    const place = await this.shelf.open();
    this.state = this.outbox.waiting.length ? "saving" : "saved";
    this.outbox.flush();
    await this.goTo(place);
  }

  /** Return whether the page says that the study has stopped. */
  isStopped() {
    return this.ended && this.shelf.stopped !== null && this.shelf.stopped !== "full";
  }

  /** Return whether the rater has rated or skipped every item. */
  isFinished() {
    return this.shelf.total > 0 && this.shelf.done() >= this.shelf.reach();
  }

  /** Remove the item from the screen, because another page is shown. Waiting answers are still sent. */
  rest() {
    this.view?.close();
    this.view = null;
    this.wanted = null;
    this.ended = false;
  }

  /** @param {Child} content */
  show(content) {
    this.view?.close();
    this.view = null;
    this.page.show(content);
  }

  /** Show the item at a place in the rater's order, or the end page after the last item.
   * The browser's Back button leads to the previous place.
   * @param {number} place @param {{byHistory?: boolean, toOpen?: boolean}} [how] byHistory: whether the browser's
   * history is already at this place; toOpen: whether to pass over finished items @returns {Promise<void>} */
  async goTo(place, { byHistory = false, toOpen = false } = {}) {
    if (toOpen) place = this.shelf.openFrom(place);
    if (this.wanted === null) noteInHistory(place, true);
    else if (!byHistory) afterPaint(() => noteInHistory(place, false)); // slow in Gradio's frame, so after painting
    if (!toOpen && place !== this.wanted && place !== (this.wanted ?? place) + 1) this.early = [];
    this.wanted = place;
    this.ended = false;
    if (this.shelf.isOver(place)) return this.showEnd();
    this.view?.close();
    const item = this.shelf.items.get(place) ?? await this.fetch(place);
    if (!item) return;
    if (toOpen && isDone(this.study, item)) return this.goTo(place, { byHistory, toOpen });
    const view = this.view = new ItemView(this, item);
    // If a script scrolls or moves the focus, the browser must lay out the page immediately. So the page scrolls while
    // it still shows the old item, and the focus moves only after the new item is painted.
    scrollTo({ top: 0 });
    this.page.showItem(view.element);
    afterPaint(() => this.view === view && view.focusFirst());
    this.showStateOr("saved");
    while (this.early.length && this.view && !this.view.goesOn) {
      const key = this.early.shift();
      if (key === "Enter") this.view.goNext(false);
      else if (key !== "n") this.view.answer(Number(key));
      else if (!item.image) this.view.answer(NO_PICTURE);
    }
    // a failed request is reported only when the rater needs the item
    setTimeout(() => this.wanted === place && this.shelf.fetchAhead(place).catch(() => {}), PAINT_MS);
  }

  /** Keep a key until the next item is shown, if the rater presses it before. Return whether the key is kept.
   * Backspace removes the last kept key. @param {string} key */
  keepKey(key) {
    const { view, early, wanted, ended } = this;
    if (view ? !view.goesOn || (key === "Enter" && !early.length) : wanted === null || ended) return false;
    if (key !== "Backspace") early.push(key);
    else if (!early.pop() && view) view.goesOn = false;
    const words = early.length ? `These keys wait for the next item: ${early.join(" ").replaceAll("Enter", "↵")}` : "";
    this.keyWords.textContent = words;
    view?.questions.message(words || view.questions.waitingWords());
    return true;
  }

  /** Wait for an item. Return it if it has arrived and the rater has not gone elsewhere meanwhile.
   * @param {number} place place in the rater's order @returns {Promise<Item | undefined>} */
  async fetch(place) {
    const again = () => this.wanted === place && this.goTo(place, { byHistory: true });
    if (!this.early.length) this.keyWords.textContent = "";
    const waiting = [
      this.keyWords,
      this.status, // no item is shown while waiting, so that no answer goes to the wrong item
      this.ways,
      quiet("All your answers are kept. This page continues by itself when the server answers."),
    ];
    this.show([heading("Fetching the next item …"), waiting]);
    this.showStateOr("loading");
    try {
      const item = await this.shelf.fetch(place);
      if (this.wanted !== place) return undefined;
      if (!item && this.shelf.isOver(place)) this.showEnd();
      else if (!item) setTimeout(again, RETRY_MS);
      return item;
    } catch (error) {
      if (isRefused(error, "signed_out")) this.page.signOut();
      else if (error instanceof Busy || error instanceof Refused) {
        showTrouble(error, again, (content) => this.show([content, waiting]));
      } else throw error;
      return undefined;
    }
  }

  /** Show the end page. At first, it states the number of finished items that this page has counted.
   * When all answers are saved, it states the server's number instead. */
  showEnd() {
    this.ended = true;
    const { shelf, page, rater } = this, practice = shelf.practice.length;
    const rated = Math.max(0, shelf.done() - practice), skipped = shelf.skipped();
    const counts = { rated, skipped, total: shelf.total - practice };
    const isOver = shelf.stopped && (!shelf.total || shelf.done() < shelf.total);
    const backWords = `To come back from another browser, give your code ${rater.code} with this return key:`;
    const back = !isOver && !page.sender && comingBack(rater, backWords);
    const more = [this.wayBack, this.status, this.ways, back];
    const resume = async () => this.goTo(await shelf.open());
    this.wayBack.replaceChildren();
    this.show([
      isOver && shelf.stopped
        ? endPage(shelf.stopped, counts, more, resume)
        : lastPage(counts, more, { again: () => this.goTo(1), resume }),
      page.others(),
    ]);
    this.showStateOr("saved");
  }

  async recount() {
    const { shelf } = this, before = [shelf.done(), shelf.skipped()];
    await shelf.open();
    if (this.ended && (shelf.done() !== before[0] || shelf.skipped() !== before[1])) return this.showEnd();
    if (this.ended && !this.outbox.waiting.length) await this.page.showWayBack(this.wayBack);
  }

  /** Show the state of the waiting answers. If no answer waits, show the given state.
   * @param {State} state */
  showStateOr(state) {
    this.onState(this.outbox.waiting.length ? this.state : state);
  }

  /** Show whether all answers are saved, and the rater's place among the items, for example "item 3 of 12".
   * @param {State} state */
  onState(state) {
    const { shelf, outbox, rater, view } = this, { again, told, refused, waiting } = outbox;
    if (state === "saved" && this.state === "offline" && view) shelf.fetchAhead(view.item.place).catch(() => {});
    // The end page shows this page's own count of finished items until recount() has the server's number.
    if (state === "saved" && this.ended) this.recount().catch(() => {});
    if (state === "saved") view?.picture.fetchRegions();
    if (state === "saved" || state === "offline") view?.picture.tellConnection(state === "offline");
    this.state = state;
    const unkept = outbox.unkept(), isUntouched = !waiting.length && !this.hasSaved && shelf.isUntouched();
    const now = state === "saved" && isUntouched ? "new" : state;
    const saving = savingText(now, { waiting: waiting.length, unkept, refused, again, code: rater.code, told });
    this.status.dataset.state = (unkept || refused) && state !== "saving" ? "at-risk" : now;
    this.signIn.hidden = state !== "signed-out";
    this.startAgain.hidden = state !== "unknown";
    const isPlaced = shelf.total > 0 && !this.ended;
    say(this.status, isPlaced ? `${saving} · ${placeText(this.wanted ?? 1, shelf, this.study)}` : saving);
  }

  /** Update items after the server has stored answers. If a picture was hidden until then, show it.
   * @param {Save[]} saves */
  onStored(saves) {
    this.hasSaved = true;
    for (const save of saves) {
      const item = this.shelf.takeStored(save);
      if (item && this.view?.item === item) this.view.picture.show();
    }
  }

  /** Report a refused answer in a dialog, unless such a dialog is open. The status line also reports refused answers.
   * @param {Save} _save @param {string} reason */
  onRefused(_save, reason) {
    if (this.isTelling) return;
    this.isTelling = true;
    const advice = "The answer is kept in this browser. Tell the person who sent you the link.";
    const box = dialog("An answer was not stored", paragraph(reason), paragraph(advice));
    box.addEventListener("close", () => this.isTelling = false);
  }

  /** Sign the rater in again after the database was restored to an earlier time.
   * Return whether the server knows the rater. Throws Unreachable. */
  async onStepBack() {
    const { code, return_key } = this.rater;
    try {
      await post("/api/rate/session", { code, return_key });
      return true;
    } catch (error) {
      if (error instanceof Refused) return false;
      throw error;
    }
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
    if (!this.outbox.owns(key)) return;
    this.outbox.read();
    const entry = entryOf(newValue || oldValue);
    if (!entry) return;
    if (!newValue) return this.onStored([entry.save]);
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
