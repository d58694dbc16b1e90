// The codes of one metric's errors in one data set, with one codebook, and tables of them. The page shows a code before
// the server saves it. Changes of codes are sent to the server one after the other.

import { get, post, Refused, request, wordsOf } from "../shared/api.js";
import { el, field, say } from "../shared/dom.js";
import { fileName } from "../shared/downloads.js";
import { actions, asOptions, button, picker, quiet, statusText } from "../shared/elements.js";
import { remember, remembered } from "../shared/storage.js";
import { printed } from "./table.js";

/** @import { Codebook, Coded } from "../shared/wire.d.ts" */
/** @typedef {{id: number, key: string, caption: string}} Row a sample in the list of errors */

const CODER_KEY = "capscope.coder";

export class Coding {
  /** @param {{changed: () => void, chosen: (code: string) => void, showKeys: () => void}} callbacks changed is called
   * when other codes are to be shown; chosen is called with the code whose button was clicked */
  constructor({ changed, chosen, showKeys }) {
    this.changed = changed;
    this.chosen = chosen;
    this.showKeys = showKeys;
    const account = document.querySelector("meta[name=capscope-account]")?.getAttribute("content"); // who is signed in
    this.coder = account ?? remembered(CODER_KEY) ?? "";
    this.of = { dataset: "", metric: "", codebook: "expert" };
    /** @type {Codebook[]} */
    this.books = [];
    /** @type {Map<string, Map<string, string>>} */
    this.given = new Map(); // maps a sample's key to a map from each coder to this coder's code
    this.saving = Promise.resolve(); // resolves when all changes of codes are stored
    this.name = el("input", {
      id: "coder",
      maxlength: 100,
      readonly: account !== undefined,
      title: account && "Your codes are stored for the account with which you are logged in.",
      size: 12,
      autocomplete: "off",
      input: () => {
        this.coder = this.name.value.trim();
        remember(CODER_KEY, this.coder);
        this.changed();
      },
    });
    this.name.value = this.coder;
    this.file = el("input", {
      type: "file",
      accept: "application/json,.json",
      class: "visually-hidden",
      id: "import-book",
      tabindex: "-1",
      "aria-hidden": "true",
      change: () => this.addBook(),
    });
    this.book = el("span");
    this.codes = el("div", { class: "actions codes" });
    this.status = statusText();
    this.results = el("div");
    this.node = el(
      "details",
      { class: "coding" },
      el("summary", {}, "Code errors"),
      el("div", { class: "search" }, this.book, field("Coder", this.name)),
      this.codes,
      this.status,
      this.results,
    );
  }

  get codebook() {
    return this.books.find(({ name }) => name === this.of.codebook) ?? this.books[0];
  }

  /** Fetch and show the codes of a metric's errors.
   * @param {string} dataset @param {string} metric @param {string} [codebook] */
  async open(dataset, metric, codebook = this.of.codebook) {
    this.of = { dataset, metric, codebook };
    try {
      if (!this.books.length) this.books = await get("/api/coding/codebooks");
      await this.saving;
      const coded = await this.fetch();
      this.given = new Map();
      for (const [sample, coder, code] of coded.codings) this.codesOf(sample).set(coder, code);
      this.draw(coded);
    } catch (error) {
      say(this.status, wordsOf(error));
    }
    this.changed();
  }

  fetch() {
    return get(`/api/coding/coded?${new URLSearchParams(this.of)}`);
  }

  /** Return the codes of a sample; key: coder. @param {string} sample */
  codesOf(sample) {
    const codes = this.given.get(sample) ?? new Map();
    this.given.set(sample, codes);
    return codes;
  }

  /** @param {Coded} coded */
  draw(coded) {
    const { dataset, metric, codebook } = this.of, choices = asOptions(this.books.map(({ name }) => name));
    const choose = (/** @type {string} */ name) => this.open(dataset, metric, name);
    this.book.replaceChildren(field("Codebook", picker({ id: "codebook" }, choices, codebook, choose)));
    this.codes.replaceChildren(
      ...this.codebook.codes.map(({ key, label }, number) =>
        button([el("kbd", {}, number + 1), ` ${label}`], () => this.chosen(key), "code", {
          title: this.codebook.source,
        })
      ),
      button("Keys", this.showKeys, "quiet-button"),
    );
    this.drawResults(coded);
  }

  /** @param {Coded} coded */
  drawResults({ tables }) {
    const query = new URLSearchParams(this.of), name = Object.values(this.of).join(" ");
    const saved = { href: `/api/coding/coded-set.json?${query}`, download: `coded-${fileName(name)}.json` };
    this.results.replaceChildren(
      ...tables.map((table, at) =>
        printed(table, { name, file: (kind) => `/api/coding/coded/${at}.${kind}?${query}` })
      ),
      tables.length === 1 ? quiet("When a second person codes, Cohen’s κ between both is shown here.") : "",
      actions(
        tables.length > 0 && el("a", { class: "button", ...saved }, "Export codes"),
        button("Add own codebook", () => this.file.click()),
        this.file,
      ),
    );
  }

  /** Give a row a code, and save it; null removes the coder's code. @param {Row} row @param {string | null} code */
  give(row, code) {
    const { coder, of: { metric, codebook } } = this, codes = this.codesOf(row.key);
    if (code === null) codes.delete(coder);
    else codes.set(coder, code);
    const label = this.codebook.codes.find(({ key }) => key === code)?.label;
    say(this.status, "Saving …");
    this.saving = this.saving.then(async () => {
      try {
        await request("PUT", "/api/coding/codes", { sample: row.id, metric, codebook, coder, code });
      } catch (error) {
        const why = error instanceof Refused ? error.message : "the server does not answer. Code the row again.";
        return say(this.status, `Not saved: ${why}`);
      }
      const coded = await this.fetch().catch(() => null); // if this fetch fails, the code is still stored on the server
      if (coded) this.drawResults(coded);
      say(this.status, `Saved: “${row.caption}” ${label ? `is ${label}` : "has no code"}.`);
    });
  }

  /** Store the codebook of the chosen file, and show it. */
  async addBook() {
    try {
      const added = await post("/api/coding/codebooks", JSON.parse(await (this.file.files?.[0]?.text() ?? "null")));
      this.books = await get("/api/coding/codebooks");
      await this.open(this.of.dataset, this.of.metric, added.name);
      say(this.status, `The codebook ${added.name} with ${added.codes.length} codes was added.`);
    } catch (error) {
      say(this.status, error instanceof SyntaxError ? `This is not a JSON file: ${error.message}.` : wordsOf(error));
    }
  }
}
