// Visitors' answers on the rating page of a static copy of the app. Only the visitor's browser keeps them.

import { apply, isComplete, isUnveiled } from "../rate/answers.js";
import { forget, remember, remembered } from "../shared/storage.js";

/** @import { Queue, Save, Study } from "../shared/types.d.ts" */
/** @import { Answer, Body } from "../shared/wire.d.ts" */
/** @import { Recorded } from "./recording.js" */

const KEPT_KEY = "capscope.recorded.answers";
const SESSION = "/api/rate/session", STUDIES = "/api/rate/studies", SAVES = "/api/rate/saves";
const ITEMS = /^\/api\/rate\/studies\/(\d+)\/items/;

export class KeptAnswers {
  /** @param {(question: string) => Promise<Recorded | null>} recorded */
  constructor(recorded) {
    this.recorded = recorded;
    /** @type {Save[]} */
    this.saves = JSON.parse(remembered(KEPT_KEY) ?? "[]");
  }

  /** Answer requests about the rater's own answers in place of the server. Return null for other requests.
   * @param {string} method @param {string} path @param {BodyInit | null} [body] @returns {Promise<Recorded | null>} */
  async answer(method, path, body) {
    if (method === "POST" && path === SAVES) return { json: this.take(JSON.parse(String(body))) };
    if (method === "DELETE" && path === SESSION) return { json: this.leave() };
    const study = method === "GET" && ITEMS.exec(path)?.[1];
    return study ? this.items(`GET ${path}`, Number(study)) : null;
  }

  /** @param {Body<"POST", typeof SAVES>} sent @returns {Answer<"POST", typeof SAVES>} */
  take({ saves }) {
    this.saves.push(.../** @type {any} */ (saves));
    remember(KEPT_KEY, JSON.stringify(this.saves));
    return { results: saves.map(({ key }) => ({ key: String(key), saved: true, refusal: null })), epoch: "" };
  }

  /** @returns {Answer<"DELETE", typeof SESSION>} */
  leave() {
    this.saves = [];
    forget(KEPT_KEY);
    return { rater: null, given: null, panel: null };
  }

  /** Return the recorded items, together with the answers given in this browser.
   * @param {string} question @param {number} id the study's id */
  async items(question, id) {
    const found = await this.recorded(question), studies = await this.recorded(`GET ${STUDIES}`);
    if (!found || !studies) return null;
    /** @type {Queue} */
    const queue = found.json;
    /** @type {Study} */
    const study = studies.json.find((/** @type {Study} */ one) => one.id === id);
    for (const item of queue.items) {
      this.saves.filter(({ assignment }) => assignment === item.id).forEach((save) => apply(save, item, study));
      item.finished = isComplete(study, item);
      item.open ||= isUnveiled(study, item);
    }
    queue.done = queue.items.filter(({ finished }) => finished).length;
    queue.resume = queue.items.find(({ finished }) => !finished)?.place ?? queue.total + 1;
    return { json: queue };
  }
}
