// The codes of one metric's errors in one data set, with one codebook. The page shows a code before the server saves it.
// Changes of codes are sent to the server one after the other.

import { get, Refused, request } from "../shared/api.js";

/** @import { Body, Coded } from "../shared/wire.d.ts" */

export class Codings {
  /** @param {{onCoded: (coded: Coded) => void, said: (text: string) => void}} callbacks onCoded is called with the
   * codes on the server after each load and save; said is called with a message about the outcome of each save */
  constructor({ onCoded, said }) {
    this.onCoded = onCoded;
    this.said = said;
    this.saving = Promise.resolve();
    this.set = { dataset: "", metric: "", codebook: "" };
    /** @type {Map<string, Map<string, string>>} */
    this.given = new Map(); // maps a sample's key to a map from each coder to this coder's code
  }

  /** Wait until all changes are stored, then fetch the codes for the data set, metric and codebook in this.set.
   * Pass the fetched codes to take(), which shows them. */
  async coded() {
    await this.saving;
    return this.ask();
  }

  ask() {
    return get(`/api/coding/coded?${new URLSearchParams(this.set)}`);
  }

  /** @param {Coded} coded */
  take(coded) {
    this.given = new Map();
    for (const [sample, coder, code] of coded.codings) this.codersOf(sample).set(coder, code);
    this.onCoded(coded);
  }

  /** @param {string} sample */
  codersOf(sample) {
    const coders = this.given.get(sample) ?? new Map();
    this.given.set(sample, coders);
    return coders;
  }

  /** Save the code that a coder gives to a row; null removes the code.
   * @param {{id: number, key: string, caption: string}} row @param {string} coder @param {string | null} code @param {string} [label] the code's name */
  save(row, coder, code, label) {
    const coders = this.codersOf(row.key);
    if (code === null) coders.delete(coder);
    else coders.set(coder, code);
    const { metric, codebook } = this.set;
    this.said("Saving …");
    this.saving = this.saving.then(() =>
      this.put(
        { sample: row.id, metric, codebook, coder, code },
        label ? `Saved: “${row.caption}” is ${label}.` : `Saved: “${row.caption}” has no code.`,
      )
    );
  }

  /** @param {Body<"PUT", "/api/coding/codes">} body @param {string} done */
  async put(body, done) {
    try {
      await request("PUT", "/api/coding/codes", body);
    } catch (error) {
      return this.said(
        `Not saved: ${error instanceof Refused ? error.message : "the server does not answer. Code the row again."}`,
      );
    }
    const coded = await this.ask().catch(() => null); // if this fetch fails, the code is still stored on the server
    if (coded) this.onCoded(coded);
    this.said(done);
  }
}
