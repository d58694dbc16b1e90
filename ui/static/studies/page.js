// The Studies page: all studies with their raters' progress, a new study in three steps, reports and exports.

import { get, getNews, Refused, wordsOf } from "../shared/api.js";
import { command } from "../shared/command.js";
import { arrange, dialog, el, say } from "../shared/dom.js";
import { button, paragraph, statusText } from "../shared/elements.js";
import { StudyCard } from "./card.js";
import { StudyWizard } from "./wizard.js";

/** @import { Answer } from "../shared/wire.d.ts" */
/** @typedef {Answer<"GET", "/api/studies">[number]} Study */

const REFRESH_MS = 3000;

/** Fill the panel with the Studies page.
 * @param {HTMLElement} panel */
export async function start(panel) {
  const page = new StudiesPage(panel);
  await page.open();
}

class StudiesPage {
  /** @param {HTMLElement} panel */
  constructor(panel) {
    this.panel = panel;
    this.status = statusText();
    this.list = el("div", { class: "study-list" });
    this.archived = el("div", { class: "study-list" });
    this.aside = el("details", { hidden: true }, el("summary", {}, "Archived studies"), this.archived);
    /** @type {Map<number, StudyCard>} maps the id of a study to its card */
    this.cards = new Map();
    /** @type {string | null} */
    this.tag = null; // ETag of the list of studies that is shown
    this.asked = 0; // times
    this.shown = 0; // serial number of the request whose response is shown
    this.none = el(
      "div",
      { class: "column" },
      paragraph(
        "There is no study yet. A study is a set of explanations that raters judge. Create a study from a data set.",
      ),
      paragraph(button("Create the first study", () => this.makeStudy(), "primary makes")),
    );
  }

  async open() {
    this.panel.replaceChildren(
      el(
        "div",
        { class: "studies" },
        el(
          "div",
          { class: "studies-head" },
          el("h1", {}, "Studies"),
          el(
            "span",
            { class: "actions" },
            button("Get published data", () => this.getPublished(), "manages"),
            button("Import data", () => this.bring(), "makes"),
            button("New study", () => this.makeStudy(), "primary makes"),
          ),
        ),
        this.status,
        this.list,
        this.aside,
      ),
    );
    const wanted = new URLSearchParams(location.search).get("dataset"); // data set for which a study is to be made
    if (wanted) this.makeStudy(wanted);
    if (new URLSearchParams(location.search).has("bring")) this.bring();
    if (new URLSearchParams(location.search).has("published")) this.getPublished();
    await this.refresh();
    const look = () => document.visibilityState === "visible" && this.list.isConnected && this.refresh();
    setInterval(look, REFRESH_MS);
    document.addEventListener("visibilitychange", look); // refresh immediately when the user returns to this page
  }

  async refresh() {
    const turn = this.asked += 1;
    try {
      const news = await getNews("/api/studies", this.tag);
      say(this.status, "");
      if (news && turn > this.shown) { // ignore a response that arrives after the response to a newer request
        this.shown = turn;
        this.show(news.answer);
        this.tag = news.tag;
      }
    } catch (error) {
      say(
        this.status,
        error instanceof Refused
          ? error.message
          : "The server does not answer. This page tries again every three seconds.",
      );
    }
  }

  /** Show the studies. The card of an unchanged study stays in place, so that it keeps the focus and its opened parts.
   * @param {Study[]} studies */
  show(studies) {
    for (const study of studies) {
      const before = this.cards.get(study.id);
      if (before?.update(study)) continue;
      const card = new StudyCard(study, () => this.refresh());
      if (before) card.quality.details.open = before.quality.details.open; // keep the details open in the new card
      this.cards.set(study.id, card);
    }
    const cards = (/** @type {boolean} */ archived) =>
      studies.filter(({ course }) => (course.state === "archived") === archived).flatMap(({ id }) =>
        this.cards.get(id)?.element ?? []
      );
    const [shown, aside] = [cards(false), cards(true)];
    arrange(this.list, studies.length ? shown : [this.none]);
    arrange(this.archived, aside);
    this.aside.hidden = aside.length === 0;
  }

  /** Show the card of a new study, with the next steps. @param {number} id the study's id */
  async made(id) {
    await this.refresh();
    this.cards.get(id)?.offerNext();
  }

  async bring() {
    const { bringData } = await import("./bring.js"); // seldom used
    await bringData({ onEnd: () => this.refresh(), onStudy: (dataset) => this.makeStudy(dataset) });
  }

  async getPublished() {
    const { getPublished } = await import("./get_published.js"); // seldom used
    await getPublished({ onEnd: () => this.refresh(), onStudy: (dataset) => this.makeStudy(dataset) });
  }

  /** Open the wizard for a new study. @param {string | null} [dataset] the preselected data set */
  async makeStudy(dataset = null) {
    let datasets, forms;
    try {
      [datasets, forms] = await Promise.all([
        get("/api/datasets"),
        get("/api/studies/forms"),
      ]);
    } catch (error) {
      dialog("A study cannot be created now", paragraph(wordsOf(error)));
      return;
    }
    const usable = datasets.filter(({ samples }) => samples > 0);
    if (usable.length) new StudyWizard(usable, forms, (id) => this.made(id), dataset);
    else {
      dialog(
        "No data set yet",
        paragraph(
          "A study takes its items from a data set. Close this box and choose “Import data”, or import data with a command:",
        ),
        el("pre", {}, command("import FORMAT FILE --images FOLDER")),
      );
    }
  }
}
