// The rating page: who rates, which study, then item after item until it is done.

import { get, post, Refused, remove, speakAs, Unreachable } from "./api.js";
import { dialog, el, emphasised, say } from "./dom.js";
import { ItemView } from "./item.js";
import { Outbox } from "./outbox.js";
import { Shelf } from "./shelf.js";

const RETRY_MS = 2000;
const KEYS = [
  ["0 – 4", "answer the question in focus and move on to the next"],
  ["← →", "move within a question"],
  ["Tab", "next question"],
  ["Enter", "next item"],
  ["Backspace", "previous item"],
  ["z", "enlarge the picture"],
  ["g", "read all guidelines"],
  ["?", "show these keys"],
];

/** Fill the panel with the rating page. */
export async function start(panel) {
  const page = new RatePage(panel);
  await page.open();
}

class RatePage {
  constructor(panel) {
    this.panel = panel;
    this.status = el("p", { role: "status", class: "status" });
    document.addEventListener("keydown", (event) => this.onKey(event));
    window.addEventListener("storage", (event) => this.onOtherTab(event));
  }

  async open() {
    try {
      const [{ rater }, studies] = await Promise.all([get("/api/rate/session"), get("/api/rate/studies")]);
      this.rater = rater;
      this.studies = studies;
    } catch (error) {
      return this.waitForServer(error, () => this.open());
    }
    const wanted = Number(new URLSearchParams(location.search).get("study"));
    this.study = this.studies.find((study) => study.id === wanted) ?? this.studies[0];
    if (!this.study) return this.showEmpty();
    if (!this.rater || !remembered(this.readKey())) return this.showWelcome();
    return this.enterStudy();
  }

  readKey() {
    return `capscope.read.${this.study.id}.${this.rater?.code ?? ""}`;
  }

  waitForServer(error, again) {
    if (!(error instanceof Unreachable)) throw error;
    this.show(
      el("h1", {}, "The server does not answer"),
      el("p", {}, "Nothing you have answered is lost. This page tries again every two seconds."),
    );
    setTimeout(again, RETRY_MS);
  }

  show(...content) {
    this.view = null;
    this.panel.replaceChildren(el("div", { class: "column" }, content));
  }

  showEmpty() {
    this.show(
      el("h1", {}, "No study yet"),
      el("p", {}, "A study is a set of explanations to rate. Make one, then come back."),
      el("p", {}, el("a", { href: "/studies", class: "primary" }, "Make a study")),
    );
  }

  showWelcome(problem = "") {
    const problemLine = el("p", { role: "alert", class: "problem" }, problem);
    const code = el("input", {
      id: "code", name: "code", value: suggestedCode(), maxlength: 24, autocomplete: "off", autocapitalize: "characters",
      spellcheck: "false", required: true,
    });
    const key = el("input", { id: "return-key", name: "return-key", maxlength: 16, autocomplete: "off", spellcheck: "false" });
    const keyRow = el("p", { class: "field", hidden: true }, el("label", { for: "return-key" }, "Return key"), key);
    const enter = async (event) => {
      event.preventDefault();
      try {
        if (!this.rater) {
          const body = { code: code.value, ...(key.value && { return_key: key.value }) };
          this.rater = (await post("/api/rate/session", body)).rater;
        }
        remember(this.readKey());
        await this.enterStudy();
      } catch (error) {
        if (error instanceof Refused && error.status === 409) keyRow.hidden = false;
        else if (!(error instanceof Refused || error instanceof Unreachable)) throw error;
        say(problemLine, error.message);
        code.focus();
      }
    };
    const who = this.rater
      ? el("p", {}, "You rate as ", el("strong", {}, this.rater.code), ".")
      : [
          el("p", { class: "field" }, el("label", { for: "code" }, "Your code"), code,
            el("span", { class: "quiet" }, "Any short code, not your name.")),
          keyRow,
        ];
    const [greeting, ...paragraphs] = this.study.instructions;
    this.show(
      el("h1", {}, greeting),
      this.study.notice && el("p", { class: "notice-line" }, this.study.notice),
      paragraphs.map((text) => el("p", {}, emphasised(text))),
      el("ul", {}, this.study.criteria.map((c) => el("li", {}, el("strong", {}, c.name), ": ", c.question))),
      el("form", { submit: enter, class: "enter" }, this.studyChoice(), who, problemLine,
        el("p", {}, el("button", { class: "primary" }, "Start"))),
    );
    (this.rater ? this.panel.querySelector("button.primary") : code).focus({ preventScroll: true });
  }

  studyChoice() {
    if (this.studies.length < 2) return null;
    const choose = (event) => {
      this.study = this.studies.find((study) => String(study.id) === event.target.value);
      history.replaceState(null, "", `/?study=${this.study.id}`);
      this.showWelcome();
    };
    const options = this.studies.map((study) =>
      el("option", { value: study.id, selected: study === this.study }, `${study.title} (${study.items} items)`));
    return el("p", { class: "field" }, el("label", { for: "study" }, "Study"),
      el("select", { id: "study", change: choose }, options));
  }

  async enterStudy() {
    speakAs(this.rater.code);
    this.outbox?.close();
    this.outbox = new Outbox(
      this.rater.code,
      (state, waiting) => this.showState(state, waiting),
      (save, reason) => this.onRefused(save, reason),
    );
    this.shelf = new Shelf(this.study, this.outbox);
    try {
      const place = await this.shelf.open();
      this.state = this.outbox.waiting().length ? "saving" : "saved";
      this.outbox.flush();
      await this.goTo(place);
    } catch (error) {
      if (error instanceof Refused && error.status === 401) return this.signOut();
      this.waitForServer(error, () => this.enterStudy());
    }
  }

  async signOut() {
    speakAs(null);
    this.rater = null;
    this.showWelcome();
  }

  /** Show the item at a place of the rater's order; beyond the last one is the end. */
  async goTo(place) {
    this.wanted = place;
    this.ended = false;
    if (place > this.shelf.total) return this.showDone();
    this.view?.close();
    if (!this.shelf.has(place)) {
      this.showWaiting(); // the item before must not take the answers meant for this one
      let item;
      try {
        item = await this.shelf.fetch(place);
      } catch (error) {
        if (error instanceof Refused && error.status === 401) return this.signOut();
        throw error;
      }
      if (this.wanted !== place) return;
      if (!item) {
        if (this.shelf.total < place) return this.showDone();
        setTimeout(() => this.wanted === place && this.goTo(place), RETRY_MS);
        return;
      }
    }
    this.view = new ItemView(this, this.shelf.get(place));
    this.panel.replaceChildren(this.view.element);
    this.view.focusFirst();
    this.showState(this.outbox.waiting().length ? this.state : "saved", this.outbox.waiting().length);
    this.shelf.fetchAhead(place);
  }

  showWaiting() {
    const waiting = this.outbox.waiting().length;
    this.show(el("h1", {}, "Fetching the next item …"), this.status,
      el("p", { class: "quiet" }, "Everything you have answered is kept. This page goes on by itself."));
    this.showState(waiting ? this.state : "loading", waiting);
  }

  /** Show the end. Once all is saved the server's count replaces our own. */
  showDone() {
    this.ended = true;
    const waiting = this.outbox.waiting().length;
    const rated = this.shelf.done();
    this.view?.close();
    this.show(
      el("h1", {}, rated >= this.shelf.total ? "Thank you, you are done" : "You have reached the end"),
      el("p", {}, `You rated ${rated} of ${this.shelf.total} items${minutesText(this.shelf.minutes())}.`),
      this.status,
      rated < this.shelf.total &&
        el("p", {}, el("button", { type: "button", class: "primary", click: () => this.resume() }, "Go to the first open item")),
      el("p", {}, el("button", { type: "button", click: () => this.goTo(1) }, "Look over your answers")),
      this.studies.length > 1 && el("p", {}, el("button", { type: "button", click: () => this.showWelcome() }, "Rate another study")),
    );
    this.showState(waiting ? this.state : "saved", waiting);
    this.panel.querySelector("h1").setAttribute("tabindex", "-1");
    this.panel.querySelector("h1").focus();
  }

  async recount() {
    const before = this.shelf.done();
    await this.shelf.open();
    if (this.ended && this.shelf.done() !== before) this.showDone();
  }

  async resume() {
    this.goTo(await this.shelf.open());
  }

  /** Say plainly whether all is saved, and where the rater is. */
  showState(state, waiting) {
    if (state === "saved" && this.state === "offline" && this.view) this.shelf.fetchAhead(this.view.item.place);
    if (state === "saved" && this.ended) this.recount().catch(() => {}); // our own count stands until it works
    if (state === "saved") this.view?.allSaved();
    this.state = state;
    const answers = waiting === 1 ? "1 answer" : `${waiting} answers`;
    const texts = {
      saved: "Saved",
      saving: "Saving …",
      loading: "Loading the next item …",
      offline: `Not connected: ${answers} kept in this browser, sent as soon as the server is back`,
      "signed-out": `${answers} kept in this browser: sign in again as ${this.rater?.code} to send them`,
    };
    const place = Math.min(this.wanted ?? 1, this.shelf?.total ?? 1);
    this.status.dataset.state = state;
    say(this.status, `${texts[state]} · ${place} of ${this.shelf?.total ?? "…"}`);
  }

  /** Another tab of this browser has taken an answer: show it here too. */
  onOtherTab({ key, newValue }) {
    if (!this.outbox || !newValue || !key?.startsWith(this.outbox.prefix)) return;
    const { save } = JSON.parse(newValue);
    const item = this.shelf.takeSave(save);
    if (item && this.view?.item === item) this.view.refresh();
  }

  onRefused(save, reason) {
    dialog("An answer was not stored", el("p", {}, `The server refused it: ${reason}`),
      el("p", {}, "Reload the page to see what is stored."));
  }

  showKeys() {
    dialog("Keys", el("table", { class: "keys" }, KEYS.map(([key, what]) =>
      el("tr", {}, el("th", { scope: "row" }, el("kbd", {}, key)), el("td", {}, what)))));
  }

  showGuidelines() {
    dialog("Guidelines", this.study.criteria.map((criterion) => [
      el("h3", {}, criterion.name),
      el("p", {}, criterion.question),
      el("dl", { class: "guidelines" }, criterion.guidelines.map(({ point, text }) =>
        [el("dt", {}, String(point)), el("dd", {}, text)])),
    ]));
  }

  showInstructions() {
    const [greeting, ...paragraphs] = this.study.instructions;
    dialog(greeting, paragraphs.map((text) => el("p", {}, emphasised(text))),
      el("ul", {}, this.study.criteria.map((c) => el("li", {}, el("strong", {}, c.name), ": ", c.question))));
  }

  showRater() {
    const leave = async () => {
      await this.outbox.flush();
      if (this.outbox.waiting().length) {
        dialog("Not yet", el("p", {}, "Some answers wait in this browser until the server is back. Stay signed in until the page says that all is saved."));
        return;
      }
      try {
        await remove("/api/rate/session");
        location.reload();
      } catch (error) {
        dialog("Not yet", el("p", {}, error.message));
      }
    };
    const another = () => {
      box.close();
      this.view?.close();
      this.showWelcome();
    };
    const box = dialog(
      `You rate as ${this.rater.code}`,
      el("p", {}, "To go on in another browser, give your code there with this return key: ",
        el("strong", { class: "return-key" }, this.rater.return_key)),
      this.studies.length > 1 && el("p", {}, el("button", { type: "button", click: another }, "Rate another study")),
      el("p", {}, el("button", { type: "button", click: leave }, "Somebody else rates now")),
    );
  }

  onKey(event) {
    const typing = event.target.matches?.("input:not([type=radio]), textarea, select");
    if (!this.view || typing || event.ctrlKey || event.altKey || event.metaKey || document.querySelector("dialog[open]")) return;
    if (event.repeat && /^([0-9]|Enter|Backspace)$/.test(event.key)) {
      event.preventDefault(); // a key held down is one answer, not several
      return;
    }
    const shared = { "?": () => this.showKeys(), g: () => this.showGuidelines() };
    const act = shared[event.key] ?? this.view.keyAction(event);
    if (!act) return;
    event.preventDefault();
    act();
  }
}

function minutesText(minutes) {
  if (minutes < 1) return "";
  return minutes < 1.5 ? " in about a minute" : ` in about ${Math.round(minutes)} minutes`;
}

function suggestedCode() {
  const letters = "ABCDEFGHJKLMNPQRSTUVWXYZ";
  const [a, b] = crypto.getRandomValues(new Uint32Array(2));
  return `${letters[a % letters.length]}${String(b % 900 + 100)}`;
}

function remembered(key) {
  try {
    return localStorage.getItem(key) !== null;
  } catch {
    return false;
  }
}

function remember(key) {
  try {
    localStorage.setItem(key, "1");
  } catch {
    // without storage the instructions are shown again
  }
}
