// The dialog "Share": the accounts that may see, run or own a study.

import { get, request, wordsOf } from "../shared/api.js";
import { dialog, el, field, say, table, unseen } from "../shared/dom.js";
import { actions, alertText, button, paragraph, picker, quiet, statusText, submitButton } from "../shared/elements.js";

/** @import { Answer } from "../shared/wire.d.ts" */
/** @import { Study } from "./page.js" */
/** @typedef {Answer<"GET", `/api/studies/${number}/shares`>} Shares */
/** @typedef {Shares[number]["right"]} Right */

/** @type {[Right, string][]} */
const RIGHTS = [
  ["see", "see: read and export results"],
  ["run", "run: also manage raters and links"],
  ["own", "own: also share and delete"],
];
const OF_EVERYONE = RIGHTS.filter(([right]) => right !== "own");

/** Return whether people sign in to this server. Without accounts there is nobody to share a study with. */
export function signedIn() {
  return document.querySelector("meta[name=capscope-account]") !== null;
}

/** Say in one sentence who can reach a study, for its card.
 * @param {Study} study */
export function sharedText({ right, everyone }) {
  const mine = {
    see: "You have the right to see this study.",
    run: "You have the right to run this study.",
    own: "You own this study.",
  }[right];
  const others = everyone
    ? `Everyone with an account may ${everyone} it.`
    : "Only admins and accounts with a right see this study.";
  return `${mine} ${others}`;
}

/** Return whether the user's own account would stop owning a study. Admins own every study.
 * @param {string | null} account account whose right changes @param {Right | null} right its new right */
function losesOwn(account, right) {
  const me = document.querySelector("meta[name=capscope-account]");
  const isMe = account !== null && me?.getAttribute("content")?.toLowerCase() === account.toLowerCase();
  return isMe && right !== "own" && me?.getAttribute("data-role") !== "admin";
}

/** Ask whether the user wants to give up the right to own a study.
 * @param {string} name name of the study @param {Right | null} right right that the user's account keeps
 * @returns {Promise<boolean>} */
function asksToGiveUp(name, right) {
  const keeps = right ? `You may then only ${right} it.` : "You then have no right of your own to it.";
  return new Promise((answer) => {
    const box = dialog(
      `Stop owning ${name}?`,
      paragraph(`${keeps} Only another owner or an admin can give you the right back.`),
      actions(
        button("Stop owning the study", () => (answer(true), box.close())),
        button("Keep my right", () => box.close(), "primary"),
      ),
    );
    box.addEventListener("close", () => answer(false)); // no effect after answer(true): a promise resolves only once
  });
}

/** @param {Study} study @param {() => void} onChange */
export async function showSharing(study, onChange) {
  await new SharingDialog(study, onChange).refresh();
}

class SharingDialog {
  /** @param {Study} study @param {() => void} onChange */
  constructor(study, onChange) {
    this.study = study;
    this.onChange = onChange;
    this.problem = alertText();
    this.status = statusText();
    this.list = el("div", { class: "shares" });
    this.account = el("input", { id: "share-account", required: true, maxLength: 100, autocomplete: "off" });
    this.right = picker({ id: "share-right" }, RIGHTS, "see");
    this.everyone = picker(
      { id: "share-everyone" },
      [["", "no right"], ...OF_EVERYONE],
      study.everyone ?? "",
      (right) => this.change(null, /** @type {Right | ""} */ (right) || null),
    );
    const box = this.box = dialog(
      `Share ${study.name}`,
      quiet("Admins own every study. Viewers can only see studies."),
      this.problem,
      this.status,
      this.list,
      field("Everyone with an account", this.everyone),
      el(
        "form",
        { class: "new-share", submit: (event) => this.add(event) },
        field("Account name", this.account),
        field("Right", this.right),
        submitButton("Share", "primary"),
      ),
    );
    box.classList.add("wide", "capscope");
  }

  async refresh() {
    try {
      this.show(await get(`/api/studies/${this.study.id}/shares`));
    } catch (error) {
      say(this.problem, wordsOf(error));
    }
  }

  /** @param {Event} event */
  async add(event) {
    event.preventDefault();
    const name = this.account.value.trim();
    if (!await this.change(name, /** @type {Right} */ (this.right.value))) return;
    this.account.value = "";
    this.right.value = "see"; // reset, so that the next account does not get the same right by mistake
  }

  /** Change the right of an account. Ask first if the user's own account would no longer own the study.
   * @param {string | null} account null: everyone who has an account @param {Right | null} right
   * @returns {Promise<boolean>} whether the right was changed */
  async change(account, right) {
    if (!losesOwn(account, right)) return this.put(account, right);
    if (!await asksToGiveUp(this.study.name, right)) {
      await this.refresh();
      return false;
    }
    const isChanged = await this.put(account, right);
    if (isChanged) this.box.close(); // the user may no longer be allowed to see the rights that the dialog shows
    return isChanged;
  }

  /** @param {string | null} account @param {Right | null} right */
  async put(account, right) {
    say(this.problem, "");
    say(this.status, "");
    try {
      this.show(await request("PUT", `/api/studies/${this.study.id}/shares`, { account, right }));
      const who = account ?? "Everyone with an account";
      say(
        this.status,
        right ? `Saved. ${who} may ${right} this study.` : `Saved. ${who} has no individual right any more.`,
      );
      this.onChange();
      return true;
    } catch (error) {
      say(this.problem, wordsOf(error));
      await this.refresh();
      return false;
    }
  }

  /** @param {Shares} shares */
  show(shares) {
    this.everyone.value = shares.find(({ account }) => account === null)?.right ?? "";
    const rows = shares.flatMap(({ account, right }) =>
      account === null ? [] : [[
        account,
        picker({ "aria-label": `Right of ${account}` }, RIGHTS, right, (to) =>
          this.change(account, /** @type {Right} */ (to))),
        button(
          "Remove",
          () =>
            this.change(account, null),
          "small",
          { "aria-label": `Remove ${account}` },
        ),
      ]]
    );
    this.list.replaceChildren(
      rows.length
        ? table(["Account", "Right", unseen("To do")], rows, "Accounts with a right")
        : quiet("No account has an individual right to this study yet."),
    );
  }
}
