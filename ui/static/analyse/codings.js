// The codes given to the errors of one data set's metric with one codebook: at once on the page, one save after the other.

import { get, Refused, request } from "../shared/api.js";

/** onCoded(coded) is told what the server holds, after each load and save; said(text) of what becomes of a save. */
export class Codings {
  constructor({ onCoded, said }) {
    Object.assign(this, { onCoded, said, saving: Promise.resolve() });
    this.set = null; // {dataset, metric, codebook}
    this.given = new Map(); // sample key -> coder -> code
  }

  /** Fetch what is coded of this.set; take() shows it. */
  coded() {
    return get(`/api/coding/coded?${new URLSearchParams(this.set)}`);
  }

  take(coded) {
    this.given = new Map();
    for (const [sample, coder, code] of coded.codings) this.codersOf(sample).set(coder, code);
    this.onCoded(coded);
  }

  codersOf(sample) {
    if (!this.given.has(sample)) this.given.set(sample, new Map());
    return this.given.get(sample);
  }

  /** The code that a coder has given, or null. */
  of(sample, coder) {
    return this.given.get(sample)?.get(coder) ?? null;
  }

  /** Give a row a code, or take it away with null; label: what the code is called. */
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

  async put(body, done) {
    try {
      await request("PUT", "/api/coding/codes", body);
    } catch (error) {
      return this.said(
        `Not saved: ${error instanceof Refused ? error.message : "the server does not answer. Code the row again."}`,
      );
    }
    const coded = await this.coded().catch(() => null); // the code is stored; what is shown of it may follow with the next
    if (coded) this.onCoded(coded);
    this.said(done);
  }
}
