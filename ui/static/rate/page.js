// The rating page: a rater signs in to a study. After that, a RatingRun shows the items.

import { at } from "../shared/address.js";
import { early, get, isRefused, keepAnswers, link, speakAs, taken, wordsOf } from "../shared/api.js";
import { dialog, el } from "../shared/dom.js";
import { paragraph } from "../shared/elements.js";
import { remember, remembered } from "../shared/storage.js";
import { contactLine, showRater } from "./dialogs.js";
import { ending } from "./end.js";
import { pressKey } from "./key_table.js";
import { Outbox } from "./outbox.js";
import { codesWaiting } from "./outbox_storage.js";
import { RatingRun } from "./run.js";
import { comeBack, currentSession, lastCode, rememberCode, signIn, signOutHere, wantedStudy } from "./session.js";
import { StudyWatch } from "./study_watch.js";
import { askToGiveUp, standsBefore, visitPage, wayBack, wayBackWhenClosed } from "./visit.js";
import { goneStudy, noStudy, notSent, unknownStudy } from "./no_study.js";
import { showTrouble } from "./trouble.js";
import { Welcome } from "./welcome.js";

/** @import { Child, Rater, Study } from "../shared/types.d.ts" */
/** @import { Stopped } from "./study_watch.js" */
/** @import { Visit } from "./visit.js" */

const LISTEN_MS = 20_000; // ms between checks whether the database was restored; no check while answers are sent

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
  const page = new RatePage(panel);
  await page.open();
}

class RatePage {
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
    /** @type {StudyWatch | null} */
    this.watch = null; // object that watches whether the current study is stopped or resumed
    this.isStopped = false; // whether the page says that the study has stopped
    this.isChoosing = false; // true after the rater has chosen a study other than the one in the link
    /** @type {Map<string, Outbox>} one outbox per rater's code, so that unsent answers survive a change of raters */
    this.outboxes = new Map();
    document.addEventListener("keydown", (event) => this.run && pressKey(this.run, event));
    window.addEventListener("storage", (event) => this.run?.onOtherTab(event));
    const listen = () => document.visibilityState === "visible" && this.run?.outbox.listen();
    document.addEventListener("visibilitychange", listen);
    setInterval(listen, LISTEN_MS);
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
      return this.waitForServer(error, () => this.open());
    }
    const wanted = wantedStudy();
    const study = wanted === null ? this.studies[0] : this.studies.find(({ id }) => String(id) === wanted);
    this.study = study ?? null;
    if (!study && wanted !== null) {
      return this.show(unknownStudy(this.studies, (study) => this.chooseStudy(study)));
    }
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
    this.isStopped = false;
    if (this.watch?.study !== study.id) {
      this.watch?.stop();
      this.watch = new StudyWatch(study.id, (stopped) => this.standingChanged(stopped), () => this.studyGone());
    }
    let visit = known;
    try {
      visit ??= await get(`/api/rate/studies/${study.id}/visit`);
    } catch (error) {
      if (isRefused(error, "signed_out")) return this.signOut();
      return this.waitForServer(error, () => this.goOn());
    }
    if (visit.stopped) return this.showStop(visit.stopped, visit.end);
    const key = readKey(study, rater);
    const isInstructed = this.read.has(key) || remembered(key) !== null || study.stopped;
    if (standsBefore(visit)) return this.showVisit(visit, notice);
    if (visit.stage === "rate" && !isInstructed) return this.welcomeKnown();
    return this.enterStudy();
  }

  /** Welcome a rater who is signed in. Fetch the count of items again, because the page may have been open for long. */
  async welcomeKnown() {
    try {
      this.studies = await get("/api/rate/studies");
    } catch (error) {
      return this.waitForServer(error, () => this.goOn());
    }
    this.study = this.studies.find(({ id }) => id === this.study?.id) ?? this.study;
    this.showWelcome();
  }

  /** @param {Visit} visit @param {string} [notice] */
  showVisit(visit, notice) {
    this.run?.rest();
    const { study } = this.rating();
    const [heading, ...rest] = visitPage(study, visit, (next, words) => this.goOn(next, words), notice);
    this.show([heading, ...rest]);
    heading.focus();
  }

  /** Show that the study was stopped or resumed while the rater works. Before showing a stop, send the latest answers.
   * @param {Stopped} stopped reason why the study was stopped, or null */
  async standingChanged(stopped) {
    if (!stopped && (this.isStopped || this.run?.isStopped())) return this.goOn();
    const { run } = this, view = run?.view;
    if (!stopped || stopped === "full" || !run || !view) return;
    view.close(); // close() saves an unfinished note, and flush() sends it
    await run.outbox.flush();
    if (run.view !== view) return;
    // of a study that was closed, goOn() shows the link back to the recruitment platform
    if (stopped === "closed") await this.goOn();
    else this.showStop(stopped);
  }

  /** Stop rating, because the study does not exist any more: it was deleted, or a restored database lacks it. */
  async studyGone() {
    const { run } = this;
    this.watch = null;
    run?.view?.close();
    await run?.outbox.flush(); // send the last answers; those that the server refuses stay in this browser
    run?.rest();
    this.studies = this.studies.filter(({ id }) => id !== this.study?.id);
    this.show(goneStudy(this.studies, (study) => this.chooseStudy(study)));
  }

  /** @param {NonNullable<Visit["stopped"]>} stopped @param {Visit["end"]} [end] */
  showStop(stopped, end = null) {
    const run = this.run?.wanted ? this.run : null, rated = run?.shelf.done() ?? 0;
    this.run?.rest();
    this.isStopped = true;
    const status = [end && wayBackWhenClosed(end), ...(run ? [run.status, run.signIn] : [])];
    const skipped = run?.shelf.skipped() ?? 0;
    const nothing = {
      rated,
      skipped,
      total: rated + 1,
      minutes: 0,
      status,
      rater: null,
    };
    const again = () => this.goOn();
    const [heading, ...rest] = ending({ ...nothing, stopped }, { again, resume: again, another: this.another() });
    this.show([heading, ...rest]);
    heading.focus();
  }

  /** After all items are rated and saved, show the study's last questions, then the link or code that leads back to
   * the recruitment platform.
   * @param {HTMLElement} place element that shows the link or code */
  async showWayBack(place) {
    const visit = await get(`/api/rate/studies/${this.rating().study.id}/visit`);
    if (!place.isConnected) return;
    if (["after", "failed_gold"].includes(visit.stage)) return this.showVisit(visit);
    const back = visit.stage === "rate" ? wayBackWhenClosed : wayBack;
    place.replaceChildren(...(visit.end ? [back(visit.end)] : []));
  }

  /** @param {unknown} error @param {() => void} again */
  waitForServer(error, again) {
    showTrouble(error, again, (content) => this.show(content));
  }

  /** @param {Child} content */
  show(content) {
    this.panel.replaceChildren(el("div", { class: "column" }, content, contactLine(this.study)));
    scrollTo({ top: 0 });
  }

  showWelcome() {
    this.run?.rest();
    const { rater, given, study, studies } = this;
    if (!study) return this.show(noStudy());
    const came = { waiting: codesWaiting(), last: this.run?.rater.code ?? lastCode() };
    const isSent = link !== null || (wantedStudy() !== null && !this.isChoosing);
    const welcome = new Welcome(
      { rater, given, study, studies, ...came, isSent, lost: this.lost },
      {
        enter: (code, key) => this.enter(code, key),
        choose: (study) => this.chooseStudy(study),
      },
    );
    this.panel.replaceChildren(welcome.content);
    scrollTo({ top: 0 });
    welcome.focus();
  }

  /** @param {Study} study */
  async chooseStudy(study) {
    this.study = study;
    this.isChoosing = true;
    history.replaceState(null, "", at(`/rate?study=${study.id}`));
    this.showWelcome();
  }

  /** Sign the rater in. Throws Refused, Unreachable.
   * @param {string} code @param {string} key */
  async enter(code, key) {
    const isNew = !this.rater;
    this.rater ??= await signIn(code, key);
    this.lost = null;
    if (isNew && this.study?.asks_first) return this.goOn(); // the instructions come later, after the consent page
    if (this.study) {
      const key = readKey(this.study, this.rater);
      this.read.add(key);
      remember(key, "1");
    }
    await this.goOn();
  }

  async enterStudy() {
    const { rater, study } = this.rating(), { code } = rater;
    speakAs(code);
    rememberCode(code);
    this.run?.rest();
    this.run?.outbox.rest();
    const outbox = this.outboxes.get(code) ?? new Outbox(code);
    this.outboxes.set(code, outbox);
    const run = this.run = new RatingRun(study, rater, outbox, {
      show: (content) => this.show(content),
      showItem: (element) => this.panel.replaceChildren(element),
      showRater: () =>
        showRater(rater, {
          another: this.another(),
          leave: () => this.leave(),
          isSent: this.sender !== null,
          giveUp: this.sender && !run.isFinished() ? () => this.giveUp() : null,
        }),
      isSent: this.sender !== null,
      showWayBack: (place) => this.showWayBack(place),
      signOut: () => this.signOut(),
      startAgain: () => this.startAgain(),
      comeBack: () => this.comeBack(),
      another: this.another(),
    });
    try {
      await run.begin();
    } catch (error) {
      if (isRefused(error, "signed_out")) return this.signOut();
      this.waitForServer(error, () => this.enterStudy());
    }
  }

  /** Let a rater from a recruitment platform leave the study permanently, after every answer is stored. */
  async giveUp() {
    await this.run?.outbox.flush();
    askToGiveUp(this.rating().study.id, (next) => standsBefore(next) ? this.showVisit(next) : this.goOn(next));
  }

  /** Return a function that leads to another study, or null if there is no other study. */
  another() {
    if (this.studies.length < 2) return null;
    return () => {
      this.isChoosing = true;
      this.showWelcome();
    };
  }

  /** Sign out the rater on this page, for example because the server no longer knows the rater. */
  signOut() {
    this.watch?.stop();
    this.watch = null;
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

  /** Sign the rater in again after the database was restored to an earlier time.
   * Return whether the server knows the rater. Throws Unreachable. */
  comeBack() {
    return comeBack(this.rating().rater);
  }

  /** Sign the rater out, so that another person can rate. First wait until every answer is stored. */
  async leave() {
    await this.run?.outbox.flush();
    if (this.run?.outbox.waiting().length) {
      const words = "Some answers are not sent yet. Stay signed in until the page shows “Saved”.";
      dialog("Not yet", paragraph(words));
      return;
    }
    try {
      await signOutHere();
      location.reload();
    } catch (error) {
      dialog("Not yet", paragraph(wordsOf(error)));
    }
  }
}

/** Return the key under which the browser notes that a rater has read a study's instructions.
 * @param {Study} study @param {Rater | null} rater */
function readKey({ id }, rater) {
  return `capscope.read.${id}.${rater?.code ?? ""}`;
}
