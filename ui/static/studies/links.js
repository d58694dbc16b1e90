// Links by which raters enter a study: the existing links, and new ones. An address is shown only once.

import { get, post, remove, wordsOf } from "../shared/api.js";
import { copyFor, dialog, el, field, say, unseen } from "../shared/dom.js";
import { alertText, button, paragraph, quiet, submitButton } from "../shared/elements.js";
import { changeCodes, codesOf } from "./link_codes.js";
import { PanelForm } from "./platform_form.js";
import { warningLine } from "./warnings.js";

/** @import { Answer } from "../shared/wire.d.ts" */
/** @import { Study } from "./page.js" */
/** @typedef {Answer<"GET", `/api/studies/${number}/links`>[number]} StudyLink */
/** @typedef {Answer<"POST", `/api/studies/${number}/links`>} NewLinks */

const LOCAL = new Set(["localhost", "127.0.0.1", "[::1]"]);
const STATES = { open: "open", used_up: "used up", expired: "expired", closed: "closed" };

/** Show the dialog of a study's links.
 * @param {Study} study @param {() => void} onChange is called after a link was made or closed */
export async function showLinks(study, onChange) {
  new LinksDialog(study, onChange).refresh();
}

class LinksDialog {
  /** @param {Study} study @param {() => void} onChange */
  constructor(study, onChange) {
    this.study = study;
    this.onChange = onChange;
    this.warnings = el("div", { role: "status" });
    this.problem = alertText();
    this.fresh = el("div", {});
    /** @type {number[]} */
    this.freshIds = []; // ids of the new links whose addresses are shown
    this.list = el("div", {});
    this.codes = el("textarea", { id: "link-codes", rows: 3, spellcheck: "false", autocapitalize: "characters" });
    this.uses = el("input", { id: "link-uses", type: "number", min: 1, max: 100_000, inputmode: "numeric" });
    this.days = el("input", { id: "link-days", type: "number", min: 1, max: 3650, inputmode: "numeric" });
    const box = dialog(
      `Links for raters of ${study.name}`,
      paragraph("A link gives access to this study only, without an account."),
      this.problem,
      this.fresh,
      this.warnings,
      new PanelForm(study.id, async (made) => {
        this.showFresh([made]);
        await this.changed();
      }).element,
      el(
        "form",
        { class: "new-links", submit: (event) => this.make(event) },
        field("Codes of raters who each get a link, one per line; leave empty for one link for everyone", this.codes),
        field(
          "How many browsers may use each link (empty: 100 for a link for everyone, unlimited for a rater’s link)",
          this.uses,
        ),
        field("Days until the link expires (empty: never)", this.days),
        paragraph(submitButton("Create links", "primary")),
      ),
      this.list,
    );
    box.classList.add("wide", "capscope");
  }

  async refresh() {
    try {
      const [links, { warnings }] = await Promise.all([
        get(`/api/studies/${this.study.id}/links`),
        get(`/api/studies/${this.study.id}/workload`),
      ]);
      this.show(links);
      this.warnings.replaceChildren(...warnings.map(warningLine));
    } catch (error) {
      say(this.problem, wordsOf(error));
    }
  }

  async changed() {
    await this.refresh();
    this.onChange();
  }

  /** @param {Event} event */
  async make(event) {
    event.preventDefault();
    const codes = this.codes.value.split(/[\s,;]+/).filter(Boolean);
    const number = (/** @type {HTMLInputElement} */ input) => input.value ? Number(input.value) : null;
    try {
      const made = await post(`/api/studies/${this.study.id}/links`, {
        codes,
        uses: number(this.uses),
        days: number(this.days),
      });
      say(this.problem, "");
      this.showFresh(made);
      this.codes.value = "";
      await this.changed();
    } catch (error) {
      say(this.problem, wordsOf(error));
    }
  }

  /** @param {NewLinks} made */
  showFresh(made) {
    this.freshIds = made.map(({ link }) => link.id);
    const text = made.map(({ link, address }) => link.rater ? `${link.rater}\t${address}` : address).join("\n");
    const copy = button(
      made.length > 1 ? "Copy all" : "Copy",
      () => copyFor(copy, text, "Copied", "Select the links and copy them"),
      "primary",
    );
    this.fresh.replaceChildren(
      el(
        "p",
        { class: "notice-line", role: "status" },
        "Copy the links now, because their addresses are shown only once.",
      ),
      el(
        "ul",
        { class: "fresh-links" },
        made.map(({ link, address }) =>
          el("li", {}, link.rater && el("strong", {}, link.rater), link.rater && " ", el("code", {}, address))
        ),
      ),
      paragraph(copy),
      ...made.some(({ address }) => LOCAL.has(new URL(address).hostname))
        ? [
          quiet("The links work on this computer only. For raters elsewhere, see “Serve a team” in the documentation."),
        ]
        : [],
    );
    copy.focus();
  }

  /** @param {readonly StudyLink[]} links */
  show(links) {
    const heads = ["For", "Made", "State", "Used", "Expires", unseen("To do")];
    this.list.replaceChildren(
      links.length === 0 ? quiet("No link yet.") : el(
        "table",
        { class: "raters" },
        el("thead", {}, el("tr", {}, heads.map((name) => el("th", { scope: "col" }, name)))),
        el("tbody", {}, links.map((link) => this.row(link))),
      ),
    );
  }

  /** @param {StudyLink} link */
  row(link) {
    const whose = link.rater ?? link.panel ?? "anybody";
    const { ends } = link;
    const close = (/** @type {boolean} */ out) => () => this.close(link, out);
    return el(
      "tr",
      {},
      el("th", { scope: "row" }, whose, ends && link.state !== "closed" && quiet(codesOf(ends))),
      el("td", {}, new Date(link.made_at).toLocaleString()),
      el("td", {}, STATES[link.state]),
      el("td", {}, link.uses_allowed === null ? String(link.used) : `${link.used} of ${link.uses_allowed}`),
      el("td", {}, link.expires_at ? new Date(link.expires_at).toLocaleString() : "never"),
      el(
        "td",
        {},
        ends && link.state !== "closed" &&
          button("Change codes", () => changeCodes(this.study, link, ends, () => this.changed()), "small"),
        " ",
        link.state !== "closed" &&
          button("Close link", close(false), "small", { title: "No new raters can use the link" }),
        " ",
        link.used > 0 &&
          button("Close link and sign out raters", close(true), "small", {
            title: "Close the link, and end the sessions that used it",
          }),
      ),
    );
  }

  /** @param {StudyLink} link @param {boolean} out */
  async close(link, out) {
    try {
      await remove(`/api/studies/${this.study.id}/links/${link.id}${out ? "?end_sessions=true" : ""}`);
      if (this.freshIds.includes(link.id)) {
        this.freshIds = [];
        this.fresh.replaceChildren(
          el("p", { class: "notice-line", role: "status" }, "This link is closed, so its address no longer works."),
        );
      }
      await this.changed();
    } catch (error) {
      say(this.problem, wordsOf(error));
    }
  }
}
