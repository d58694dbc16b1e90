// The form for a recruitment platform's link: its URL parameters, and how participants return to the platform.

import { get, post, wordsOf } from "../shared/api.js";
import { el, field, say } from "../shared/dom.js";
import { alertText, paragraph, quiet, submitButton } from "../shared/elements.js";

/** @import { Answer } from "../shared/wire.d.ts" */
/** @typedef {Answer<"POST", `/api/studies/${number}/panel-links`>} NewPanelLink */
/** @typedef {"done" | "screened_out" | "full" | "failed_gold"} EndKind */

/** @typedef {Answer<"GET", `/api/studies/${number}/panels`>["presets"][number]} Preset */

const NO_WAY_BACK = { code: "", address: "" };
/** @type {Preset} */
const OTHER = {
  name: "Another platform",
  person: "id",
  study: "",
  session: "",
  done: NO_WAY_BACK,
  screened_out: NO_WAY_BACK,
  full: NO_WAY_BACK,
  failed_gold: NO_WAY_BACK,
};
/** @type {[EndKind, string][]} */
export const ENDS = [
  ["done", "who finished"],
  ["screened_out", "who were screened out"],
  ["full", "who found the study full"],
  ["failed_gold", "who failed too many gold items (empty: the code for screened-out raters)"],
];

export class PanelForm {
  /** @param {number} study @param {(made: NewPanelLink) => void} onMade */
  constructor(study, onMade) {
    this.study = study;
    this.onMade = onMade;
    this.problem = alertText();
    /** @type {readonly Preset[]} */
    this.presets = [OTHER];
    this.preset = el("select", { id: "panel-name", change: () => this.fill() });
    /** @type {Record<"person" | "study" | "session", HTMLInputElement>} */
    this.names = { person: text("panel-person"), study: text("panel-study"), session: text("panel-session") };
    this.codes = ends((kind) => text(`panel-code-${kind}`));
    this.addresses = ends((kind) => text(`panel-address-${kind}`));
    this.needed = el("div", {}); // completion codes that this study needs
    this.others = el("div", {}); // completion codes for outcomes (such as screened out) that this study cannot have
    this.more = el(
      "details",
      {},
      el("summary", {}, "Address parameters, return addresses and further completion codes"),
      field("Address parameter that identifies the rater", this.names.person),
      field("Address parameter that identifies the study (may be empty)", this.names.study),
      field("Address parameter that identifies the session (may be empty)", this.names.session),
      this.others,
      quiet("Raters return to these addresses. Capscope fills in {code} and {person}."),
      ENDS.map(([kind, name]) => field(`Return address for raters ${short(name)}`, this.addresses[kind])),
    );
    // The form stays hidden until the platforms' defaults are loaded, because otherwise these would replace typed text.
    this.form = el(
      "form",
      { class: "new-links", hidden: true, submit: (event) => this.make(event) },
      quiet(
        "The recruitment platform adds the rater’s id to the address, so raters need not type a code. A rater who returns continues at the same item.",
      ),
      field("Platform", this.preset),
      this.needed,
      this.more,
      this.problem,
      paragraph(submitButton("Create the platform’s link", "primary")),
    );
    this.element = el(
      "details",
      { toggle: () => this.element.open && this.load() },
      el("summary", {}, "A link for Prolific or another platform"),
      this.form,
    );
  }

  async load() {
    if (this.presets.length > 1) return;
    /** @type {readonly EndKind[]} */
    let possible = ENDS.map(([kind]) => kind);
    try {
      const found = await get(`/api/studies/${this.study}/panels`);
      this.presets = [...found.presets, OTHER];
      possible = found.possible;
    } catch (error) {
      say(this.problem, wordsOf(error));
    }
    const codes = (/** @type {boolean} */ isPossible) =>
      ENDS.filter(([kind]) => possible.includes(kind) === isPossible).map(([kind, name]) =>
        field(
          `Completion code for raters ${possible.includes("screened_out") ? name : short(name)}`,
          this.codes[kind],
        )
      );
    this.needed.replaceChildren(...codes(true));
    this.others.replaceChildren(...codes(false));
    this.form.hidden = false;
    this.preset.replaceChildren(...this.presets.map(({ name }) => el("option", {}, name)));
    this.fill();
  }

  fill() {
    const preset = this.presets.find(({ name }) => name === this.preset.value) ?? OTHER;
    Object.assign(this.names.person, { value: preset.person });
    Object.assign(this.names.study, { value: preset.study });
    Object.assign(this.names.session, { value: preset.session });
    for (const [kind] of ENDS) this.addresses[kind].value = preset[kind].address;
    this.more.open = preset === OTHER; // open the fields: users must type the parameters of an unknown platform
  }

  /** @param {Event} event */
  async make(event) {
    event.preventDefault();
    const { person, study, session } = this.names;
    const end = (/** @type {EndKind} */ kind) => ({
      code: this.codes[kind].value.trim(),
      address: this.addresses[kind].value.trim(),
    });
    try {
      const made = await post(`/api/studies/${this.study}/panel-links`, {
        name: this.preset.value === OTHER.name ? "the platform" : this.preset.value,
        person: person.value.trim(),
        study: study.value.trim(),
        session: session.value.trim(),
        done: end("done"),
        screened_out: end("screened_out"),
        full: end("full"),
        failed_gold: end("failed_gold"),
      });
      say(this.problem, "");
      this.onMade(made);
    } catch (error) {
      say(this.problem, wordsOf(error));
    }
  }
}

/** Return words that name raters by their outcome, such as "who finished", without the hint in parentheses.
 * @param {string} name the words, perhaps with a hint */
export function short(name) {
  return name.replace(/ \(.*/, "");
}

/** @param {string} id */
function text(id) {
  return el("input", { id, spellcheck: "false", autocomplete: "off", maxlength: 1000 });
}

/** @param {(kind: EndKind) => HTMLInputElement} make @returns {Record<EndKind, HTMLInputElement>} */
function ends(make) {
  return {
    done: make("done"),
    screened_out: make("screened_out"),
    full: make("full"),
    failed_gold: make("failed_gold"),
  };
}
