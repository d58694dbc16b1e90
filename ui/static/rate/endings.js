// The pages of a rater who cannot rate now: the end of the items, a stopped study, no study, and a server that does not
// answer.

import { Busy, Refused, Unreachable, wordsOf } from "../shared/api.js";
import { copyFor, el } from "../shared/dom.js";
import { button, paragraph, quiet } from "../shared/elements.js";
import { counted, sentences } from "../shared/text.js";
import { countDown } from "../shared/waiting.js";

/** @import { Child, Study } from "../shared/types.d.ts" */
/** @import { Visit } from "./visit.js" */
/** @typedef {NonNullable<Visit["stopped"]> | "screened_out" | "returned"} Ending */
/** @typedef {{rated: number, skipped: number, total: number}} Counts numbers of items without practice; rated: includes
 * skipped items */

const RETRY_MS = 2000;
const NOTHING_LEFT = "You have nothing left to do.";

/** @type {Record<Ending, {title: string, text: string, later?: boolean}>} why a rater cannot rate; later: whether the
 * rater may continue later */
export const ENDINGS = {
  not_started: {
    title: "This study has not started yet",
    text: "Open the same address again when the person who sent it to you tells you to.",
    later: true,
  },
  paused: {
    title: "This study is paused",
    text: "You can close this page and open the same address later. " +
      "If you leave it open, it continues by itself as soon as the study does.",
    later: true,
  },
  closed: {
    title: "This study is closed",
    text: "The study takes no more answers. You may close this page. " +
      "If you have questions, write to the person who sent you the link.",
  },
  excluded: {
    title: "Your part in this study has ended",
    text:
      "The people who run this study have ended your part. Your answers are kept, but they do not count in the results. " +
      "If you think that this is a mistake, write to the person who sent you the link.",
  },
  full: {
    title: "This study is full",
    text: `Other raters have taken all of its items. ${NOTHING_LEFT} ` +
      "You may close this page, or come back later: an item may become free.",
    later: true,
  },
  screened_out: {
    title: "Thank you, this study is for others",
    text: `Your answers mean you cannot take part in this study. ${NOTHING_LEFT}`,
  },
  returned: {
    title: "You have left this study",
    text:
      "Answers that you gave are kept. Other raters get the items that you had not finished. You can close this page.",
  },
};

/** Build the page of a rater who cannot rate. @param {Ending} ending @param {Counts | null} counts
 * @param {Child} more what follows the text, such as the way back to the recruitment platform
 * @param {() => void} again looks again whether the rater can continue */
export function endPage(ending, counts, more, again) {
  const { title, text, later } = ENDINGS[ending];
  return [
    heading(title),
    paragraph(text),
    counts && counts.rated > 0 && paragraph(`${summaryText(counts)} Everything you have answered is kept.`),
    more,
    later && paragraph(button("Look again", again)),
  ];
}

/** Build the page after the last item. @param {Counts} counts @param {Child} more what follows the text
 * @param {{again: () => void, resume: () => void}} ways again: shows the answers again; resume: goes to the first open
 * item */
export function lastPage(counts, more, { again, resume }) {
  const open = counts.total - counts.rated;
  return [
    heading(open > 0 ? "You have not finished yet" : "Thank you, you are done"),
    paragraph(summaryText(counts)),
    more,
    open > 0
      ? [
        paragraph(`${counted(open, "item")} ${open === 1 ? "is" : "are"} still open.`),
        paragraph(button("Go to the first open item", resume, "primary")),
      ]
      : paragraph("You may close this page when it shows “Saved”."),
    paragraph(button("Look over your answers", again)),
  ];
}

/** State how many items were rated and skipped. @param {Counts} counts */
function summaryText({ rated, skipped, total }) {
  const words = `You rated ${rated - skipped} of ${counted(total, "item")}.`;
  return sentences(words, skipped ? `You skipped ${counted(skipped, "item")}.` : "");
}

/** Build an element with the completion code and the link back to the recruitment platform. If there is neither, it
 * advises the rater to return the study there, unless the rater is done.
 * @param {NonNullable<Visit["end"]>} end @param {boolean} [isDone] */
export function wayBack({ panel, code, address }, isDone = false) {
  if (!code && !address) {
    return !isDone && paragraph(`Return the study at ${panel} as well, so that your place there is free again.`);
  }
  const copy = button("Copy", () => copyFor(copy, code, "Copied", "Copy it by hand"), "small");
  return el(
    "div",
    { class: "way-back" },
    code && paragraph("Your completion code:", " ", el("strong", { class: "return-key" }, code), " ", copy),
    address
      ? paragraph(el("a", { href: address, class: "primary", rel: "noreferrer" }, `Go back to ${panel}`))
      : paragraph(`Enter this code at ${panel}.`),
  );
}

/** Build the page that is shown if there is no study. */
export function noStudy() {
  return [
    heading("No study yet"),
    aboutCapscope(),
    paragraph("A study is a set of explanations to rate. Make one, then come back."),
    paragraph(el("a", { href: "/studies", class: "primary" }, "Make a study")),
  ];
}

/** Build the page that is shown if a link from a recruitment platform lacks the participant's id.
 * @param {string} panel name of the platform */
export function notSent(panel) {
  const words = `The address does not say who you are. Go to ${panel} and open the study from there once more.`;
  return [heading(`Open this study from ${panel}`), paragraph(words)];
}

/** Build the page that is shown if a study does not exist, or was deleted meanwhile.
 * @param {boolean} wasHere whether the rater has rated it on this page @param {Study[]} others other studies */
export function missingStudy(wasHere, others) {
  return [
    heading(wasHere ? "This study is no longer here" : "There is no such study"),
    paragraph(
      wasHere
        ? "The study was deleted, or the server was put back to an earlier time. Ask the person who sent you the link what to do."
        : "The link that you followed names a study that is not here. Ask the person who sent it to you for a new one.",
    ),
    otherStudies(others),
  ];
}

/** Build links to other studies. @param {Study[]} studies @returns {Child} */
export function otherStudies(studies) {
  const links = studies.map(({ id, title }) => el("li", {}, el("a", { href: `/rate?study=${id}` }, title)));
  return links.length > 0 && el("details", {}, el("summary", {}, "Rate another study"), el("ul", {}, links));
}

/** Explain what Capscope is to a visitor who has no link to a study. */
export function aboutCapscope() {
  return quiet(
    "Capscope shows how metrics judge image captions and lets people judge the metrics’ explanations; if you only want to look, go to ",
    el("a", { href: "/inspect" }, "Inspect"),
    ".",
  );
}

/** Show an error, and try again unless the server has refused. Throws any other error.
 * @param {unknown} error @param {() => void} again @param {(content: Child) => void} show shows content on the page */
export function showTrouble(error, again, show) {
  if (error instanceof Refused) return show([heading("Something went wrong"), paragraph(wordsOf(error))]);
  if (!(error instanceof Unreachable)) throw error;
  if (error instanceof Busy) {
    const place = el("p", { role: "status" });
    show([heading("Please wait"), place, paragraph("All your answers are kept.")]);
    countDown(place, error.words, error.seconds).then((isShown) => isShown && again());
    return;
  }
  const words = "Your answers are not lost. This page tries again every two seconds.";
  show([heading("The server does not answer"), paragraph(words)]);
  setTimeout(again, RETRY_MS);
}

/** @param {string} text */
export function heading(text) {
  return el("h1", { tabindex: "-1" }, text);
}
