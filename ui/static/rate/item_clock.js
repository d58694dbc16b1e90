// How long an item has been in sight; it stands still while the page is hidden.

import { writeSight } from "./item_store.js";

/** @import { Item } from "../shared/types.d.ts" */

export class SightClock {
  /** @param {Item} item @param {() => void} onTurn is called whenever the page is hidden, shown again or left */
  constructor(item, onTurn) {
    this.item = item;
    /** @type {number | null} */
    this.since = null; // when it came into sight, by performance.now()
    item.sight.first ??= Date.now();
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
    if (this.since !== null) {
      const now = performance.now();
      sight.ms += now - this.since;
      this.since = now;
    }
    writeSight(id, sight);
    return { in_sight_ms: Math.round(sight.ms), shown_ms: Math.max(0, Date.now() - sight.first) };
  }

  stop() {
    this.times();
    document.removeEventListener("visibilitychange", this.turn);
    window.removeEventListener("pagehide", this.turn);
  }
}
