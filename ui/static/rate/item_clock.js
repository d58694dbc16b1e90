// How long an item has been in sight, and since when it has been before the rater; both by a clock that nobody sets.

/** @import { Item, Sight } from "../shared/types.d.ts" */

export class SightClock {
  /** @param {Item} item @param {() => void} onTurn is called whenever the page is hidden, shown again or left */
  constructor(item, onTurn) {
    this.item = item;
    /** @type {number | null} */
    this.since = null; // when it came into sight, by performance.now()
    this.first = item.sight.first ??= performance.now() - item.sight.shown; // when it was first shown, likewise
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

  /** How long the item has been in sight, and how long ago it was first shown, in whole milliseconds. */
  times() {
    const { id, sight } = this.item;
    const now = performance.now();
    if (this.since !== null) {
      sight.ms += now - this.since;
      this.since = now;
    }
    sight.shown = now - this.first;
    writeSight(id, sight);
    return { in_sight_ms: Math.round(sight.ms), shown_ms: Math.max(0, Math.round(sight.shown)) };
  }

  stop() {
    this.times();
    document.removeEventListener("visibilitychange", this.turn);
    window.removeEventListener("pagehide", this.turn);
  }
}

/** How long an item has been in sight, and how long ago it was first shown, kept across reloads of the tab. Only the time
 * between two pages is read off the wall clock.
 * @param {string} id @returns {Sight} */
export function readSight(id) {
  try {
    const { ms, shown, at } = JSON.parse(sessionStorage.getItem(`capscope.sight.${id}`) ?? "null");
    const sum = ms + shown + at;
    if (Number.isFinite(sum)) return { ms, shown: shown + Math.max(0, Date.now() - at), first: null };
  } catch {
    // nothing was kept
  }
  return { ms: 0, shown: 0, first: null };
}

/** @param {string} id @param {Sight} sight */
function writeSight(id, { ms, shown }) {
  try {
    sessionStorage.setItem(`capscope.sight.${id}`, JSON.stringify({ ms, shown, at: Date.now() }));
  } catch {
    // without storage a reload starts the clock again
  }
}
