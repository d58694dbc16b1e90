// Whether a study still takes answers from its rater: the server is asked every few seconds while the page is in sight.

import { get, isRefused, Refused, Unreachable } from "../shared/api.js";

/** @import { Answer } from "../shared/wire.d.ts" */
/** @typedef {Answer<"GET", `/api/rate/studies/${number}/standing`>["stopped"]} Stopped */

const EVERY_MS = 5000;

export class StudyWatch {
  /** @param {number} study @param {(stopped: Stopped) => void} onChange is told why the study stops, and null when it goes on
   * @param {() => void} onGone is told that there is no such study any more */
  constructor(study, onChange, onGone) {
    this.study = study;
    this.onChange = onChange;
    this.onGone = onGone;
    /** @type {Stopped} */
    this.stopped = null;
    /** @type {number | undefined} */
    this.timer = setInterval(() => this.look(), EVERY_MS);
  }

  /** Ask now, unless nobody looks at the page. */
  async look() {
    if (document.visibilityState === "hidden") return;
    try {
      const { stopped } = await get(`/api/rate/studies/${this.study}/standing`);
      if (this.timer === undefined || stopped === this.stopped) return;
      this.stopped = stopped;
      this.onChange(stopped);
    } catch (error) {
      if (!(error instanceof Refused || error instanceof Unreachable)) throw error; // the next time tells
      if (this.timer === undefined || !isRefused(error, "not_found")) return;
      this.stop();
      this.onGone();
    }
  }

  stop() {
    clearInterval(this.timer);
    this.timer = undefined;
  }
}
