// The shelf: the items fetched so far, with their pictures, and the answers that are on their way.

import { at } from "../shared/address.js";
import { get, Unreachable } from "../shared/api.js";

/** @import { Item, Queue, Save, Sight, Study } from "../shared/types.d.ts" */
/** @import { Outbox } from "./outbox.js" */

const AHEAD = 2; // items fetched before they are needed

export class Shelf {
  /** @param {Study} study @param {Pick<Outbox, "waiting">} outbox */
  constructor(study, outbox) {
    this.study = study;
    this.outbox = outbox;
    /** @type {Map<number, Item>} by place */
    this.items = new Map();
    this.total = 0;
    this.doneBefore = 0;
    /** @type {Set<number>} places */
    this.finishedHere = new Set();
    /** @type {Map<number, Promise<void>>} by place */
    this.fetching = new Map();
  }

  /** Fetch the rater's place and the items from there; returns the place to go on from. */
  async open() {
    const answer = await get(this.url(null));
    this.doneBefore = answer.done;
    this.finishedHere.clear();
    this.take(answer);
    let place = answer.resume;
    while (this.items.has(place) && isComplete(this.study, this.items.get(place))) place++;
    return place;
  }

  /** @param {number} place */
  has(place) {
    return this.items.has(place);
  }

  /** @param {number} place */
  get(place) {
    return this.items.get(place);
  }

  /** Fetch the item at a place; returns undefined when the server does not answer or has no more.
   * @param {number} place */
  async fetch(place) {
    if (!this.fetching.has(place)) {
      const fetched = get(this.url(place)).then((answer) => this.take(answer));
      this.fetching.set(place, fetched.finally(() => this.fetching.delete(place)));
    }
    try {
      await this.fetching.get(place);
    } catch (error) {
      if (!(error instanceof Unreachable)) throw error;
    }
    return this.items.get(place);
  }

  /** @param {number} place */
  fetchAhead(place) {
    for (let next = place + 1; next <= Math.min(place + AHEAD, this.total); next++) {
      if (!this.items.has(next)) return this.fetch(next);
    }
  }

  /** @param {number | null} start @returns {`/api/rate/studies/${number}/items?${string}`} */
  url(start) {
    const from = start === null ? "" : `&start=${start}`;
    return `/api/rate/studies/${this.study.id}/items?count=${AHEAD + 1}${from}`;
  }

  /** @param {Queue} answer */
  take({ total, items }) {
    this.total = total;
    for (const item of items) {
      if (!this.items.has(item.place)) this.items.set(item.place, this.prepared(item));
      if (!item.finished && isComplete(this.study, this.items.get(item.place))) this.finishedHere.add(item.place);
    }
  }

  /** Lay answers that the server does not have yet over the item, and start fetching its picture.
   * @param {Item} item */
  prepared(item) {
    for (const [, { save }] of this.outbox.waiting()) {
      if (save.assignment === item.id) lay(save, item);
    }
    if (item.image) {
      item.picture = new Image();
      item.picture.decoding = "async";
      item.picture.alt = "The picture that the caption describes";
      [item.picture.width, item.picture.height] = item.image_size;
      item.picture.src = at(item.image);
      item.picture.decode().catch(() => {}); // a picture that cannot be shown says so where it stands
    }
    item.sight = readSight(item.id);
    return item;
  }

  /** Lay an answer from elsewhere over its item; returns the item, if it is on the shelf.
   * @param {Save} save */
  takeSave(save) {
    const item = [...this.items.values()].find(({ id }) => id === save.assignment);
    if (!item) return undefined;
    lay(save, item);
    if (isComplete(this.study, item)) this.finish(item);
    return item;
  }

  /** Note that every question of an item has an answer.
   * @param {Item} item */
  finish(item) {
    if (!item.finished) this.finishedHere.add(item.place);
    item.finished = true;
  }

  /** How many items have every answer: what the server knew when the shelf was opened, and what came since. */
  done() {
    return this.doneBefore + this.finishedHere.size;
  }

  /** How long the items were in sight; 0 where some were rated on another day and are not known here. */
  minutes() {
    if (this.items.size < this.total) return 0;
    let sum = 0;
    for (const item of this.items.values()) sum += item.sight.ms;
    return sum / 60000;
  }
}

/** @param {Save} save @param {Item} item */
function lay(save, item) {
  if (save.kind === "rating") item.panels[save.panel - 1].answers[save.criterion] = save.point;
  if (save.kind === "reveal") item.revealed = true;
  if (save.kind === "note") item.note = save.text;
}

/** Whether every question about every explanation of an item has an answer.
 * @param {Study} study @param {Item} item */
export function isComplete(study, item) {
  return item.panels.every(({ answers }) => study.criteria.every(({ key }) => key in answers));
}

/** How long an item has been in sight, and since when, kept across reloads of the tab.
 * @param {string} id @returns {Sight} */
function readSight(id) {
  try {
    return JSON.parse(sessionStorage.getItem(`capscope.sight.${id}`)) ?? { first: null, ms: 0 };
  } catch {
    return { first: null, ms: 0 };
  }
}

/** @param {string} id @param {Sight} sight */
export function writeSight(id, sight) {
  try {
    sessionStorage.setItem(`capscope.sight.${id}`, JSON.stringify(sight));
  } catch {
    // without storage a reload starts the clock again
  }
}
