// Two people may change settings at the same time. The second one then sees the first one's values beside their own.

import { isRefused, wordsOf } from "../shared/api.js";
import { el, say } from "../shared/dom.js";
import { actions, button, orSay, paragraph } from "../shared/elements.js";

/** @template {object} Values @typedef {{values: Values, stamp: string}} Stored */

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

/** Sends a dialog's values with the stamp (version) that they had when it opened. If another person saved first, the
 * dialog shows both values and lets the user choose. The user's entries stay in the dialog meanwhile.
 * @template {object} Values */
export class Conflict {
  /** @param {Changing<Values>} changing */
  constructor(changing) {
    this.changing = changing;
    /** @type {Values | null} */
    this.opened = null;
    this.stamp = "";
    this.isSaving = false;
    this.isAskedAgain = false; // whether Save was pressed while values were being sent
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

  /** Send the values of a submitted form, and show why they were not stored.
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

  /** Send the dialog's values. Resolves when the values are stored, or when the user is asked to choose between two
   * versions; else rejects. Only one request runs at a time: the server would take two for changes by two people. */
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
        if (stamp === this.stamp) throw error; // nothing changed meanwhile, so the same values would be refused again
        this.stamp = stamp;
        const changed = this.differing(values, mine);
        if (changed.length) return this.ask(wordsOf(error), changed, values, mine);
      }
    }
  }

  /** The fields whose stored values differ from those at opening and from those in the dialog now.
   * @param {Values} theirs @param {Values} mine */
  differing(theirs, mine) {
    const [stored, here, before] = [theirs, mine, this.opened].map(byName);
    return Object.keys(this.changing.names).filter((name) =>
      !same(stored[name], here[name]) && !same(stored[name], before[name])
    );
  }

  /** @param {string} words @param {string[]} changed @param {Values} theirs @param {Values} mine */
  ask(words, changed, theirs, mine) {
    const { names, show, words: told = String } = this.changing;
    const shown = (/** @type {unknown} */ value, /** @type {string} */ name) =>
      value === null || value === "" ? el("span", { class: "quiet" }, "empty") : told(value, name);
    const [stored, here] = [theirs, mine].map(byName);
    const problem = el("p", { class: "problem" });
    const take = () => { // fields that only this user changed keep their values
      const taken = Object.fromEntries(changed.map((name) => [name, stored[name]]));
      show(Object.assign(this.changing.mine(), taken));
      this.open(theirs, this.stamp);
    };
    const keep = async () => {
      if (!(this.form()?.reportValidity() ?? true)) return;
      this.opened = theirs; // the user has seen these values; ask again only about later changes
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
