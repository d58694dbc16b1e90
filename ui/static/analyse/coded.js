// The results of coding errors: tables of codes and of the coders' agreement, and the import and export of codes and
// codebooks.

import { post, wordsOf } from "../shared/api.js";
import { el, say } from "../shared/dom.js";
import { actions, button, quiet, statusText } from "../shared/elements.js";
import { fileName } from "../shared/downloads.js";
import { printed } from "./table.js";

/** @import { Coded } from "../shared/wire.d.ts" */

export class CodedResults {
  /** @param {(book: string) => Promise<void>} changed is called after an import, with the codebook to show */
  constructor(changed) {
    this.changed = changed;
    this.node = el("div");
    this.outcome = statusText();
    this.said = "";
  }

  /** @param {Coded} coded @param {{dataset: string, metric: string, book: string}} of */
  draw({ tables }, { dataset, metric, book }) {
    const query = new URLSearchParams({ dataset, metric, codebook: book }), name = `${dataset} ${metric} ${book}`;
    const load = fileInput("import-set", async (content) => {
      const done = await post("/api/coding/coded-set", { dataset, metric, content });
      this.said = `Imported ${done.codings} codes: ${done.new} new, ${done.changed} changed.`;
      return done.codebook;
    }, this);
    const bookFile = fileInput("import-book", async (content) => {
      const added = await post("/api/coding/codebooks", content);
      this.said = `The codebook ${added.name} with ${added.codes.length} codes was added.`;
      return added.name;
    }, this);
    const address = `/api/coding/coded-set.json?${query}`;
    this.node.replaceChildren(
      ...tables.map((table, at) =>
        printed(table, { name, file: (kind) => `/api/coding/coded/${at}.${kind}?${query}` })
      ),
      tables.length === 1 ? quiet("When a second person codes, Cohen’s κ between both is shown here.") : "",
      actions(
        tables.length > 0 &&
          el("a", { class: "button", href: address, download: `coded-${fileName(name)}.json` }, "Export codes"),
        button("Import codes", () => load.click()),
        load,
        button("Add own codebook", () => bookFile.click()),
        bookFile,
      ),
      this.outcome,
    );
    this.outcome.textContent = this.said;
    this.said = "";
  }
}

/** Make a hidden input for a JSON file. @param {string} id
 * @param {(content: any) => Promise<string>} use stores the file's content and returns the codebook's name
 * @param {CodedResults} results */
function fileInput(id, use, results) {
  const change = async () => {
    try {
      await results.changed(await use(JSON.parse(await (input.files?.[0]?.text() ?? "null"))));
    } catch (error) {
      say(
        results.outcome,
        error instanceof SyntaxError ? `This is not a JSON file: ${error.message}.` : wordsOf(error),
      );
    }
  };
  const input = el("input", {
    type: "file",
    accept: "application/json,.json",
    class: "visually-hidden",
    id,
    tabindex: "-1",
    "aria-hidden": "true",
    change,
  });
  return input;
}
