// Import data in three steps: files, meanings of their columns, and the import. The import continues if its dialog is
// closed.

import { get, post, request, send, wordsOf } from "../shared/api.js";
import { dialog, el, say } from "../shared/dom.js";
import { actions, alertText, button, paragraph } from "../shared/elements.js";
import { forget, remember } from "../shared/storage.js";
import { ColumnsStep } from "./bring_columns.js";
import { FilesStep, importOptions } from "./bring_files.js";
import { ImportStep, startedImport } from "./bring_import.js";

/** @import { ImportBody, ImportJson, ImportOptions } from "../shared/wire.d.ts" */
/** @typedef {Required<ImportBody>} Request */

const STEPS = ["Files", "Columns", "Import"];
const KEPT = "capscope-import"; // name under which the browser stores the running import

/** Open the dialog that imports data. @param {{onEnd: () => void, onStudy: (dataset: string) => void}} act */
export async function bringData(act) {
  try {
    const [options, datasets, running] = await Promise.all([
      importOptions(),
      get("/api/datasets"),
      startedImport(KEPT),
    ]);
    new BringData(options, datasets.map(({ name }) => name), running, act);
  } catch (error) {
    dialog("Data cannot be imported now", paragraph(wordsOf(error)));
  }
}

class BringData {
  /** @param {ImportOptions} options @param {string[]} datasets names of existing data sets
   * @param {{key: string, body: Request} | null} running the running import
   * @param {{onEnd: () => void, onStudy: (dataset: string) => void}} act */
  constructor(options, datasets, running, act) {
    this.options = options;
    this.datasets = datasets;
    this.act = act;
    /** @type {Promise<string> | null} */
    this.key = null;
    this.isRunning = false;
    /** @type {Request | null} */
    this.request = null;
    this.body = el("div", { class: "wizard bring" });
    this.box = dialog("Import data", this.body);
    this.box.classList.add("wide", "capscope");
    this.box.addEventListener("close", () => this.closed());
    this.problem = alertText();
    this.files = new FilesStep(options, () => this.begin(), () => say(this.problem, ""));
    if (running) this.follow(running.key, running.body);
    else this.first();
  }

  /** Return the import's key, which the server makes when the first file is sent. */
  begin() {
    this.key ??= request("POST", "/api/imports").then(({ id }) => id);
    this.key.catch(() => (this.key = null));
    return this.key;
  }

  closed() {
    this.files.stop();
    // if this request fails, the import expires on the server by itself
    if (!this.isRunning) this.key?.then((key) => send("DELETE", `/api/imports/${key}`)).catch(() => {});
  }

  /** @param {number} number of the step @param {string} text @param {import("../shared/types.d.ts").Child[]} content */
  step(number, text, content) {
    say(this.problem, "");
    const heading = el("h3", { tabindex: "-1" }, text);
    this.body.replaceChildren(
      el(
        "ol",
        { class: "steps" },
        STEPS.map((name, index) => el("li", { "aria-current": index + 1 === number ? "step" : null }, name)),
      ),
      heading,
      el("div", {}, content),
    );
    heading.focus();
  }

  first() {
    this.step(1, "Which files hold your data?", [
      this.files.nodes,
      this.problem,
      this.buttons(null, () => {
        if (this.files.missing) return say(this.problem, this.files.missing);
        this.second();
      }, "Continue"),
    ]);
  }

  async second() {
    const key = await this.begin(), { request: chosen } = this.files;
    /** @type {Request} */
    const request = String(chosen.files) === String(this.request?.files) && this.request
      ? Object.assign(this.request, chosen)
      : {
        ...chosen,
        format: "",
        dataset: chosen.files[0].replace(/\.gz$/i, "").replace(/\.[^.]+$/, ""),
        columns: {},
        human_scale: null,
        score_scale: null,
        metric: null,
        system: null,
        keep: [],
        skip_bad: false,
      };
    this.request = request;
    const columns = new ColumnsStep(key, request, this.options.formats, this.datasets, () => say(this.problem, ""));
    let isWaiting = false; // whether “Import” was pressed but the preview is not finished yet
    this.step(2, "What do the columns of the file mean?", [
      columns.nodes,
      this.problem,
      this.buttons(() => this.first(), async () => {
        if (isWaiting) return;
        isWaiting = true;
        if (!columns.isSure) say(this.problem, "Reading the rows …");
        await columns.settled();
        isWaiting = false;
        if (!this.body.contains(columns.found)) return; // the user has opened another step meanwhile
        if (!columns.isSure) {
          return say(this.problem, "No row can be read with these columns yet. Choose the columns in the table above.");
        }
        if (!request.dataset) return say(this.problem, "Enter a name for the data set.");
        this.third(key, request, false);
      }, "Import"),
    ]);
  }

  /** Start the import, and show the third step.
   * @param {string} key the import's key @param {Request} request
   * @param {boolean} skipBad whether rows with errors are skipped */
  async third(key, request, skipBad) {
    request.skip_bad = skipBad;
    try {
      await post(`/api/imports/${key}/start`, request);
    } catch (error) {
      return say(this.problem, wordsOf(error));
    }
    this.follow(key, request);
  }

  /** @param {string} key @param {Request} body */
  follow(key, body) {
    this.isRunning = true;
    remember(KEPT, JSON.stringify({ key, body }));
    this.request = body;
    this.key = Promise.resolve(key);
    const step = new ImportStep(key, {
      onEnd: () => {
        this.isRunning = false;
        forget(KEPT);
        this.act.onEnd();
      },
      onStudy: (dataset) => {
        this.box.close();
        this.act.onStudy(dataset);
      },
      onAgain: (skipBad) => this.third(key, body, skipBad),
      onBack: () => this.second(),
    }, body.keep);
    this.step(3, `Data set ${body.dataset}`, [step.node, this.problem]);
  }

  /** Build the buttons Cancel, Back and the one to the next step.
   * @param {(() => void) | null} back @param {() => void} next @param {string} name label of the last button */
  buttons(back, next, name) {
    return actions(
      button("Cancel", () => this.box.close()),
      back && button("Back", back),
      button(name, next, "primary"),
    );
  }
}
