// Check every few seconds, while the page is in sight, whether a study still takes answers from its rater.

import { get, isRefused, Refused, Unreachable } from "../shared/api.js";

/** @import { Answer } from "../shared/wire.d.ts" */
/** @typedef {Answer<"GET", `/api/rate/studies/${number}/standing`>["stopped"]} Stopped */

const EVERY_MS = 5000;

export class StudyWatch {
  /** @param {number} study @param {(stopped: Stopped) => void} onChange gets the reason why the study stopped, or null
   * when it was resumed
   * @param {() => void} onGone is called when the study no longer exists */
  constructor(study, onChange, onGone) {
    this.study = study;
    this.onChange = onChange;
    this.onGone = onGone;
    /** @type {Stopped} */
    this.stopped = null;
    /** @type {number | undefined} */
    this.timer = setInterval(() => this.look(), EVERY_MS);
  }

  /** Ask the server now whether the study is stopped, if the page is in sight. */
  async look() {
    if (document.visibilityState === "hidden") return;
    try {
      const { stopped } = await get(`/api/rate/studies/${this.study}/standing`);
      if (this.timer === undefined || stopped === this.stopped) return;
      this.stopped = stopped;
      this.onChange(stopped);
    } catch (error) {
      if (!(error instanceof Refused || error instanceof Unreachable)) throw error; // the next look() asks again
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
