// The dialog of one rater: release open items, exclude ratings from reports, export or erase personal data.

import { at } from "../shared/address.js";
import { post, wordsOf } from "../shared/api.js";
import { dialog, el, field, say } from "../shared/dom.js";
import { actions, alertText, button, paragraph, quiet, submitButton } from "../shared/elements.js";
import { typedConfirmation } from "./typed_confirmation.js";

/** @import { RaterProgress } from "./raters.js" */

/** @type {["by_hand" | "returned" | "timed_out", string][]} */
const REASONS = [["by_hand", "Release open items"], ["returned", "They returned it"], [
  "timed_out",
  "Their time ran out",
]];

/** Open the dialog of one rater.
 * @param {number} study @param {RaterProgress} rater @param {() => void} onChange */
export function showRater(study, rater, onChange) {
  new RaterDialog(study, rater, onChange);
}

class RaterDialog {
  /** @param {number} study @param {RaterProgress} rater @param {() => void} onChange */
  constructor(study, rater, onChange) {
    this.study = study;
    this.rater = rater;
    this.onChange = onChange;
    this.problem = alertText();
    this.box = dialog(
      `Rater ${rater.code}`,
      this.problem,
      this.release(),
      rater.excluded === null ? this.exclude() : this.include(),
      rater.code.startsWith("P-") && this.platform(),
      this.erase(study),
    );
    this.box.classList.add("capscope", "life");
  }

  release() {
    const { code, total, done, open, returned } = this.rater;
    return el(
      "section",
      {},
      el("h3", {}, "Open items"),
      paragraph(`${done} of ${total} items are finished. Other raters can get the open items. Answers are kept.`),
      quiet(
        returned
          ? "This rater left the study and gets no more items."
          : "“They returned it” ends the rater’s part: the rater gets no more items.",
      ),
      actions(REASONS.map((
        [why, text],
      ) =>
        button(text, () => this.send(post(`/api/studies/${this.study}/raters/release`, { codes: [code], why })), "", {
          disabled: why === "returned" ? returned || done === total : open === 0,
        })
      )),
    );
  }

  exclude() {
    const reason = el("input", { id: "exclusion", maxlength: 300, required: true });
    const submit = (/** @type {Event} */ event) => {
      event.preventDefault();
      return this.send(
        post(`/api/studies/${this.study}/raters/exclude`, { code: this.rater.code, reason: reason.value }),
      );
    };
    return el(
      "form",
      { submit },
      el("h3", {}, "Exclude from reports"),
      quiet("The ratings are kept and exported with the reason. Other raters get the items."),
      field("Why", reason),
      paragraph(submitButton("Exclude")),
    );
  }

  include() {
    const { code, excluded } = this.rater;
    return el(
      "section",
      {},
      el("h3", {}, "Excluded from reports"),
      paragraph(`Why: ${excluded}`),
      paragraph(button("Include again", () => this.send(post(`/api/studies/${this.study}/raters/include`, { code })))),
    );
  }

  /** Build a button that shows a rater's participant id. The log records each use. */
  platform() {
    const place = paragraph();
    const show = async () => {
      try {
        const { person } = await post(`/api/studies/${this.study}/raters/platform`, { code: this.rater.code });
        place.replaceChildren(el("code", { tabindex: "-1" }, person));
      } catch (error) {
        place.replaceChildren(el("span", { role: "alert", tabindex: "-1" }, wordsOf(error)));
      }
      /** @type {HTMLElement} */ (place.firstElementChild).focus();
    };
    place.append(button("Show the participant id", show));
    return el("section", {}, el("h3", {}, "The participant id"), place);
  }

  /** @param {number} study */
  erase(study) {
    const { code } = this.rater;
    const keep = el("input", { type: "checkbox", checked: true });
    return el(
      "details",
      { class: "manages" },
      el("summary", {}, "Stored data"),
      actions(el("a", {
        href: at(`/api/studies/${study}/raters/${code}/everything.json`),
        download: true,
        class: "button",
      }, "Export all data")),
      typedConfirmation(
        {
          id: "typed-code",
          label: `Type ${code} to confirm`,
          matches: (typed) => typed.trim().toUpperCase() === code,
          words: "Erase this rater",
          submit: (typed) =>
            this.send(post(`/api/studies/${study}/raters/erase`, { code, typed, keep_ratings: keep.checked })),
        },
        paragraph("Erasing permanently deletes the rater’s code, notes, sessions and links in every study."),
        paragraph(el("label", {}, keep, " Keep the ratings, without the rater’s code")),
      ),
    );
  }

  /** @param {Promise<unknown>} answer */
  async send(answer) {
    try {
      await answer;
      this.box.close();
      this.onChange();
    } catch (error) {
      say(this.problem, wordsOf(error));
    }
  }
}
