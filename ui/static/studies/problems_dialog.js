// The dialog "Problems and messages": items that raters reported, withdrawing them, and messages to raters.

import { get, post, request, wordsOf } from "../shared/api.js";
import { dialog, el, field, say } from "../shared/dom.js";
import { actions, alertText, button, paragraph, quiet, statusText, submitButton } from "../shared/elements.js";

/** @import { Answer } from "../shared/wire.d.ts" */
/** @import { Study } from "./page.js" */
/** @typedef {Answer<"GET", `/api/studies/${number}/reports`>} Spoken */
/** @typedef {Spoken["items"][number]} ReportedItem */

/** @type {Record<string, string>} */
const REASONS = {
  broken_picture: "picture missing or broken",
  offensive: "offensive",
  cannot_judge: "cannot be judged",
  other: "something else",
};

/** @type {Record<string, string>} */
const ROLES = { training: "Practice item", gold: "Gold item", repeat: "Repeated item" };
const MOST_SHOWN = 60; // maximum number of shown characters of a caption

/** @param {Study} study */
export async function showProblems(study) {
  await new ProblemsDialog(study).refresh();
}

class ProblemsDialog {
  /** @param {Study} study */
  constructor(study) {
    this.study = study;
    this.problem = alertText();
    this.status = statusText();
    this.items = el("div", {});
    this.messages = el("div", {});
    this.to = el("input", { id: "message-to", maxlength: 24, autocomplete: "off", placeholder: "all raters" });
    this.text = el("textarea", { id: "message-text", rows: 3, cols: 60, maxlength: 2000, required: true });
    /** @type {number | null} */
    this.about = null; // id of the reported item that the message is about
    this.aboutText = el("p", { class: "quiet" });
    this.form = el(
      "form",
      { submit: (event) => this.send(event) },
      el("h3", {}, "Write to raters"),
      quiet("Raters see messages on the rating page at their next visit. No e-mail is sent."),
      field("Rater’s code (empty: all raters)", this.to),
      field("Message", this.text),
      this.aboutText,
      paragraph(submitButton("Send", "primary")),
      this.status,
    );
    const box = dialog(
      `Problems and messages of ${study.name}`,
      this.problem,
      this.items,
      this.form,
      this.messages,
    );
    box.classList.add("wide", "capscope");
  }

  get url() {
    return /** @type {const} */ (`/api/studies/${this.study.id}`);
  }

  refresh() {
    return this.show(get(`/api/studies/${this.study.id}/reports`));
  }

  /** Show the problems and messages of a response. Return whether the request succeeded.
   * @param {Promise<Spoken>} asked the request */
  async show(asked) {
    try {
      const { items, messages } = await asked;
      say(this.problem, "");
      this.items.replaceChildren(
        ...(items.length ? items.map((item) => this.item(item, messages)) : [quiet("No rater has reported an item.")]),
      );
      this.messages.replaceChildren(...sentMessages(messages));
      return true;
    } catch (error) {
      say(this.problem, wordsOf(error));
      return false;
    }
  }

  /** @param {ReportedItem} item @param {Spoken["messages"]} messages */
  item(item, messages) {
    const { caption, withdrawn_at: withdrawn, reasons, skips, reports } = item;
    const counts = Object.entries(reasons).map(([reason, count]) => `${REASONS[reason]}: ${count}`).join(", ");
    const isAnswered = (/** @type {string} */ code, /** @type {string} */ at) =>
      messages.some(({ about, to, at: sent }) => about === item.item && (to ?? code) === code && sent >= at);
    const path = /** @type {const} */ (`/api/studies/${this.study.id}/items/${item.item}/withdrawal`);
    return el(
      "section",
      { class: "reported" },
      el("h3", {}, nameOf(item)),
      el("p", { dir: "auto" }, `“${caption}”`),
      paragraph(
        counts || "no report",
        skips ? `; skipped by ${skips} ${skips === 1 ? "rater" : "raters"}` : "",
        withdrawn
          ? el("strong", {}, "; withdrawn: no rater gets this item any more, and its answers do not count")
          : "",
      ),
      el(
        "ul",
        {},
        reports.map(({ code, reason, words, skipped, at }) =>
          el(
            "li",
            {},
            `${code}, ${new Date(at).toLocaleString()}: ${REASONS[reason]}${skipped ? ", skipped" : ""}. `,
            words && el("span", { dir: "auto" }, `“${words}” `),
            isAnswered(code, at) && el("strong", {}, "Answered. "),
            button("Answer", () => this.answer(code, item), "small"),
          )
        ),
      ),
      actions(
        el("a", { href: `/inspect?sample=${item.sample}`, class: "button small" }, "See the sample"),
        item.number !== null &&
          (withdrawn
            ? button("Give the item to raters again", () => this.show(request("DELETE", path, undefined)), "small")
            : button("Withdraw the item", () => this.show(request("POST", path, undefined)), "small")),
      ),
    );
  }

  /** @param {string} code @param {ReportedItem} item */
  answer(code, item) {
    this.to.value = code;
    this.about = item.item;
    say(this.status, "");
    say(this.aboutText, `About: ${nameOf(item)}, “${beginning(item.caption)}”`);
    this.form.scrollIntoView({ block: "nearest" });
    this.text.focus();
  }

  /** @param {Event} event */
  async send(event) {
    event.preventDefault();
    const body = { text: this.text.value, to: this.to.value.trim() || null, item: this.about };
    if (!await this.show(post(`/api/studies/${this.study.id}/messages`, body))) return;
    this.text.value = "";
    this.about = null;
    say(this.aboutText, "");
    say(this.status, "Sent.");
    this.form.scrollIntoView({ block: "nearest" });
  }
}

/** Return the name of an item that a rater has reported. @param {ReportedItem} item */
function nameOf({ number, role }) {
  return number === null ? ROLES[role] ?? role : `Item ${number}`;
}

/** Shorten a caption to its beginning. @param {string} caption */
function beginning(caption) {
  return caption.length > MOST_SHOWN ? `${caption.slice(0, MOST_SHOWN).trimEnd()} …` : caption;
}

/** @param {Spoken["messages"]} messages */
function sentMessages(messages) {
  if (!messages.length) return [];
  return [
    el("h3", {}, "Sent messages"),
    el(
      "ul",
      {},
      messages.map(({ to, text, author, at, readers, item }) =>
        el(
          "li",
          {},
          `To ${to ?? "all raters"}${item === null ? "" : `, about item ${item}`}, ${
            new Date(at).toLocaleString()
          }, by ${author}, read by ${readers} ${readers === 1 ? "rater" : "raters"}: `,
          el("span", { dir: "auto" }, text),
        )
      ),
    ),
  ];
}
