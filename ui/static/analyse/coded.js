// The results of coding errors: tables of codes and of the coders' agreement, the export of codes, and own codebooks.

import { post, wordsOf } from "../shared/api.js";
import { el } from "../shared/dom.js";
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
    this.file = el("input", {
      type: "file",
      accept: "application/json,.json",
      class: "visually-hidden",
      id: "import-book",
      tabindex: "-1",
      "aria-hidden": "true",
      change: () => this.add(),
    });
  }

  /** @param {Coded} coded @param {{dataset: string, metric: string, book: string}} of */
  draw({ tables }, { dataset, metric, book }) {
    const query = new URLSearchParams({ dataset, metric, codebook: book }), name = `${dataset} ${metric} ${book}`;
    const address = `/api/coding/coded-set.json?${query}`;
    this.node.replaceChildren(
      ...tables.map((table, at) =>
        printed(table, { name, file: (kind) => `/api/coding/coded/${at}.${kind}?${query}` })
      ),
      tables.length === 1 ? quiet("When a second person codes, Cohen’s κ between both is shown here.") : "",
      actions(
        tables.length > 0 &&
          el("a", { class: "button", href: address, download: `coded-${fileName(name)}.json` }, "Export codes"),
        button("Add own codebook", () => this.file.click()),
        this.file,
      ),
      this.outcome,
    );
    this.outcome.textContent = this.said;
    this.said = "";
  }

  /** Store the codebook of the chosen file, and show it. */
  async add() {
    try {
      const added = await post("/api/coding/codebooks", JSON.parse(await (this.file.files?.[0]?.text() ?? "null")));
      this.said = `The codebook ${added.name} with ${added.codes.length} codes was added.`;
      await this.changed(added.name);
    } catch (error) {
      this.outcome.textContent = error instanceof SyntaxError
        ? `This is not a JSON file: ${error.message}.`
        : wordsOf(error);
    }
  }
}
