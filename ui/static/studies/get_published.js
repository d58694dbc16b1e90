// Get published data: list the published data sets, then download and import one of them. The import continues if the
// dialog is closed.

import { get, request, wordsOf } from "../shared/api.js";
import { dialog, el, say } from "../shared/dom.js";
import { actions, alertText, button, orSay, paragraph, quiet } from "../shared/elements.js";
import { forget, remember } from "../shared/storage.js";
import { ImportStep, startedImport } from "./bring_import.js";

/** @import { PublishedJson } from "../shared/wire.d.ts" */
/** @typedef {{onEnd: () => void, onStudy: (dataset: string) => void}} Acts */

const NAME = "Get published data";
const BACK = "Back to the list";
const KEPT = "capscope-published"; // name under which the browser stores the running download
const STATES = { imported: "imported", fetched: "files downloaded", absent: "" };

/** Open the dialog that gets published data. @param {Acts} act */
export async function getPublished(act) {
  try {
    const [list, running] = await Promise.all([get("/api/published"), startedImport(KEPT)]);
    const published = new PublishedData(list, act);
    if (running) published.follow(running.key, running.name);
    else published.show();
  } catch (error) {
    dialog("The list cannot be shown now", paragraph(wordsOf(error)));
  }
}

class PublishedData {
  /** @param {readonly PublishedJson[]} list @param {Acts} act */
  constructor(list, act) {
    this.list = list;
    this.act = act;
    this.problem = alertText();
    this.body = el("div", { class: "published" });
    this.box = dialog(NAME, this.body);
    this.box.classList.add("wide", "capscope");
  }

  show() {
    say(this.problem, "");
    this.body.replaceChildren(
      paragraph(
        "Capscope downloads the files from their authors’ repositories on GitHub, checks them, and imports them. " +
          "Nothing is downloaded before you choose. Please cite the papers.",
      ),
      this.problem,
      el("ul", { class: "published-list" }, this.list.map((one) => this.row(one))),
    );
  }

  /** @param {PublishedJson} one */
  row(one) {
    const size = one.bytes === null ? "size unknown" : `${(one.bytes / 1e6).toFixed(1)} MB`;
    const state = STATES[one.state];
    return el(
      "li",
      {},
      el(
        "div",
        {},
        el("strong", {}, one.name),
        paragraph(one.summary),
        quiet([size, `licence: ${one.licence}`, state].filter(Boolean).join(" · ")),
        el(
          "details",
          {},
          el("summary", {}, "How to cite"),
          paragraph(one.citation),
          paragraph(`GitHub: ${one.repository}`),
        ),
      ),
      button(one.state === "imported" ? "Get again" : "Get", () => this.start(one.name), "", {
        "aria-label": `${one.state === "imported" ? "Get again" : "Get"} ${one.name}`,
      }),
    );
  }

  /** @param {string} name */
  async start(name) {
    try {
      const { id } = await request("POST", `/api/published/${name}`);
      this.follow(id, name);
    } catch (error) {
      say(this.problem, wordsOf(error));
      this.problem.scrollIntoView({ block: "nearest" });
    }
  }

  /** Show the progress of a running import.
   * @param {string} key the import's key @param {string} name name of the data set */
  follow(key, name) {
    remember(KEPT, JSON.stringify({ key, name }));
    const step = new ImportStep(
      key,
      {
        onEnd: (told) => {
          forget(KEPT);
          this.act.onEnd();
          if (told?.result) this.body.append(actions(button(BACK, () => this.again())));
        },
        onStudy: (dataset) => {
          this.box.close();
          this.act.onStudy(dataset);
        },
        onBack: () => this.again(),
      },
      [],
      { opener: NAME, back: BACK },
    );
    const heading = el("h3", { tabindex: "-1" }, name);
    this.body.replaceChildren(heading, step.node);
    heading.focus();
  }

  async again() {
    await orSay(this.problem, get("/api/published").then((list) => this.list = list));
    this.show();
  }
}
