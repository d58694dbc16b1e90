// The shelf keeps the items that were fetched so far, their pictures, and answers that the server does not have yet.

import { at } from "../shared/address.js";
import { Busy, get, Unreachable } from "../shared/api.js";
import { apply, isDone, isUnveiled } from "./answers.js";
import { readSight } from "./sight.js";

/** @import { Item, Queue, QueuedItem, Save, Study } from "../shared/types.d.ts" */
/** @import { Outbox } from "./outbox.js" */

const AT_ONCE = 3; // number of items that one request fetches when the rater needs an item immediately
const DECODED_AHEAD = 2; // number of pictures to decode before they are needed; more would fill the memory

export class Shelf {
  /** @param {Study} study @param {Pick<Outbox, "waiting" | "hear">} outbox */
  constructor(study, outbox) {
    this.study = study;
    this.outbox = outbox;
    /** @type {Map<number, Item>} maps a place in the rater's order to the item */
    this.items = new Map();
    this.total = 0; // number of items that are assigned to the rater
    this.free = 0; // number of further items that the rater may get
    /** @type {Queue["stopped"]} */
    this.stopped = null; // reason why the rater gets no more items
    this.ahead = 0; // number of items to fetch before they are needed
    this.doneBefore = 0; // number of done items according to the server, when the page was opened
    this.skippedBefore = 0; // number of skipped items according to the server's latest reply
    /** @type {readonly number[]} places of practice items in the rater's order, which are counted separately */
    this.practice = [];
    /** @type {Map<number, Promise<void>>} requests in progress, by the first place in the rater's order */
    this.fetching = new Map();
    this.place = 1; // place of the current item in the rater's order
    this.loading = false; // whether a picture is being fetched before it is needed
  }

  /** Fetch items, starting at the place that the server has stored for the rater.
   * Return the place of the first item that is not finished. */
  async open() {
    const answer = await get(`/api/rate/studies/${this.study.id}/items?count=${AT_ONCE}`);
    this.doneBefore = answer.done;
    for (const item of this.items.values()) item.finished = isDone(this.study, item);
    for (const { place, id, finished } of answer.items) {
      const item = this.items.get(place);
      if (item?.id === id) item.finished = finished;
    }
    this.take(answer);
    return this.openFrom(answer.resume);
  }

  /** Return the first place from this one on that is not known to have a finished item. @param {number} place */
  openFrom(place) {
    for (let item = this.items.get(place); item && isDone(this.study, item); item = this.items.get(place)) place++;
    return place;
  }

  /** Return the last place in the rater's order at which there can be an item, as far as the server has said. */
  reach() {
    return this.total + this.free;
  }

  /** Return how many items the rater can get at most. Above 20, `free` does not count all of them. */
  expected() {
    const { done, items } = this.study;
    return this.free ? Math.max(this.reach(), done + items + this.practice.length) : this.reach();
  }

  /** Return whether a place in the rater's order has no item and will get none.
   * @param {number} place */
  isOver(place) {
    return place > this.reach() || (this.stopped !== null && !this.items.has(place));
  }

  /** Fetch the items from a place in the rater's order on. Return the first of them.
   * Return undefined if the server does not answer or has no more items.
   * Throws Refused and Busy.
   * @param {number} place @param {number} count */
  async fetch(place, count = AT_ONCE) {
    if (!this.fetching.has(place)) {
      const places = Array.from({ length: count }, (_, more) => place + more);
      const fetched = get(`/api/rate/studies/${this.study.id}/items?count=${count}&start=${place}`)
        .then((answer) => this.take(answer)).finally(() => {
          for (const each of places) if (this.fetching.get(each) === fetched) this.fetching.delete(each);
        });
      for (const each of places) if (!this.fetching.has(each)) this.fetching.set(each, fetched);
    }
    try {
      await this.fetching.get(place);
    } catch (error) {
      if (!(error instanceof Unreachable) || error instanceof Busy) throw error;
    }
    return this.items.get(place);
  }

  /** Fetch items in groups, and pictures one by one, before the rater needs them.
   * @param {number} place the rater's current place */
  async fetchAhead(place) {
    this.place = place;
    this.fetchPictures();
    const end = Math.min(place + this.ahead, this.reach());
    let first = place + 1;
    while (first <= end && (this.items.has(first) || this.fetching.has(first))) first++;
    if (first > end || first - place > Math.max(DECODED_AHEAD, this.ahead / 2)) return; // enough later items are loaded
    await this.fetch(first, end - first + 1);
  }

  /** @param {Queue} answer */
  take({ total, free, ahead, items, skipped, stopped, epoch, practice }) {
    this.outbox.hear(epoch);
    Object.assign(this, { total, free, ahead, stopped, practice, skippedBefore: skipped });
    for (const item of items) {
      // if items are given back, places change
      if (this.items.get(item.place)?.id !== item.id) this.items.set(item.place, this.prepared(item));
    }
    this.fetchPictures();
  }

  /** Add answers that the server does not have yet to an item, and create the item's picture element.
   * @param {QueuedItem} queued @returns {Item} */
  prepared(queued) {
    /** @type {Item} */
    const item = Object.assign(queued, { sight: readSight(queued.id) });
    for (const [, { save }] of this.outbox.waiting) if (save.assignment === item.id) apply(save, item, this.study);
    if (item.image) {
      item.picture = new Image();
      item.picture.decoding = "async";
      item.picture.alt = "The picture that the caption describes";
      if (item.image_size) [item.picture.width, item.picture.height] = item.image_size;
    }
    return item;
  }

  /** Record that the server has stored an answer. If the picture of its item may be shown from now on, return
   * the item.
   * @param {Save} save */
  takeStored({ assignment }) {
    const item = this.find(assignment);
    if (!item?.image || item.open || !isUnveiled(this.study, item)) return undefined;
    if (this.outbox.waiting.some(([, { save }]) => save.kind === "rating" && save.assignment === assignment)) {
      return undefined;
    }
    item.open = true;
    loadPicture(item);
    return item;
  }

  /** Add an answer from another browser tab to its item. Return the item if this page has fetched it.
   * @param {Save} save */
  takeSave(save) {
    const item = this.find(save.assignment);
    if (item) apply(save, item, this.study);
    return item;
  }

  /** @param {string} assignment */
  find(assignment) {
    return [...this.items.values()].find(({ id }) => id === assignment);
  }

  /** Fetch the pictures of the next items one after the other. If several were fetched together, an answer that is sent
   * meanwhile would wait for all of them. */
  async fetchPictures() {
    for (let near = this.place + 1; near <= this.place + DECODED_AHEAD; near++) {
      const item = this.items.get(near);
      if (!item?.picture?.complete || !item.picture.naturalWidth || item.decoded) continue;
      item.decoded = true;
      item.picture.decode().catch(() => {}); // if decoding fails, the page says so when it shows the item
    }
    if (this.loading) return;
    this.loading = true;
    for (let item = this.nextUnloaded(); item; item = this.nextUnloaded()) await loadPicture(item);
    this.loading = false;
  }

  nextUnloaded() {
    for (let place = this.place; place <= this.place + this.ahead; place++) {
      const item = this.items.get(place);
      if (item?.image && item.open && !item.loading) return item;
    }
    return undefined;
  }

  /** Forget unanswered items after a place in the rater's order.
   * A server whose database was restored to an earlier time may have other items there.
   * @param {number} place */
  forgetAfter(place) {
    for (const [where, item] of this.items) if (where > place && !isTouched(item)) this.items.delete(where);
  }

  /** Return the number of items that are complete or were skipped. It is the number that the server stated when the
   * page was opened, corrected by what has changed on this page since. */
  done() {
    let done = this.doneBefore;
    for (const item of this.items.values()) done += Number(isDone(this.study, item)) - Number(item.finished);
    return done;
  }

  /** Return the number of items that the rater has skipped.
   * It is the server's number, or the number of items that were skipped on this page, whichever is larger.
   * The server's number includes earlier visits, but may lack the latest items. */
  skipped() {
    const here = [...this.items.values()].filter(({ report, practice }) => report?.skip && !practice).length;
    return Math.max(this.skippedBefore, here);
  }

  /** Return whether the rater has not given any answer, note or report yet. */
  isUntouched() {
    return this.done() === 0 && ![...this.items.values()].some(isTouched);
  }
}

/** @param {Item} item */
function isTouched({ panels, note, report }) {
  return Boolean(note || report || panels.some(({ answers }) => Object.keys(answers).length > 0));
}

/** Start to fetch an item's picture, unless this was done before.
 * Return a promise that resolves when the picture has loaded or failed.
 * @param {Item} item */
export function loadPicture(item) {
  const { image, picture } = item;
  if (!image || !picture) return Promise.resolve();
  item.loading ??= new Promise((done) => {
    picture.addEventListener("load", done, { once: true });
    picture.addEventListener("error", done, { once: true });
    picture.src = at(image);
  });
  return item.loading;
}
