// Consent and questions before and after a study's items, as its manager writes them.

import { get, request, wordsOf } from "../shared/api.js";
import { el, field, say } from "../shared/dom.js";

export class EntryForm {
  /** @param {number} study */
  constructor(study) {
    this.study = study;
    this.said = el("p", { role: "status", class: "quiet" });
    this.consent = area("entry-consent", 5);
    this.before = area("entry-before", 4);
    this.after = area("entry-after", 3);
    this.answers = el(
      "p",
      { class: "quiet", hidden: true },
      el(
        "a",
        { href: `/api/studies/${study}/export.csv?answers=true`, download: true },
        "Export .csv with the answers",
      ),
      " They are about people themselves: no other export holds them, and no bundle.",
    );
    this.fields = el(
      "fieldset",
      { disabled: true }, // until what is there is known: nothing written meanwhile is overwritten
      field("Consent, shown first (empty: none)", this.consent),
      field("Questions before, one a line", this.before),
      field("Questions after, one a line", this.after),
    );
    this.element = el(
      "details",
      { toggle: () => this.fields.disabled && this.load() },
      el("summary", {}, "Consent and questions"),
      el(
        "form",
        { submit: (event) => this.save(event) },
        this.fields,
        el(
          "p",
          { class: "quiet" },
          "For instance: ",
          el("code", {}, "Are you a native speaker? = yes / no!"),
          " (who answers with ! cannot take part), ",
          el("code", {}, "How old are you? = 18..99"),
          ", ",
          el("code", {}, "Anything else? (optional)"),
        ),
        this.said,
        el("p", {}, el("button", {}, "Save consent and questions")),
        this.answers,
      ),
    );
  }

  async load() {
    try {
      const { consent, before, after, came, screened_out: out, returned } = await get(
        `/api/studies/${this.study}/entry`,
      );
      this.fields.disabled = false;
      this.answers.hidden = !came;
      [this.consent.value, this.before.value, this.after.value] = [consent, before, after];
      say(this.said, came ? `${came} have come, ${out} were screened out, ${returned} have left.` : "");
    } catch (error) {
      say(this.said, wordsOf(error));
    }
  }

  /** @param {Event} event */
  async save(event) {
    event.preventDefault();
    const [consent, before, after] = [this.consent.value, this.before.value, this.after.value];
    try {
      await request("PUT", `/api/studies/${this.study}/entry`, { consent, before, after });
      say(this.said, "Saved.");
    } catch (error) {
      say(this.said, wordsOf(error));
    }
  }
}

/** @param {string} id @param {number} rows */
function area(id, rows) {
  return el("textarea", { id, rows, maxlength: 20_000 });
}
