// Before the first item: what the study asks, who rates, and which study.

import { isRefused, Refused, Unreachable, wordsOf } from "../shared/api.js";
import { el, field, say } from "../shared/dom.js";
import { instructionsOf } from "./dialogs.js";

/** @import { Rater, Study } from "../shared/types.d.ts" */

/** What stands where there is no study. */
export function noStudy() {
  return [
    el("h1", {}, "No study yet"),
    aboutCapscope(),
    el("p", {}, "A study is a set of explanations to rate. Make one, then come back."),
    el("p", {}, el("a", { href: "/studies", class: "primary" }, "Make a study")),
  ];
}

/** The welcome to a study. */
export class Welcome {
  /** @param {{rater: Rater | null, study: Study, studies: Study[]}} known
   * @param {{enter: (code: string, key: string) => Promise<void>, choose: (study: Study) => void}} does enter lets the rater in
   * and throws what the server says; choose takes another study */
  constructor({ rater, study, studies }, { enter, choose }) {
    this.enter = enter;
    this.code = el("input", {
      id: "code",
      name: "code",
      value: suggestedCode(),
      maxlength: 24,
      autocomplete: "off",
      autocapitalize: "characters",
      spellcheck: "false",
      required: true,
    });
    this.key = el("input", {
      id: "return-key",
      name: "return-key",
      maxlength: 16,
      autocomplete: "off",
      spellcheck: "false",
    });
    this.keyRow = el("p", { class: "field", hidden: true }, el("label", { for: "return-key" }, "Return key"), this.key);
    this.problem = el("p", { role: "alert", class: "problem" });
    this.button = el("button", { class: "primary" }, "Start");
    /** @type {HTMLElement} */
    this.first = rater ? this.button : this.code; // what gets the focus
    const { greeting, paragraphs } = instructionsOf(study);
    this.content = [
      el("h1", {}, greeting),
      aboutCapscope(),
      study.notice && el("p", { class: "notice-line" }, study.notice),
      paragraphs,
      el(
        "form",
        { submit: (event) => this.submit(event), class: "enter" },
        studyChoice(studies, study, choose),
        this.who(rater),
        this.problem,
        el("p", {}, this.button),
      ),
    ];
  }

  /** @param {Rater | null} rater */
  who(rater) {
    if (rater) return el("p", {}, "You rate as ", el("strong", {}, rater.code), ".");
    return [
      el(
        "p",
        { class: "field" },
        el("label", { for: "code" }, "Your code"),
        this.code,
        el("span", { class: "quiet" }, "Any short code, not your name."),
      ),
      this.keyRow,
    ];
  }

  /** @param {Event} event */
  async submit(event) {
    event.preventDefault();
    try {
      await this.enter(this.code.value, this.key.value);
    } catch (error) {
      if (isRefused(error, "taken")) this.keyRow.hidden = false;
      else if (!(error instanceof Refused || error instanceof Unreachable)) throw error;
      say(this.problem, wordsOf(error));
      this.code.focus();
    }
  }

  focus() {
    this.first.focus({ preventScroll: true });
  }
}

/** For those who come without a link and know nothing yet. */
function aboutCapscope() {
  return el(
    "p",
    { class: "quiet" },
    "Capscope shows how metrics judge image captions and lets people judge the metrics’ explanations; if you only want to look, go to ",
    el("a", { href: "/inspect" }, "Inspect"),
    ".",
  );
}

/** @param {Study[]} studies @param {Study} chosen @param {(study: Study) => void} choose */
function studyChoice(studies, chosen, choose) {
  if (studies.length < 2) return null;
  const select = el(
    "select",
    { id: "study", change: () => choose(studies.find(({ id }) => String(id) === select.value)) },
    studies.map((study) =>
      el("option", { value: study.id, selected: study === chosen }, `${study.title} (${study.items} items)`)
    ),
  );
  return field("Study", select);
}

function suggestedCode() {
  const letters = "ABCDEFGHJKLMNPQRSTUVWXYZ";
  const [a, b] = crypto.getRandomValues(new Uint32Array(2));
  return `${letters[a % letters.length]}${String(b % 900 + 100)}`;
}
