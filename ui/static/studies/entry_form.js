// The form in which a study's manager writes the consent text, and the questions before and after the items.

import { get, latest, post, request, wordsOf } from "../shared/api.js";
import { el, field, say } from "../shared/dom.js";
import { paragraph, quiet, statusText, submitButton } from "../shared/elements.js";
import { Conflict } from "./conflict.js";

/** @import { Answer } from "../shared/wire.d.ts" */

/** @typedef {{consent: string, before: string, after: string}} Texts */

const PAUSE_MS = 300; // ms after the last keypress, before the typed lines are checked

export class EntryForm {
  /** @param {number} study @param {() => void} onSaved */
  constructor(study, onSaved) {
    this.study = study;
    this.said = statusText();
    this.consent = area("entry-consent", 5);
    this.before = area("entry-before", 4);
    this.after = area("entry-after", 3);
    /** @type {Conflict<Texts>} */
    this.conflict = new Conflict({
      names: { consent: "Consent", before: "Questions before", after: "Questions after" },
      mine: () => ({ consent: this.consent.value, before: this.before.value, after: this.after.value }),
      show: (theirs) => this.show(theirs),
      load: async () => {
        return storedOf(await get(`/api/studies/${study}/entry`));
      },
      send: async (mine, stamp) => {
        const saved = await request("PUT", `/api/studies/${study}/entry`, { ...mine, stamp });
        say(this.said, "Saved.");
        onSaved();
        return storedOf(saved);
      },
    });
    this.answers = el(
      "p",
      { class: "quiet", hidden: true },
      el(
        "a",
        { href: `/api/studies/${study}/export.csv?answers=true`, download: true },
        "Export .csv with the answers",
      ),
      " The answers are personal data. No other export contains them.",
    );
    this.fields = el(
      "fieldset",
      { disabled: true }, // until the stored texts are loaded; otherwise they would overwrite what the user has typed
      field("Consent text, shown first (empty: none)", this.consent),
      field("Questions before the items, one per line", this.before),
      this.reading(this.before),
      field("Questions after the items, one per line", this.after),
      this.reading(this.after),
    );
    this.element = el(
      "details",
      { toggle: () => this.fields.disabled && this.load() },
      el("summary", {}, "Consent and questions"),
      el(
        "form",
        { submit: (event) => this.conflict.submit(event, this.said) },
        this.fields,
        quiet(
          "Examples: ",
          el("code", {}, "Are you a native speaker? = yes / no!"),
          " (a rater who chooses an answer with ! cannot take part), ",
          el("code", {}, "How old are you? = 18..99"),
          " (a whole number; write 0.0..1.0 to allow decimals), ",
          el("code", {}, "Anything else? (optional)"),
        ),
        this.conflict.element,
        this.said,
        paragraph(submitButton("Save consent and questions")),
        this.answers,
      ),
    );
  }

  /** Show how the server reads the questions of a text box, while the user types.
   * @param {HTMLTextAreaElement} box */
  reading(box) {
    const list = el("ul", { class: "read-lines quiet", "aria-live": "polite" });
    const turn = latest();
    /** @type {ReturnType<typeof setTimeout>} */
    let timer;
    const read = async () => {
      const isLast = turn();
      if (!box.value.trim()) return list.replaceChildren();
      try {
        const lines = await post(`/api/studies/${this.study}/entry/lines`, { lines: box.value });
        if (isLast()) list.replaceChildren(...lines.map(lineRead));
      } catch (error) {
        if (isLast()) list.replaceChildren(el("li", { class: "problem" }, wordsOf(error)));
      }
    };
    box.addEventListener("input", () => {
      clearTimeout(timer);
      timer = setTimeout(read, PAUSE_MS);
    });
    return list;
  }

  async load() {
    try {
      const found = await get(`/api/studies/${this.study}/entry`);
      const { came, screened_out: out, returned } = found;
      const { values, stamp } = storedOf(found);
      this.fields.disabled = false;
      this.answers.hidden = !came;
      this.show(values);
      this.conflict.open(values, stamp);
      say(this.said, came ? arrivals(came, out, returned) : "");
    } catch (error) {
      say(this.said, wordsOf(error));
    }
  }

  /** @param {Texts} texts */
  show({ consent, before, after }) {
    [this.consent.value, this.before.value, this.after.value] = [consent, before, after];
    for (const box of [this.before, this.after]) box.dispatchEvent(new Event("input"));
    say(this.said, "");
  }
}

/** @param {Texts & {stamp: string}} entry */
function storedOf({ stamp, consent, before, after }) {
  return { values: { consent, before, after }, stamp };
}

/** @param {Answer<"POST", `/api/studies/${number}/entry/lines`>[number]} line */
function lineRead({ question, words }) {
  return question === null ? el("li", { class: "problem" }, words) : el("li", {}, `${question} – ${words}`);
}

/** State how many people opened the study, how many were screened out, and how many left.
 * @param {number} came @param {number} out number of people who were screened out @param {number} returned */
function arrivals(came, out, returned) {
  const people = (/** @type {number} */ number) => `${number} ${number === 1 ? "person" : "people"}`;
  const was = out === 1 ? "was" : "were", has = returned === 1 ? "has" : "have";
  return `${people(came)} opened the study, ${out} ${was} screened out, ${returned} ${has} left.`;
}

/** @param {string} id @param {number} rows */
function area(id, rows) {
  return el("textarea", { id, rows, maxlength: 20_000 });
}
