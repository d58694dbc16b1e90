// The rating page: who rates and which study; the way through it is a RatingRun.

import { at } from "../shared/address.js";
import {
  Busy,
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
import { forget, remember, remembered } from "../shared/storage.js";
import { countDown } from "../shared/waiting.js";
import { showRater } from "./dialogs.js";
import { ending } from "./end.js";
import { heldHere } from "./held_answers.js";
import { pressKey } from "./key_table.js";
import { Outbox } from "./outbox.js";
import { codesWaiting } from "./outbox_storage.js";
import { RatingRun } from "./run.js";
import { StudyWatch } from "./standing.js";
import { askToGiveUp, standsBefore, visitPage, wayBack } from "./visit.js";
import { goneStudy, noStudy, notSent, unknownStudy } from "./no_study.js";
import { Welcome } from "./welcome.js";

/** @import { Child, Rater, Study } from "../shared/types.d.ts" */
/** @import { Stopped } from "./standing.js" */
/** @import { Visit } from "./visit.js" */

const RETRY_MS = 2000;
const LISTEN_MS = 20_000; // between two questions whether the server was put back, while nothing is sent
const LAST_KEY = "capscope.rater"; // who rates in this browser, until they sign out

/** Take the answers that came with the page of a new rater. Inside Gradio's frame, ask before the page is there. */
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
    this.given = null; // the code that came with the link
    /** @type {string | null} */
    this.sender = null; // the panel that sends people here; they give no code
    /** @type {Study[]} */
    this.studies = [];
    /** @type {Study | null} */
    this.study = null;
    /** @type {Set<string>} what the rater has read on this page, whether or not the browser remembers it */
    this.read = new Set();
    /** @type {string | null} */
    this.lost = null; // the code of a rater whom a server that was put back does not know any more
    /** @type {StudyWatch | null} */
    this.watch = null; // of the study that is rated
    this.isStopped = false; // the page says that the study has stopped
    this.isChoosing = false; // the rater has asked for another study than the link's
    /** @type {Map<string, Outbox>} by code: what the browser does not keep must outlive a change of raters */
    this.outboxes = new Map();
    document.addEventListener("keydown", (event) => this.run?.view && pressKey(this.run.view, event));
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
      const { rater, given, panel } = await this.session();
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
      return this.show(unknownStudy(this.studies, (study) => this.chooseStudy(study), this.held()));
    }
    if (!study) return this.show(noStudy(this.held()));
    if (!this.rater && this.sender) return this.show(notSent(this.sender, this.held()));
    if (!this.rater) return this.showWelcome();
    return this.goOn();
  }

  /** Who rates in this browser; whom a panel sends is let in on the way. */
  async session() {
    const session = await taken("/api/rate/session");
    if (!session.panel || !location.search) return session;
    const query = location.search.slice(1);
    try {
      const arrived = await post("/api/rate/arrival", { query });
      history.replaceState(history.state, "", location.pathname); // what the panel calls somebody is nobody else's
      return arrived;
    } catch (error) {
      if (isRefused(error, "signed_out")) return session; // the address names nobody
      throw error;
    }
  }

  /** The study that is rated, and by whom. @returns {{rater: Rater, study: Study}} */
  rating() {
    const { rater, study } = this;
    if (!rater || !study) throw new Error("No rater has signed in to a study.");
    return { rater, study };
  }

  /** Show what stands before the items, if something does, then the items.
   * @param {Visit} [known] @param {string} [notice] above what stands there */
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
    if (visit.stopped) return this.showStop(visit.stopped);
    if (standsBefore(visit)) return this.showVisit(visit, notice);
    const isRead = this.read.has(this.readKey()) || remembered(this.readKey()) !== null;
    if (visit.stage === "rate" && !study.stopped && !isRead) {
      return this.welcomeKnown();
    }
    return this.enterStudy();
  }

  /** Welcome a rater who is signed in, with what is left for them now: the page may have been open for long. */
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
    const [heading, ...rest] = visitPage(study.id, visit, (next, words) => this.goOn(next, words), notice);
    this.show([heading, ...rest]);
    heading.focus();
  }

  /** The study stops while it is rated, or goes on: tell the rater, once what they have done is on its way.
   * @param {Stopped} stopped */
  async standingChanged(stopped) {
    if (!stopped && (this.isStopped || this.run?.isStopped())) return this.goOn();
    const { run } = this, view = run?.view;
    if (!stopped || stopped === "full" || !run || !view) return;
    view.close(); // a note that is being written
    await run.outbox.flush();
    if (run.view === view) this.showStop(stopped);
  }

  /** The study was deleted, or the server was put back to a time before it: let nobody rate for nothing. */
  async studyGone() {
    const { run } = this;
    this.watch = null;
    run?.view?.close();
    await run?.outbox.flush(); // what is refused now is kept with the other answers
    run?.rest();
    this.studies = this.studies.filter(({ id }) => id !== this.study?.id);
    this.show(goneStudy(this.studies, (study) => this.chooseStudy(study), this.held()));
  }

  /** @param {NonNullable<Visit["stopped"]>} stopped */
  showStop(stopped) {
    const run = this.run?.wanted ? this.run : null, rated = run?.shelf.done() ?? 0;
    this.run?.rest();
    this.isStopped = true;
    const nothing = { rated, total: rated + 1, minutes: 0, status: run ? [run.status, run.signIn] : [], rater: null };
    const again = () => this.goOn();
    const [heading, ...rest] = ending({ ...nothing, stopped }, { again, resume: again, another: this.another() });
    this.show([heading, ...rest]);
    heading.focus();
  }

  /** Everything is rated and saved: ask what is still to be asked, and show the way back.
   * @param {HTMLElement} place for the way back */
  async showWayBack(place) {
    const visit = await get(`/api/rate/studies/${this.rating().study.id}/visit`);
    if (!place.isConnected) return;
    if (visit.stage === "after") return this.showVisit(visit);
    place.replaceChildren(...(visit.end ? [wayBack(visit.end)] : []));
  }

  /** Under what this browser remembers that the rater has read the study's instructions. */
  readKey() {
    return `capscope.read.${this.study?.id}.${this.rater?.code ?? ""}`;
  }

  /** @param {unknown} error @param {() => void} again */
  waitForServer(error, again) {
    if (error instanceof Refused) {
      return this.show([el("h1", {}, "Something went wrong"), paragraph(wordsOf(error)), this.held()]);
    }
    if (!(error instanceof Unreachable)) throw error;
    if (error instanceof Busy) {
      const place = el("p", { role: "status" });
      this.show([el("h1", {}, "Please wait"), place, paragraph("Everything that you have answered is kept.")]);
      countDown(place, error.words, error.seconds).then((isShown) => isShown && again());
      return;
    }
    this.show([
      el("h1", {}, "The server does not answer"),
      paragraph("Nothing you have answered is lost. This page tries again every two seconds."),
    ]);
    setTimeout(again, RETRY_MS);
  }

  /** What this browser holds and the server lacks, with a button that saves it. */
  held() {
    return heldHere(this.outboxes);
  }

  /** @param {Child} content */
  show(content) {
    this.panel.replaceChildren(el("div", { class: "column" }, content));
    scrollTo({ top: 0 });
  }

  showWelcome() {
    this.run?.rest();
    const { rater, given, study, studies } = this;
    if (!study) return this.show(noStudy(this.held()));
    const came = { waiting: codesWaiting(), last: this.run?.rater.code ?? remembered(LAST_KEY) };
    const isSent = link !== null || (wantedStudy() !== null && !this.isChoosing);
    const welcome = new Welcome(
      { rater, given, study, studies, ...came, isSent, lost: this.lost, held: this.held() },
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
  chooseStudy(study) {
    this.study = study;
    this.isChoosing = true;
    history.replaceState(null, "", at(`/rate?study=${study.id}`));
    this.showWelcome();
  }

  /** Let the rater in. Throws Refused, Unreachable.
   * @param {string} code @param {string} key */
  async enter(code, key) {
    const isNew = !this.rater;
    this.rater ??= (await post("/api/rate/session", { code, ...(key && { return_key: key }) })).rater;
    this.lost = null;
    if (isNew && this.study?.asks_first) return this.goOn(); // the instructions come after consent
    this.read.add(this.readKey());
    remember(this.readKey(), "1");
    await this.goOn();
  }

  async enterStudy() {
    const { rater, study } = this.rating(), { code } = rater;
    speakAs(code);
    remember(LAST_KEY, code);
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
          giveUp: this.sender ? () => this.giveUp() : null,
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

  /** Let somebody whom a panel sent leave for good, once every answer is stored. */
  async giveUp() {
    await this.run?.outbox.flush();
    askToGiveUp(this.rating().study.id, (next) => this.showVisit(next));
  }

  /** What leads to another study, or null where there is none. */
  another() {
    if (this.studies.length < 2) return null;
    return () => {
      this.isChoosing = true;
      this.showWelcome();
    };
  }

  /** The server no longer knows who rates here. */
  signOut() {
    this.watch?.stop();
    this.watch = null;
    speakAs(null);
    this.rater = null;
    this.showWelcome();
  }

  /** The server was put back to a time before the rater joined: let them join again. */
  startAgain() {
    this.lost = this.rating().rater.code;
    this.signOut();
  }

  /** Sign the rater in again after a step back; returns whether the server knows them. Throws Unreachable. */
  async comeBack() {
    const { code, return_key } = this.rating().rater;
    try {
      await post("/api/rate/session", { code, return_key });
      return true;
    } catch (error) {
      if (error instanceof Refused) return false;
      throw error;
    }
  }

  /** Let somebody else rate, once every answer is stored. */
  async leave() {
    await this.run?.outbox.flush();
    if (this.run?.outbox.waiting().length) {
      const words = "Some answers are not sent yet. Stay signed in until the page says that all is saved.";
      dialog("Not yet", paragraph(words));
      return;
    }
    try {
      await remove("/api/rate/session");
      forget(LAST_KEY);
      location.reload();
    } catch (error) {
      dialog("Not yet", paragraph(wordsOf(error)));
    }
  }
}

/** The study that the address asks for, or null. */
function wantedStudy() {
  return new URLSearchParams(location.search).get("study");
}
