// One item: picture, caption, explanations and the questions about them.

import { get } from "./api.js";
import { el, explanation, gauge, say } from "./dom.js";
import { isComplete, writeSight } from "./shelf.js";
import { openZoom } from "./zoom.js";

const ABSTAIN = 0;
const NOTE_PAUSE_MS = 600;
const HINT = "Point at an answer, or move to it, to read what it means.";

export class ItemView {
  constructor(page, item) {
    this.page = page;
    this.study = page.study;
    this.item = item;
    this.sideBySide = this.study.form === "side_by_side";
    this.questions = this.study.criteria.flatMap((criterion) =>
      item.panels.map((panel, index) => this.question(criterion, panel, index)));
    this.guideline = el("p", { class: "guideline" }, HINT);
    this.figure = el("figure", { class: "picture" });
    this.captionText = el("p", { class: "caption" }, el("span", { class: "overline" }, "Caption"), `“${item.caption}”`);
    this.element = this.layout();
    this.showPicture();
    this.mark();
    this.startClock();
  }

  // ---- layout

  layout() {
    const { item } = this;
    return el("section", { class: `rate ${this.sideBySide ? "side-by-side" : "single"}`, "aria-label": `Item ${item.place}` },
      this.bar(),
      el("div", { class: "desk" },
        el("div", { class: "picture-column" },
          this.figure,
          this.captionText,
          this.note()),
        el("div", { class: "judge-column", style: `--panels: ${item.panels.length}` },
          this.sideBySide ? this.panelGrid() : this.singlePanel())),
      this.footer(),
      this.study.notice && el("p", { class: "quiet" }, this.study.notice));
  }

  bar() {
    const { page } = this;
    const tool = (text, title, click) => el("button", { type: "button", class: "quiet-button", title, click }, text);
    this.progress = el("progress", { max: page.shelf.total, value: page.shelf.done(), "aria-label": "Items rated" });
    return el("header", { class: "bar" },
      el("h1", { class: "visually-hidden" }, `${this.study.title}: item ${this.item.place}`),
      this.progress, page.status,
      el("span", { class: "tools" },
        tool("Instructions", "Read the instructions again", () => page.showInstructions()),
        tool("Guidelines", "Read every guideline (g)", () => page.showGuidelines()),
        tool("Keys", "Show the keys (?)", () => page.showKeys()),
        tool(page.rater.code, "Your code and return key", () => page.showRater())));
  }

  singlePanel() {
    const [panel] = this.item.panels;
    return [
      el("div", { class: "panel" }, gauge(panel.value, panel.scale), scrolling(explanation(panel.rationales), "Explanation")),
      el("div", { class: "questions" }, this.questions.map((question) =>
        el("div", { class: "question" },
          el("p", { class: "question-text", id: question.textId },
            el("strong", { "aria-hidden": "true" }, question.criterion.name), el("span", {}, question.criterion.question)),
          question.fieldset))),
    ];
  }

  panelGrid() {
    const head = this.item.panels.map((panel, index) =>
      el("div", { class: "panel", style: `grid-column: ${index + 1}` },
        el("h2", {}, evaluator(index)), gauge(panel.value, panel.scale),
        scrolling(explanation(panel.rationales), `Explanation of ${evaluator(index)}`)));
    const rows = this.study.criteria.map((criterion) => [
      el("p", { class: "question-text row-head", id: `text-${criterion.key}` },
        el("strong", {}, criterion.name), el("span", {}, criterion.question)),
      this.questions.filter((question) => question.criterion === criterion).map((question) =>
        el("div", { class: "cell" }, el("span", { class: "cell-name", "aria-hidden": "true" }, evaluator(question.index)), question.fieldset)),
    ]);
    return el("div", { class: "panel-grid" }, head, rows);
  }

  footer() {
    this.next = el("button", { type: "button", class: "primary", click: () => this.goNext() }, "Next");
    const previous = el("button", { type: "button", disabled: this.item.place === 1, click: () => this.goBack() }, "Previous");
    return el("footer", { class: "foot" }, previous, this.guideline, this.next);
  }

  note() {
    const area = el("textarea", { rows: 2, maxlength: 4000, "aria-label": "Note", input: () => this.noteChanged(area.value) });
    area.value = this.item.note;
    return el("details", { class: "note", open: this.item.note !== "" }, el("summary", {}, "Note"), area);
  }

  // ---- questions

  question(criterion, panel, index) {
    const name = this.sideBySide ? `${evaluator(index)}: ${criterion.name}` : criterion.name;
    const textId = this.sideBySide ? `text-${criterion.key}` : `text-${criterion.key}-${index}`;
    const question = { criterion, panel, index, name, textId, radios: new Map() };
    const answers = criterion.guidelines.map((guideline) => this.answer(question, guideline));
    const steps = (event) => (this.stepping = event.key.startsWith("Arrow"));
    const leaves = (event) => question.fieldset.contains(event.relatedTarget) || this.unveil();
    const points = () => (this.stepping = false);
    question.fieldset = el("fieldset", { "aria-describedby": textId, keydown: steps, pointerdown: points, focusout: leaves },
      el("legend", { class: "visually-hidden" }, name), el("div", { class: "answers" }, answers));
    return question;
  }

  answer(question, { point }) {
    const tell = () => this.tell(question, point);
    const calm = () => this.tellFocused();
    const radio = el("input", {
      type: "radio", name: `answer-${question.criterion.key}-${question.index}`, value: point,
      checked: question.panel.answers[question.criterion.key] === point, focus: () => radio.checked && tell(), // else what a finger is on would move away under it
      change: () => this.give(question, point),
    });
    question.radios.set(point, radio);
    return el("label", { class: point === ABSTAIN ? "answer abstain" : "answer", pointerenter: tell, pointerleave: calm },
      radio, el("span", { class: "point" }, String(point)),
      point === ABSTAIN && el("span", { class: "abstain-text", "aria-hidden": "true" }, "can’t judge"));
  }

  /** Point out the guideline of the given answer in focus, or how to see one: an answer that only has the focus looks given. */
  tellFocused() {
    const focused = this.questions.find((question) => question.fieldset.contains(document.activeElement));
    if (focused && document.activeElement.checked) this.tell(focused, Number(document.activeElement.value));
    else say(this.guideline, HINT);
  }

  tell({ name, criterion }, point) {
    const { text } = criterion.guidelines.find((guideline) => guideline.point === point);
    say(this.guideline, `${name} ${point}: ${text}`);
  }

  /** Take an answer: on screen, into the outbox, and the veil off when it was the last one without the picture. */
  give(question, point) {
    const { item, page } = this;
    const criterion = question.criterion.key;
    question.radios.get(point).checked = true;
    this.tell(question, point);
    if (question.panel.answers[criterion] === point) return;
    question.panel.answers[criterion] = point;
    this.leaving = false;
    page.outbox.add({ assignment: item.id, kind: "rating", panel: question.index + 1, criterion, point, ...this.times() });
    if (!this.stepping) this.unveil();
    if (isComplete(this.study, item)) page.shelf.finish(item);
    this.mark();
  }

  mark() {
    const open = this.open();
    for (const question of this.questions) question.fieldset.classList.toggle("answered", !open.includes(question));
    this.progress.value = this.page.shelf.done();
  }

  /** Show what the item holds now, after it has changed elsewhere. */
  refresh() {
    for (const { criterion, panel, radios } of this.questions) {
      for (const [point, radio] of radios) radio.checked = panel.answers[criterion.key] === point;
    }
    this.showPicture();
    this.mark();
  }

  open() {
    return this.questions.filter(({ criterion, panel }) => !(criterion.key in panel.answers));
  }

  focusFirst() {
    const question = this.open()[0] ?? this.questions[0];
    focusOn(question);
    scrollTo({ top: 0 });
  }

  // ---- the picture and its veil

  isVeiled() {
    if (!this.study.veil || this.item.revealed) return false;
    return this.open().some(({ criterion }) => criterion.without_image);
  }

  /** Lift the veil where there is one and nothing keeps it. Arrow keys pass answers by, so they wait for the focus to leave. */
  unveil() {
    if (this.study.veil && this.item.image && !this.item.revealed && !this.isVeiled()) this.reveal();
  }

  reveal() {
    this.item.revealed = true;
    this.page.outbox.add({ assignment: this.item.id, kind: "reveal", ...this.times() });
    this.showPicture();
  }

  showPicture() {
    const { item, figure } = this;
    if (!item.image) {
      figure.replaceChildren(notice("The picture of this item is missing.", "You can still rate what does not need it, and leave a note."));
      return;
    }
    const [width, height] = item.image_size;
    figure.style.setProperty("--ratio", `${width} / ${height}`);
    if (this.isVeiled()) {
      figure.replaceChildren(notice(this.veilText(), "It is judged by the text and the score alone."));
      return;
    }
    item.picture.onerror = () => figure.replaceChildren(notice("The picture cannot be loaded just now.", "Your answers are kept. Reload the page to try again."));
    if (item.picture.complete && !item.picture.naturalWidth) item.picture.src = item.image; // it failed while fetched ahead
    const zoom = el("button", { type: "button", class: "zoom", title: "Enlarge (z)", "aria-label": "Enlarge the picture", click: () => this.zoom() }, item.picture);
    figure.replaceChildren(zoom);
    if (item.regions) this.showRegions();
  }

  /** Lay the regions over the picture, where the study shows them; the caption then stands among them. */
  async showRegions() {
    const { item, figure } = this;
    const { RegionView } = await import("./regions.js"); // few studies need it
    this.regions ??= new RegionView({ image: item.image, alt: item.picture.alt, caption: item.caption }, item.regions, { full: false });
    figure.replaceChildren(this.regions.element,
      el("p", {}, el("button", { type: "button", class: "small", title: "Enlarge (z)", click: () => this.zoom() }, "Enlarge the picture")));
    this.captionText.hidden = true;
  }

  /** The server knows that the veil is off: now it gives the regions. */
  async allSaved() {
    const { item, study } = this;
    if (!study.overlay || item.regions || item.asked || !item.image || this.isVeiled()) return;
    item.asked = true;
    try {
      const { items } = await get(`/api/rate/studies/${study.id}/items?start=${item.place}&count=1`);
      item.regions = items[0]?.regions;
      if (item.regions) this.showPicture();
    } catch {
      item.asked = false; // the plain picture stands; the next save asks again
    }
  }

  veilText() {
    const first = this.study.criteria.filter((criterion) => criterion.without_image).map(({ name }) => name).join(", ");
    return `The picture is shown once you have answered ${first}.`;
  }

  zoom() {
    if (this.item.image && !this.isVeiled()) openZoom(this.item);
  }

  // ---- keys and moving on

  /** What a key does here, or undefined. */
  keyAction(event) {
    if (/^[0-9]$/.test(event.key)) return () => this.answerByKey(Number(event.key));
    if (event.key === "Backspace") return () => this.goBack();
    if (event.key === "z") return () => this.zoom();
    if (event.key === "Enter" && !event.target.closest("button, a, summary, [role=button]")) return () => this.goNext();
    return undefined;
  }

  answerByKey(point) {
    const focused = this.questions.find(({ fieldset }) => fieldset.contains(document.activeElement));
    const question = focused ?? this.open()[0];
    if (!question) {
      say(this.guideline, "Everything is answered. Enter goes on; Tab leads back to a question.");
      return;
    }
    this.stepping = false;
    if (!question.radios.has(point)) {
      say(this.guideline, `${question.name} has the answers ${[...question.radios.keys()].join(", ")}.`);
      return;
    }
    this.give(question, point);
    const following = this.questions[this.questions.indexOf(question) + 1];
    if (following) focusOn(following);
    else this.next.focus();
    this.tell(question, point); // what was given, not what the focus has moved on to
  }

  goNext() {
    const open = this.open();
    if (open.length && !this.leaving) {
      this.leaving = true;
      focusOn(open[0]);
      const names = open.map(({ name }) => name).join(", ");
      say(this.guideline, `Still open: ${names}. Press Next again to leave ${open.length === 1 ? "it" : "them"} for later.`);
      return;
    }
    this.page.goTo(this.item.place + 1);
  }

  goBack() {
    if (this.item.place > 1) this.page.goTo(this.item.place - 1);
  }

  noteChanged(text) {
    this.item.note = text;
    clearTimeout(this.noteTimer);
    this.noteTimer = setTimeout(() => this.saveNote(), NOTE_PAUSE_MS);
  }

  saveNote() {
    clearTimeout(this.noteTimer);
    this.noteTimer = null;
    this.page.outbox.add({ assignment: this.item.id, kind: "note", text: this.item.note });
  }

  // ---- time

  startClock() {
    this.item.sight.first ??= Date.now();
    this.since = document.visibilityState === "visible" ? performance.now() : null;
    this.tick = () => {
      this.times();
      this.since = document.visibilityState === "visible" ? performance.now() : null;
      if (this.noteTimer) this.saveNote();
    };
    document.addEventListener("visibilitychange", this.tick);
    window.addEventListener("pagehide", this.tick);
  }

  /** How long the item has been in sight, and how long ago it was first shown, in whole milliseconds. */
  times() {
    const { sight } = this.item;
    if (this.since !== null) {
      const now = performance.now();
      sight.ms += now - this.since;
      this.since = now;
    }
    writeSight(this.item.id, sight);
    return { in_sight_ms: Math.round(sight.ms), shown_ms: Math.max(0, Date.now() - sight.first) };
  }

  close() {
    this.times();
    if (this.noteTimer) this.saveNote();
    document.removeEventListener("visibilitychange", this.tick);
    window.removeEventListener("pagehide", this.tick);
  }
}

function evaluator(index) {
  return `Evaluator ${index + 1}`;
}

function notice(...lines) {
  return el("div", { class: "notice" }, lines.map((line) => el("p", {}, line)));
}

/** Text that may be longer than its box: it scrolls, by keyboard too. */
function scrolling(content, label) {
  return el("div", { class: "scrolling", tabindex: "0", role: "region", "aria-label": label }, content);
}

function focusOn(question) {
  const chosen = [...question.radios.values()].find((radio) => radio.checked) ?? question.radios.values().next().value;
  chosen.focus({ preventScroll: false });
}
