// Two people may change settings at the same time. The second one then sees the first one's values beside their own.

import { isRefused, wordsOf } from "../shared/api.js";
import { el, say } from "../shared/dom.js";
import { actions, button, orSay, paragraph } from "../shared/elements.js";

/** @template {object} Values @typedef {{values: Values, stamp: string}} Stored stored values with their stamp
 * (version) */

/**
 * The values that a dialog changes, by the names of its fields.
 * @template {object} Values
 * @typedef {{
 *   names: Record<string, string>, // the fields' labels
 *   mine: () => Values, // the values in the dialog now
 *   show: (values: Values) => void, // put values into the dialog
 *   load: () => Promise<Stored<Values>>, // the stored values
 *   send: (mine: Values, stamp: string) => Promise<Stored<Values>>, // rejects if nothing was stored
 *   words?: (value: unknown, name: string) => string, // a value as text
 * }} Changing
 */

/** Sends a dialog's values together with the stamp (version) that they had when the dialog opened.
 * If another person has saved values meanwhile, the dialog shows both versions, and the user chooses. Until then, the
 * user's entries stay in the dialog.
 * @template {object} Values */
export class Conflict {
  /** @param {Changing<Values>} changing */
  constructor(changing) {
    this.changing = changing;
    /** @type {Values | null} */
    this.opened = null;
    this.stamp = "";
    this.isSaving = false;
    this.isAskedAgain = false; // whether the user pressed Save again while values were being sent
    this.element = el("div", { class: "conflict", role: "alert", tabindex: "-1", hidden: true });
  }

  /** Set the values with which a dialog opens. @param {Values} values @param {string} stamp */
  open(values, stamp) {
    this.opened = values;
    this.stamp = stamp;
    const hadFocus = this.element.contains(document.activeElement);
    this.element.hidden = true;
    this.element.replaceChildren();
    /** @type {HTMLElement | null | undefined} */
    const send = hadFocus ? this.form()?.querySelector("button:not([type])") : null;
    send?.focus();
  }

  /** @returns {HTMLFormElement | null} */
  form() {
    return this.element.closest("form");
  }

  /** Send the values of a submitted form. If they are not stored, show the reason.
   * @param {Event} event @param {Element} problem */
  async submit(event, problem) {
    event.preventDefault();
    say(problem, "");
    await orSay(problem, this.save());
  }

  /** Return the function that sends the values of a submitted form.
   * @param {(work: Promise<unknown>) => unknown} tell shows why the values were not stored */
  submitting(tell) {
    return (/** @type {Event} */ event) => {
      event.preventDefault();
      return tell(this.save());
    };
  }

  /** Send the dialog's values.
   * Resolve when they are stored, or when the user is asked to choose between two versions. Otherwise reject.
   * Only one request runs at a time, because the server would treat two requests as changes by two people. */
  async save() {
    this.isAskedAgain = this.isSaving;
    if (this.isSaving) return;
    this.isSaving = true;
    try {
      do {
        this.isAskedAgain = false;
        await this.sendMine();
      } while (this.isAskedAgain && this.element.hidden && !same(this.opened, this.changing.mine()));
    } finally {
      this.isSaving = false;
    }
  }

  async sendMine() {
    const mine = this.changing.mine();
    for (;;) {
      try {
        const { values, stamp } = await this.changing.send(mine, this.stamp);
        return this.open(values, stamp);
      } catch (error) {
        if (!isRefused(error, "changed_meanwhile")) throw error;
        const { values, stamp } = await this.changing.load();
        if (stamp === this.stamp) throw error; // nobody else has saved meanwhile, so a retry would fail too
        this.stamp = stamp;
        const changed = this.differing(values, mine);
        if (changed.length) return this.ask(wordsOf(error), changed, values, mine);
      }
    }
  }

  /** Return the names of the fields whose stored value differs both from the value at opening and from the value now.
   * @param {Values} theirs stored values @param {Values} mine values in the dialog now */
  differing(theirs, mine) {
    const [stored, here, before] = [theirs, mine, this.opened].map(byName);
    return Object.keys(this.changing.names).filter((name) =>
      !same(stored[name], here[name]) && !same(stored[name], before[name])
    );
  }

  /** Ask the user to choose between the stored values and the values in the dialog.
   * @param {string} words @param {string[]} changed names of the fields that differ
   * @param {Values} theirs stored values @param {Values} mine values in the dialog now */
  ask(words, changed, theirs, mine) {
    const { names, show, words: told = String } = this.changing;
    const shown = (/** @type {unknown} */ value, /** @type {string} */ name) =>
      value === null || value === "" ? el("span", { class: "quiet" }, "empty") : told(value, name);
    const [stored, here] = [theirs, mine].map(byName);
    const problem = el("p", { class: "problem" });
    const take = () => { // a field that only this user has changed keeps its value
      const taken = Object.fromEntries(changed.map((name) => [name, stored[name]]));
      show(Object.assign(this.changing.mine(), taken));
      this.open(theirs, this.stamp);
    };
    const keep = async () => {
      if (!(this.form()?.reportValidity() ?? true)) return;
      this.opened = theirs; // the user has seen these values; ask again only about values that are stored later
      await orSay(problem, this.save());
    };
    this.element.replaceChildren(
      paragraph(el("strong", {}, words), " Your entries are still here."),
      el(
        "dl",
        {},
        changed.map((name) => [
          el("dt", {}, names[name]),
          el("dd", {}, el("strong", {}, "Their version: "), el("span", { dir: "auto" }, shown(stored[name], name))),
          el("dd", {}, el("strong", {}, "Your version: "), el("span", { dir: "auto" }, shown(here[name], name))),
        ]),
      ),
      problem,
      actions(button("Save my version", keep, "primary"), button("Keep their version", take)),
    );
    this.element.hidden = false;
    this.element.focus();
    this.element.scrollIntoView({ block: "nearest" });
  }
}

/** @param {unknown} one @param {unknown} other */
function same(one, other) {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** @param {object | null} values @returns {Record<string, unknown>} */
function byName(values) {
  return { ...values };
}
