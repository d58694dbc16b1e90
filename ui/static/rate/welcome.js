// The welcome page: it describes the study and asks for the rater's code.

import { isRefused, Refused, Unreachable, wordsOf } from "../shared/api.js";
import { el, field, say } from "../shared/dom.js";
import { alertText, button, paragraph, picker, submitButton } from "../shared/elements.js";
import { countDown, patiently } from "../shared/waiting.js";
import { contactLine, instructionsOf } from "./dialogs.js";
import { STOPS } from "./end.js";
import { aboutCapscope } from "./no_study.js";
import { factsOf } from "./study_facts.js";

/** @import { Child, Rater, Study } from "../shared/types.d.ts" */
/** @typedef {{code: string, answers: number}} Waiting a rater's code, and how many answers wait in this browser */

const WHERE_THE_KEY_IS =
  "You saw this key when you clicked your code at the top of the page. If you did not note it, ask the person who sent you the link.";

/** The page that welcomes raters to a study and signs them in. */
export class Welcome {
  /** @param {{rater: Rater | null, given: string | null, study: Study, studies: Study[], waiting: Waiting[],
   * last: string | null, isSent: boolean, lost: string | null }} known what is known about the visitor:
   * - given: the rater's code in the link
   * - waiting: raters whose answers wait in this browser, the latest first
   * - last: the code of the rater who rated here last
   * - isSent: whether a link to this study led here
   * - lost: the code of a rater whom the server no longer knows after its database was restored
   * @param {{enter: (code: string, key: string) => Promise<void>, choose: (study: Study) => unknown}} does functions:
   * - enter: signs the rater in, and throws the server's refusal
   * - choose: selects another study */
  constructor({ rater, given, study, studies, waiting, last, isSent, lost }, { enter, choose }) {
    this.enter = enter;
    this.code = el("input", {
      id: "code",
      name: "code",
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
    this.keyRow = el(
      "p",
      { class: "field", hidden: true },
      el("label", { for: "return-key" }, "Return key"),
      this.key,
      el("span", { class: "quiet" }, WHERE_THE_KEY_IS),
    );
    this.back = el("div", {});
    this.problem = alertText();
    const stop = rater || !study.stopped ? null : STOPS[study.stopped];
    this.button = submitButton(stop || (study.asks_first && !rater) ? "Continue" : "Start", "primary");
    const code = given || lost ? null : waiting[0]?.code ?? last;
    if (lost) this.offerToStartAgain(lost);
    else if (code && !rater) this.offerToComeBack(code, waiting);
    else this.code.value = given ?? (stop ? "" : suggestedCode());
    if (stop && !given) {
      this.keyRow.hidden = false;
      this.key.required = true; // a stopped study admits only known raters, who have a return key
    }
    /** @type {HTMLElement} */
    this.first = rater || given ? this.button : code ? this.key : this.code; // the element that gets the focus first
    const asksFirst = study.asks_first && !rater;
    const { greeting, paragraphs } = stop
      ? { greeting: stop.title, paragraphs: paragraph(stop.text) }
      : asksFirst
      ? { greeting: study.title, paragraphs: paragraph("First we ask whether you can and want to take part.") }
      : instructionsOf(study);
    this.content = el(
      "div",
      { class: "welcome" },
      el(
        "div",
        {},
        el("h1", { tabindex: "-1" }, greeting),
        study.notice && el("p", { class: "notice-line" }, study.notice),
        paragraphs,
        contactLine(study),
        !isSent && aboutCapscope(),
      ),
      el(
        "div",
        { class: "welcome-side" },
        el("h2", {}, stop ? "You have rated here before?" : asksFirst ? "Your code" : "Good to know"),
        !stop && !asksFirst && el("ul", {}, factsOf(study).map((text) => el("li", {}, text))),
        el(
          "form",
          { submit: (event) => this.submit(event), class: "enter" },
          !isSent && studyChoice(studies, study, choose),
          this.who(rater, given, Boolean(stop)),
          this.problem,
          paragraph(this.button),
        ),
      ),
    );
  }

  /** Build the part of the page that says or asks who rates.
   * @param {Rater | null} rater @param {string | null} given the code in the link @param {boolean} isStopped */
  who(rater, given, isStopped) {
    const code = rater?.code ?? given;
    if (code) {
      return [
        paragraph(["You rate as ", el("strong", { class: "code" }, code), "."]),
        !rater && this.keyRow,
      ];
    }
    return [
      this.back,
      el(
        "p",
        { class: "field" },
        el("label", { for: "code" }, "Your code"),
        this.code,
        !isStopped &&
          el(
            "span",
            { class: "quiet" },
            "Any short code, not your name. Click your code later to see a return key. You need it to continue in another browser.",
          ),
      ),
      this.keyRow,
    ];
  }

  /** Offer to start again with the same code, because the server no longer knows the rater. @param {string} code */
  offerToStartAgain(code) {
    this.code.value = code;
    this.back.replaceChildren(
      el(
        "p",
        { class: "notice-line" },
        `The server was put back to an earlier time and does not know ${code} any more. Start again as ${code}: your answers in this browser are then sent to the server.`,
      ),
    );
  }

  /** Offer to sign in with the code of the rater who rated in this browser last. Another person can ask for a new code.
   * @param {string} code @param {Waiting[]} waiting raters whose answers wait in this browser */
  offerToComeBack(code, waiting) {
    this.code.value = code;
    this.keyRow.hidden = false;
    const lines = waiting.map(({ code, answers }) =>
      answers === 1
        ? `1 answer of ${code} waits in this browser to be sent.`
        : `${answers} answers of ${code} wait in this browser to be sent.`
    );
    const somebodyNew = () => {
      this.code.value = suggestedCode();
      this.keyRow.hidden = true;
      this.back.replaceChildren();
      this.code.focus();
    };
    this.back.replaceChildren(
      lines.length > 0
        ? el(
          "p",
          { class: "notice-line" },
          lines.join(" "),
          " ",
          `Give the return key of ${code} to send them and to continue.`,
        )
        : paragraph(`${code} has rated here last. With the return key you continue where you were.`),
      paragraph(button("I am somebody else", somebodyNew, "small")),
    );
  }

  /** @param {Event} event */
  async submit(event) {
    event.preventDefault();
    try {
      await patiently(this.problem, () => this.enter(this.code.value, this.keyRow.hidden ? "" : this.key.value));
    } catch (error) {
      if (!(error instanceof Refused || error instanceof Unreachable)) throw error;
      if (error instanceof Refused && error.seconds) return this.closeFor(error.seconds, wordsOf(error));
      const isTaken = isRefused(error, "taken") || isRefused(error, "link_over"); // ask for the code's return key
      if (isTaken) this.keyRow.hidden = false;
      say(this.problem, wordsOf(error));
      (this.keyRow.hidden || (this.key.value && !isTaken) ? this.code : this.key).focus();
    }
  }

  /** Disable the sign-in button until the server allows another attempt.
   * @param {number} seconds @param {string} words */
  async closeFor(seconds, words) {
    this.button.disabled = true;
    await countDown(this.problem, words, seconds, (left) => `The button works again in ${left}.`);
    this.problem.replaceChildren();
    this.button.disabled = false;
  }

  /** Focus the first field. If this field is for a new rater's code and is out of sight, focus the heading
   * instead. On a phone, the field is below all the text. */
  focus() {
    const isBelow = this.first === this.code && this.first.getBoundingClientRect().bottom > innerHeight;
    const heading = isBelow ? this.content.querySelector("h1") : null;
    (heading ?? this.first).focus({ preventScroll: true });
  }
}

/** Build the menu from which visitors choose a study, or return null if there is only one.
 * @param {Study[]} studies @param {Study} chosen @param {(study: Study) => void} choose */
function studyChoice(studies, chosen, choose) {
  if (studies.length < 2) return null;
  /** @type {[number, string][]} */
  const counted = studies.map((study) => [
    study.id,
    study.items === 1 ? `${study.title} (1 item)` : `${study.title} (${study.items} items)`,
  ]);
  const select = picker({ id: "study" }, counted, chosen.id, () => choose(studies[select.selectedIndex]));
  return field("Study", select);
}

function suggestedCode() {
  const letters = "ABCDEFGHJKLMNPQRSTUVWXYZ";
  const [a, b] = crypto.getRandomValues(new Uint32Array(2));
  return `${letters[a % letters.length]}${String(b % 900 + 100)}`;
}
