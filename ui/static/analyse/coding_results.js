// The results of coding errors: counts of the codes as in published papers, kappa between coders, and the import and
// export of codes and codebooks.

import { get, post, wordsOf } from "../shared/api.js";
import { el, say } from "../shared/dom.js";
import { actions, button, paragraph, quiet, statusText } from "../shared/elements.js";
import { fileName, records } from "../shared/tables.js";

/** @import { Coded, Codebook } from "../shared/wire.d.ts" */

export class CodedResults {
  /** @param {(book: string, books: Codebook[]) => Promise<void>} changed is called after an import of codes or of a
   * codebook. It gets the name of the codebook to show, and the list of all codebooks. */
  constructor(changed) {
    this.changed = changed;
    this.section = el("section", { class: "analyse-section", "aria-labelledby": "coded" });
    this.said = "";
    this.dataset = "";
    this.metric = "";
    this.outcome = statusText();
  }

  /** Show the codes that people gave to a metric's errors in a data set, from one codebook.
   * @param {Coded} coded @param {{dataset: string, own: string, book: string}} chosen own: the metric's
   * name; book: the codebook's name */
  draw({ counts, kappas, codings }, { dataset, own: metric, book }) {
    this.dataset = dataset;
    this.metric = metric;
    const file = `${dataset} ${book}`;
    const load = fileInput("import-set", () => this.takeIn(load));
    const bookFile = fileInput("import-book", () => this.addBook(bookFile));
    const address = `/api/coding/coded-set.json?${new URLSearchParams({ dataset, metric, codebook: book })}`;
    this.section.classList.toggle("folded", !codings.length);
    this.section.replaceChildren(
      el("h2", { id: "coded" }, "Coded errors"),
      codings.length
        ? records(counts, { file: `${file} codes` })
        : paragraph("No errors are coded yet. Click on a row of the list of errors and press a digit."),
      kappas.rows.length
        ? records(kappas, { file: `${file} kappa` })
        : codings.length
        ? quiet("Only one person has coded so far. When a second person codes, Cohen’s κ between both is shown here.")
        : "",
      actions(
        codings.length
          ? el("a", { class: "button", href: address, download: `coded-${fileName(file)}.json` }, "Export coded set")
          : "",
        button("Import coded set", () => load.click()),
        load,
        button("Add own codebook", () => bookFile.click()),
        bookFile,
      ),
      this.outcome,
    );
    this.outcome.textContent = this.said;
    this.said = "";
  }

  /** @param {HTMLInputElement} input */
  async takeIn(input) {
    await this.reading(input, async (content) => {
      const done = await post("/api/coding/coded-set", { dataset: this.dataset, metric: this.metric, content });
      this.said = `Imported ${done.codings} codes: ${done.new} new, ${done.changed} changed.`;
      return done.codebook;
    });
  }

  /** @param {HTMLInputElement} input */
  async addBook(input) {
    await this.reading(input, async (content) => {
      const book = await post("/api/coding/codebooks", content);
      this.said = `The codebook ${book.name} with ${book.codes.length} codes was added.`;
      return book.name;
    });
  }

  /** Read a chosen JSON file, and show the codebook that it contains or uses.
   * @param {HTMLInputElement} input @param {(content: any) => Promise<string>} use stores the file's content and
   * returns the codebook's name */
  async reading(input, use) {
    try {
      const book = await use(JSON.parse(await (input.files?.[0]?.text() ?? "null")));
      await this.changed(book, await get("/api/coding/codebooks"));
    } catch (error) {
      say(this.outcome, error instanceof SyntaxError ? `This is not a JSON file: ${error.message}.` : wordsOf(error));
    }
  }
}

/** @param {string} id @param {() => void} change */
function fileInput(id, change) {
  return el("input", {
    type: "file",
    accept: "application/json,.json",
    class: "visually-hidden",
    id,
    tabindex: "-1",
    "aria-hidden": "true",
    change,
  });
}
