// The form fields for pay and contact person in a new study, and the form that changes them later.

import { request } from "../shared/api.js";
import { el, field } from "../shared/dom.js";
import { paragraph, picker, quiet, submitButton } from "../shared/elements.js";
import { Conflict } from "./conflict.js";

/** @import { Study } from "./page.js" */
/** @typedef {Study["course"]["typed"]} Terms */

const CURRENCIES = "AUD BRL CAD CHF CNY CZK DKK EUR GBP HKD INR JPY KRW MXN NOK NZD PLN SEK SGD USD ZAR".split(" ");
/** @type {Record<keyof Terms, string>} */
const NAMES = {
  currency: "Currency",
  hourly_rate: "Hourly pay",
  reward: "Reward that the platform pays",
  contact: "Contact for raters",
};

/** The form fields for the raters' pay and the contact person. */
export class TermsFields {
  /** @param {Terms} terms @param {(terms: Terms) => void} [changed] is called after each change */
  constructor(terms, changed = () => {}) {
    const tell = () => changed(this.read());
    /** @type {[string, string][]} */
    const codes = [["", "no pay stated"], ...CURRENCIES.map((code) => /** @type {[string, string]} */ ([code, code]))];
    this.currency = picker({ id: "terms-currency" }, codes, terms.currency, tell);
    const amount = { inputmode: "decimal", autocomplete: "off", maxlength: 15, input: tell };
    this.hourly = el("input", { id: "terms-hourly", placeholder: "9.50", ...amount });
    this.reward = el("input", { id: "terms-reward", placeholder: "2.00", ...amount });
    this.contact = el("input", { id: "terms-contact", maxlength: 200, autocomplete: "off", input: tell });
    this.show(terms);
    this.nodes = [
      el(
        "div",
        { class: "terms" },
        field(NAMES.currency, this.currency),
        field(NAMES.hourly_rate, this.hourly),
        field(NAMES.reward, this.reward),
        field(NAMES.contact, this.contact),
      ),
      quiet(
        "Raters read this text before they start. Leave a field empty if it does not apply. A contact is one line, such as an e-mail address.",
      ),
    ];
  }

  /** @returns {Terms} */
  read() {
    return {
      currency: this.currency.value,
      hourly_rate: this.hourly.value.trim(),
      reward: this.reward.value.trim(),
      contact: this.contact.value.trim(),
    };
  }

  /** @param {Terms} terms */
  show(terms) {
    this.currency.value = terms.currency;
    this.hourly.value = terms.hourly_rate;
    this.reward.value = terms.reward;
    this.contact.value = terms.contact;
  }
}

/** Build the form "Pay and contact" of the dialog "Manage".
 * @param {Study} study @param {{course: () => Promise<Study["course"]>, done: () => void,
 * tell: (work: Promise<unknown>) => Promise<void>}} of course fetches the stored settings; done is called after a
 * change; tell shows the error of some work */
export function termsForm(study, { course, done, tell }) {
  const fields = new TermsFields(study.course.typed);
  /** @type {Conflict<Terms>} */
  const conflict = new Conflict({
    names: NAMES,
    mine: () => fields.read(),
    show: (theirs) => fields.show(theirs),
    load: async () => {
      const found = await course();
      return { values: found.typed, stamp: found.stamp };
    },
    send: async (mine, stamp) => {
      await request("PUT", `/api/studies/${study.id}/terms`, { terms: mine, stamp });
      done();
      return { values: mine, stamp };
    },
  });
  conflict.open(study.course.typed, study.course.stamp);
  return el(
    "form",
    { submit: conflict.submitting(tell) },
    el("h3", {}, "Pay and contact"),
    ...fields.nodes,
    conflict.element,
    paragraph(submitButton("Save pay and contact")),
  );
}
