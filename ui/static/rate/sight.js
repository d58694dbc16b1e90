// Measures how long an item has been in sight, and when it was first shown. The times do not change if somebody sets
// the computer's clock.

import { readTab, writeTab } from "../shared/storage.js";

/** @import { Item, Sight } from "../shared/types.d.ts" */

export class SightClock {
  /** @param {Item} item @param {() => void} onTurn is called when the browser hides, shows or leaves the page */
  constructor(item, onTurn) {
    this.item = item;
    /** @type {number | null} */
    this.since = null; // `since`: when the item came into sight last; `first`: when first (both by performance.now())
    this.first = item.sight.first ??= performance.now() - item.sight.shown;
    this.begin();
    this.turn = () => {
      this.times();
      this.begin();
      onTurn();
    };
    document.addEventListener("visibilitychange", this.turn);
    window.addEventListener("pagehide", this.turn);
  }

  begin() {
    this.since = document.visibilityState === "visible" ? performance.now() : null;
  }

  /** Return in whole milliseconds how long the item was in sight, and how long ago it was first shown. */
  times() {
    const { id, sight } = this.item;
    const now = performance.now();
    if (this.since !== null) {
      sight.ms += now - this.since;
      this.since = now;
    }
    sight.shown = now - this.first;
    writeTab(`capscope.sight.${id}`, { ms: sight.ms, shown: sight.shown, at: Date.now() });
    return { in_sight_ms: Math.round(sight.ms), shown_ms: Math.max(0, Math.round(sight.shown)) };
  }

  stop() {
    this.times();
    document.removeEventListener("visibilitychange", this.turn);
    window.removeEventListener("pagehide", this.turn);
  }
}

/** Read the times of an item that the browser tab stored before it was reloaded.
 * Only the duration of the reload itself is measured with the computer's clock.
 * @param {string} id @returns {Sight} */
export function readSight(id) {
  const { ms, shown, at } = readTab(`capscope.sight.${id}`) ?? {};
  if (!Number.isFinite(ms + shown + at)) return { ms: 0, shown: 0, first: null };
  return { ms, shown: shown + Math.max(0, Date.now() - at), first: null };
}
