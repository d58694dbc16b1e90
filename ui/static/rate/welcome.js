// The welcome page: it describes the study and asks for the rater's code.

import { isRefused, Refused, Unreachable, wordsOf } from "../shared/api.js";
import { el, field, say } from "../shared/dom.js";
import { alertText, button, paragraph, submitButton } from "../shared/elements.js";
import { isTouched } from "../shared/keys.js";
import { counted, sentences } from "../shared/text.js";
import { countDown, patiently } from "../shared/waiting.js";
import { contactLine, instructionsOf } from "./dialogs.js";
import { aboutCapscope, ENDINGS } from "./endings.js";

/** @import { Child, Rater, Study } from "../shared/types.d.ts" */

/** @typedef {object} Visitor what is known about a visitor
 * @property {Rater | null} rater
 * @property {string | null} given the rater's code in the link
 * @property {Study} study
 * @property {Child} others links to other studies
 * @property {{code: string, answers: number}[]} waiting raters whose answers wait in this browser, the latest first
 * @property {string | null} last the code of the rater who rated here last
 * @property {boolean} isSent whether a link to this study led here
 * @property {string | null} lost the code of a rater whom the server no longer knows after its database was restored */

/** The page that welcomes raters to a study and signs them in. */
export class Welcome {
  /** @param {Visitor} visitor
   * @param {(code: string, key: string) => Promise<void>} enter signs the rater in, and throws the server's refusal */
  constructor(visitor, enter) {
    const { rater, given, study, others, waiting, last, isSent, lost } = visitor;
    const stop = rater || !study.stopped ? null : ENDINGS[study.stopped], asksFirst = study.asks_first && !rater;
    this.enter = enter;
    this.code = el("input", {
      id: "code",
      maxlength: 24,
      autocomplete: "off",
      autocapitalize: "characters",
      spellcheck: "false",
      required: true,
    });
    this.key = el("input", { id: "return-key", maxlength: 16, autocomplete: "off", spellcheck: "false" });
    this.keyRow = field(
      "Return key",
      this.key,
      remark(
        "You saw this key when you clicked your code at the top of the page. If you did not note it, ask the person who sent you the link.",
      ),
    );
    this.problem = alertText();
    this.button = submitButton(stop || asksFirst ? "Continue" : "Start", "primary");
    this.back = el("div", {});
    const before = given || lost ? null : waiting[0]?.code ?? last;
    this.code.value = given ?? lost ?? before ?? (stop ? "" : suggestedCode());
    this.keyRow.hidden = !before && !(stop && !given);
    this.key.required = Boolean(stop && !given); // a stopped study admits only known raters, who have a return key
    if (lost) this.back.append(notice(startAgainText(lost)));
    else if (before && !rater) this.offerToComeBack(before, waiting);
    /** @type {HTMLElement} */
    this.first = rater || given ? this.button : before ? this.key : this.code; // the element that gets the focus first
    const { greeting, paragraphs } = stop
      ? { greeting: stop.title, paragraphs: paragraph(stop.text) }
      : asksFirst
      ? { greeting: study.title, paragraphs: paragraph("First we ask whether you can and want to take part.") }
      : instructionsOf(study);
    const known = rater?.code ?? given;
    this.content = el(
      "div",
      { class: "welcome" },
      el(
        "div",
        {},
        el("h1", { tabindex: "-1" }, greeting),
        study.notice && notice(study.notice),
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
          known ? paragraph("You rate as ", el("strong", { class: "code" }, known), ".") : [
            this.back,
            field(
              "Your code",
              this.code,
              !stop &&
                remark(
                  "Any short code, not your name. Click your code later to see a return key. You need it to continue in another browser.",
                ),
            ),
          ],
          !rater && this.keyRow,
          this.problem,
          paragraph(this.button),
        ),
        !isSent && others,
      ),
    );
  }

  /** Offer to sign in with the code of the rater who rated in this browser last. Another person can ask for a new code.
   * @param {string} code @param {Visitor["waiting"]} waiting */
  offerToComeBack(code, waiting) {
    const lines = waiting.map(({ code, answers }) =>
      `${counted(answers, "answer")} of ${code} ${answers === 1 ? "waits" : "wait"} in this browser to be sent.`
    );
    const somebodyNew = () => {
      this.code.value = suggestedCode();
      this.keyRow.hidden = true;
      this.back.replaceChildren();
      this.code.focus();
    };
    this.back.append(
      lines.length > 0
        ? notice(sentences(...lines, `Give the return key of ${code} to send them and to continue.`))
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

/** Describe a study to a rater before the start. @param {Study} study */
function factsOf(study) {
  const { form, items, practice, is_most: isMost, veil, criteria, notice } = study;
  const names = criteria.filter((criterion) => criterion.without_image).map(({ name }) => name).join(", ");
  const all = form === "side_by_side" ? " for every evaluator" : "";
  const score = study.without_picture === study.of_items
    ? "A score says how good a caption is."
    : "A score says how well a caption fits its picture.";
  return [
    // if the study has a notice, the notice says who wrote the explanations
    study.shows_score &&
    sentences(score, notice ? "" : "Computer programs gave the scores and wrote the explanations."),
    termsOf(study),
    practice > 0 && "Practice comes before the items that count.",
    isMost && `Other raters share the items with you, so you may get ${items === 1 ? "none" : `fewer than ${items}`}.`,
    veil && names &&
    `The picture appears when you have answered ${names}${all}, which is judged by the text and the score alone.`,
    study.missing,
    criteria.length > 0 &&
    (isTouched()
      ? "Tap an answer to choose it. “What the points mean” above the answers shows the meaning of each point."
      : "The meaning of each point is shown next to the answers. Press a number to answer and Enter to continue."),
  ].filter(Boolean);
}

/** State what a rater must know before agreeing to take part: how much work a study is, and how to stop.
 * @param {Study} study */
export function termsOf(study) {
  const time = `about ${counted(Math.max(1, study.minutes), "minute")}`;
  return `${
    amountText(study)
  }, ${time}. You may stop at any moment: every answer is saved immediately, and you continue where you were.`;
}

/** State how many items a rater can still get. @param {Pick<Study, "items" | "practice" | "done" | "is_most">} study */
export function amountText({ items, practice, done, is_most: isMost }) {
  const number = `${isMost ? "up to " : ""}${counted(items, done ? "more item" : "item")}`;
  const sum = practice > 0 ? `${number} + ${practice} for practice` : number;
  return done ? `You have rated ${counted(done, "item")}: ${sum}` : sum.charAt(0).toUpperCase() + sum.slice(1);
}

/** @param {string} code */
function startAgainText(code) {
  return `The server was put back to an earlier time and does not know ${code} any more. ` +
    `Start again as ${code}: your answers in this browser are then sent to the server.`;
}

function suggestedCode() {
  const letters = "ABCDEFGHJKLMNPQRSTUVWXYZ";
  const [a, b] = crypto.getRandomValues(new Uint32Array(2));
  return `${letters[a % letters.length]}${String(b % 900 + 100)}`;
}

/** @param {string} words */
function remark(words) {
  return el("span", { class: "quiet" }, words);
}

/** @param {string} words */
function notice(words) {
  return el("p", { class: "notice-line" }, words);
}
