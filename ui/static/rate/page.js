// The rating page: a rater signs in to a study. After that, a RatingRun shows the items.

import {
  early,
  get,
  isRefused,
  keepAnswers,
  link,
  post,
  Refused,
  remove,
  speakAs,
  taken,
  Unreachable,
  wordsOf,
} from "../shared/api.js";
import { dialog, el } from "../shared/dom.js";
import { paragraph } from "../shared/elements.js";
import { remember, remembered } from "../shared/storage.js";
import { contactLine, showRater } from "./dialogs.js";
import { endPage, missingStudy, noStudy, notSent, otherStudies, showTrouble, wayBack } from "./endings.js";
import { pressKey } from "./keys.js";
import { Outbox } from "./outbox.js";
import { RatingRun } from "./run.js";
import { codesWaiting } from "./stored_answers.js";
import { askToGiveUp, visitPage } from "./visit.js";
import { Welcome } from "./welcome.js";

/** @import { Child, Rater, Study } from "../shared/types.d.ts" */
/** @import { Ending } from "./endings.js" */
/** @import { Visit } from "./visit.js" */

const LOOK_MS = 5000; // ms between checks whether the study still takes answers
const LISTEN_MS = 20_000; // ms between checks whether the database was restored; no check while answers are sent
const LAST_KEY = "capscope.rater"; // storage key of the code of the rater who rated in this browser last

/** Get the server's first responses early. If the page already contains them, as for a new rater, only store them.
 * On a page inside Gradio's frame, request them before the page is built. */
export async function prepare() {
  const came = document.querySelector("meta[name=capscope-answers]");
  if (came) keepAnswers(JSON.parse(came.getAttribute("content") ?? "{}"));
  else if (link === null) await Promise.all([early("/api/rate/session"), early("/api/rate/studies")]);
}

/** Fill the panel with the rating page.
 * @param {HTMLElement} panel */
export async function start(panel) {
  await new RatePage(panel).open();
}

export class RatePage {
  /** @param {HTMLElement} panel */
  constructor(panel) {
    this.panel = panel;
    /** @type {RatingRun | null} */
    this.run = null;
    /** @type {Rater | null} */
    this.rater = null;
    /** @type {string | null} */
    this.given = null; // rater's code that the link contains
    /** @type {string | null} */
    this.sender = null; // the recruitment platform that sent the rater; such a rater needs no code
    /** @type {Study[]} */
    this.studies = [];
    /** @type {Study | null} */
    this.study = null;
    /** @type {Set<string>} studies whose instructions were read on this page, even if the browser stores nothing */
    this.read = new Set();
    /** @type {string | null} */
    this.lost = null; // code of a rater whom the server no longer knows after its database was restored
    /** @type {Visit["stopped"]} */
    this.stopped = null; // why the study took no answers when the page looked last
    this.isEnded = false; // whether the page says that the study has stopped
    this.isWatching = false; // whether the page looks whether the study takes answers
    /** @type {Map<string, Outbox>} one outbox per rater's code, so that unsent answers survive a change of raters */
    this.outboxes = new Map();
    document.addEventListener("keydown", (event) => this.run && pressKey(this.run, event));
    window.addEventListener("storage", (event) => this.run?.onOtherTab(event));
    const listen = () => document.visibilityState === "visible" && this.run?.outbox.listen();
    document.addEventListener("visibilitychange", listen);
    setInterval(listen, LISTEN_MS);
    setInterval(() => this.look(), LOOK_MS);
    window.addEventListener("popstate", ({ state }) => {
      if (this.run?.wanted && state?.capscopePlace) this.run.goTo(state.capscopePlace, { byHistory: true });
    });
  }

  async open() {
    try {
      const { rater, given, panel } = await currentSession();
      this.rater = rater;
      this.given = given;
      this.sender = panel;
      this.studies = await taken("/api/rate/studies");
    } catch (error) {
      return showTrouble(error, () => this.open(), (content) => this.show(content));
    }
    const wanted = wantedStudy();
    const study = wanted === null ? this.studies[0] : this.studies.find(({ id }) => String(id) === wanted);
    this.study = study ?? null;
    if (!study && wanted !== null) return this.show(missingStudy(false, this.studies));
    if (!study) return this.show(noStudy());
    if (!this.rater && this.sender) return this.show(notSent(this.sender));
    if (!this.rater) return this.showWelcome();
    return this.goOn();
  }

  /** Return the current rater and study. @returns {{rater: Rater, study: Study}} */
  rating() {
    const { rater, study } = this;
    if (!rater || !study) throw new Error("No rater has signed in to a study.");
    return { rater, study };
  }

  /** Show the rater's next page: first the consent page, then questions, then the items. A study may lack the consent
   * page and the questions.
   * @param {Visit} [known] @param {string} [notice] text at the top of the page */
  async goOn(known, notice) {
    const { rater, study } = this.rating();
    speakAs(rater.code);
    this.isWatching = true;
    this.isEnded = false;
    try {
      const visit = known ?? await get(`/api/rate/studies/${study.id}/visit`);
      const { stage, stopped, end } = visit;
      if (stopped) return this.showEnding(stopped, end);
      if (stage === "consent" || stage === "before") return this.showVisit(visit, notice);
      if (stage === "screened_out" || stage === "returned" || (stage === "full" && end)) {
        return this.showEnding(stage, end);
      }
      const isInstructed = this.read.has(readKey(study, rater)) || remembered(readKey(study, rater)) !== null;
      if (stage !== "rate" || isInstructed || study.stopped) return await this.enterStudy();
      this.studies = await get("/api/rate/studies"); // again, because the page may have been open for long
    } catch (error) {
      if (isRefused(error, "signed_out")) return this.signOut();
      return showTrouble(error, () => this.goOn(), (content) => this.show(content));
    }
    this.study = this.studies.find(({ id }) => id === study.id) ?? study;
    this.showWelcome();
  }

  /** @param {Visit} visit @param {string} [notice] */
  showVisit(visit, notice) {
    this.run?.rest();
    this.show(visitPage(this.rating().study, visit, (next, words) => this.goOn(next, words), notice));
  }

  /** Show why the rater cannot rate. @param {Ending} ending @param {Visit["end"]} end */
  showEnding(ending, end) {
    this.run?.rest();
    this.isEnded = true;
    this.show(endPage(ending, null, [end && wayBack(end), this.others()], () => this.goOn()));
  }

  /** Look whether the study still takes answers. If it was stopped, send the latest answers and say so. If it was
   * resumed, go on. */
  async look() {
    const { study, run } = this, view = run?.view;
    if (!study || !this.isWatching || document.visibilityState === "hidden") return;
    try {
      const { stopped } = await get(`/api/rate/studies/${study.id}/standing`);
      if (!this.isWatching || study !== this.study || stopped === this.stopped) return;
      this.stopped = stopped;
      const isEnded = this.isEnded || Boolean(run?.isStopped());
      if (stopped ? stopped === "full" || !view : !isEnded) return; // nothing changes on this page
      view?.close(); // saves an unfinished note
      await run?.outbox.flush();
      if (run?.view === view) await this.goOn();
    } catch (error) {
      if (!(error instanceof Refused || error instanceof Unreachable)) throw error; // the next look() asks again
      if (this.isWatching && isRefused(error, "not_found")) await this.studyGone();
    }
  }

  /** Stop rating, because the study does not exist any more: it was deleted, or a restored database lacks it. */
  async studyGone() {
    const { run } = this;
    this.isWatching = false;
    run?.view?.close();
    await run?.outbox.flush(); // send the last answers; those that the server refuses stay in this browser
    run?.rest();
    this.studies = this.studies.filter(({ id }) => id !== this.study?.id);
    this.show(missingStudy(true, this.studies));
  }

  /** After all items are rated and saved, show the study's last questions, then the link or code that leads back to
   * the recruitment platform.
   * @param {HTMLElement} place element that shows the link or code */
  async showWayBack(place) {
    const visit = await get(`/api/rate/studies/${this.rating().study.id}/visit`);
    if (!place.isConnected) return;
    if (visit.stage === "after") return this.showVisit(visit);
    place.replaceChildren(visit.end && wayBack(visit.end, visit.stage === "done") || "");
  }

  /** Show a page in a column, and focus its heading, unless the same page was shown before. @param {Child} content */
  show(content) {
    const before = this.panel.querySelector("h1")?.textContent;
    this.panel.replaceChildren(el("div", { class: "column" }, content, contactLine(this.study)));
    scrollTo({ top: 0 });
    const heading = this.panel.querySelector("h1");
    if (heading?.textContent !== before) heading?.focus();
  }

  /** @param {HTMLElement} element */
  showItem(element) {
    this.panel.replaceChildren(element);
  }

  showWelcome() {
    this.run?.rest();
    const { rater, given, study, lost } = this;
    if (!study) return this.show(noStudy());
    const waiting = codesWaiting(), last = this.run?.rater.code ?? remembered(LAST_KEY);
    const isSent = link !== null || wantedStudy() !== null, others = this.others();
    const welcome = new Welcome(
      { rater, given, study, others, waiting, last, isSent, lost },
      (code, key) => this.enter(code, key),
    );
    this.showItem(welcome.content);
    scrollTo({ top: 0 });
    welcome.focus();
  }

  /** Sign the rater in. A code that is already in use also needs its return key. Throws Refused, Unreachable.
   * @param {string} code @param {string} key "" for a new rater */
  async enter(code, key) {
    const isNew = !this.rater;
    this.rater ??= (await post("/api/rate/session", { code, ...(key && { return_key: key }) })).rater;
    this.lost = null;
    if (this.study && !(isNew && this.study.asks_first)) { // else the instructions come later, after the consent page
      this.read.add(readKey(this.study, this.rater));
      remember(readKey(this.study, this.rater), "1");
    }
    await this.goOn();
  }

  async enterStudy() {
    const { rater, study } = this.rating(), { code } = rater;
    remember(LAST_KEY, code);
    this.run?.rest();
    this.run?.outbox.rest();
    const outbox = this.outboxes.get(code) ?? new Outbox(code);
    this.outboxes.set(code, outbox);
    this.run = new RatingRun(study, rater, outbox, this);
    await this.run.begin();
  }

  /** Show the rater's code and return key. */
  showRater() {
    const { rater, study } = this.rating(), isSent = this.sender !== null;
    const giveUp = async () => {
      await this.run?.outbox.flush();
      askToGiveUp(study.id, (next) => this.goOn(next));
    };
    const mayGiveUp = isSent && !this.run?.isFinished();
    const leave = () => this.leave();
    showRater(rater, { others: this.others(), leave, isSent, giveUp: mayGiveUp ? giveUp : null });
  }

  /** Build links to the other studies, if there are any. */
  others() {
    return otherStudies(this.studies.filter(({ id }) => id !== this.study?.id));
  }

  /** Sign out the rater on this page, for example because the server no longer knows the rater. */
  signOut() {
    this.isWatching = false;
    speakAs(null);
    this.rater = null;
    this.showWelcome();
  }

  /** Let the rater start again with the same code, because the restored database does not know the rater.
   * It is older than the rater's first visit. */
  startAgain() {
    this.lost = this.rating().rater.code;
    this.signOut();
  }

  /** Sign the rater out, so that another person can rate. First wait until every answer is stored. */
  async leave() {
    await this.run?.outbox.flush();
    if (this.run?.outbox.waiting.length) {
      return dialog(
        "Not yet",
        paragraph("Some answers are not sent yet. Stay signed in until the page shows “Saved”."),
      );
    }
    try {
      await remove("/api/rate/session");
      remember(LAST_KEY, null);
      location.reload();
    } catch (error) {
      dialog("Not yet", paragraph(wordsOf(error)));
    }
  }
}

/** Find out who rates in this browser, and sign in a rater whom a recruitment platform sent. */
async function currentSession() {
  const session = await taken("/api/rate/session");
  if (!session.panel || !location.search) return session;
  try {
    const arrived = await post("/api/rate/arrival", { query: location.search.slice(1) });
    history.replaceState(history.state, "", location.pathname); // remove the participant's id from the address
    return arrived;
  } catch (error) {
    if (isRefused(error, "signed_out")) return session; // without a participant id in the address, keep the session
    throw error;
  }
}

/** Return the study that the address names, or null. */
function wantedStudy() {
  return new URLSearchParams(location.search).get("study");
}

/** Return the key under which the browser notes that a rater has read a study's instructions.
 * @param {Study} study @param {Rater | null} rater */
function readKey({ id }, rater) {
  return `capscope.read.${id}.${rater?.code ?? ""}`;
}
