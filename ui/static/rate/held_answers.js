// Lists answers that this browser holds and the server lacks, on pages where no rater is signed in: the welcome page,
// and the page for a link or a study that does not exist. If the server's database was restored, the server may know
// neither the study nor the rater.

import { post, Refused, Unreachable } from "../shared/api.js";
import { el } from "../shared/dom.js";
import { button } from "../shared/elements.js";
import { sentences } from "../shared/text.js";
import { saveAnswers } from "./answer_file.js";
import { keptAnswers } from "./sent_answers.js";
import { entriesHere, setFiled } from "./outbox_storage.js";

/** @import { Entry, Outbox } from "./outbox.js" */
/** @typedef {{code: string, entries: Entry[], isSure: boolean}} Held answers of one rater that this browser holds
 * isSure: whether the server has confirmed that it lacks these answers */

const COMPARED = 1000; // maximum number of answers per request that asks which answers the server lacks

/** List each rater's answers that the server lacks, with a button that saves them. The list may be empty.
 * @param {Map<string, Outbox>} [outboxes] maps each rater's code to the answers that only this page holds */
export function heldHere(outboxes = new Map()) {
  const place = el("div", { role: "status" });
  heldAnswers(outboxes).then((found) => place.replaceChildren(...found.map(line)));
  return place;
}

/** Return the answers that this browser holds and the server lacks, grouped by rater.
 * @param {Map<string, Outbox>} outboxes @returns {Promise<Held[]>} */
async function heldAnswers(outboxes = new Map()) {
  /** @type {Map<string, Entry[]>} */
  const kept = new Map();
  for (const { code, entry } of await keptAnswers()) kept.set(code, [...(kept.get(code) ?? []), entry]);
  const unsent = entriesHere();
  const codes = [...new Set([...unsent.keys(), ...outboxes.keys(), ...kept.keys()])].sort();
  const found = await Promise.all(codes.map(async (code) => {
    const outbox = outboxes.get(code);
    const stored = outbox ? (await outbox.kept.all()).map(({ entry }) => entry) : kept.get(code) ?? [];
    const { entries: lost, isSure } = await lacking(code, stored);
    const every = [...lost, ...(unsent.get(code) ?? []), ...(outbox?.unstored.values() ?? [])];
    const entries = [...new Map(every.map((entry) => [entry.save.key, entry])).values()];
    return { code, entries: entries.sort((a, b) => a.at - b.at), isSure };
  }));
  return found.filter(({ entries }) => entries.length > 0);
}

/** Return which of a rater's answers the server lacks. If the server does not answer, return all of them.
 * @param {string} code @param {Entry[]} entries */
async function lacking(code, entries) {
  /** @type {Set<string>} */
  const missing = new Set();
  try {
    for (let first = 0; first < entries.length; first += COMPARED) {
      const keys = entries.slice(first, first + COMPARED).map(({ save }) => save.key);
      for (const key of (await post("/api/rate/lacking", { code, keys })).missing) missing.add(key);
    }
  } catch (error) {
    if (!(error instanceof Unreachable || error instanceof Refused)) throw error;
    return { entries, isSure: false };
  }
  return { entries: entries.filter(({ save }) => missing.has(save.key)), isSure: true };
}

/** @param {Held} held */
function line({ code, entries, isSure }) {
  const kept = isSure
    ? (entries.length === 1
      ? `1 answer of ${code} is kept in this browser, and not on the server.`
      : `${entries.length} answers of ${code} are kept in this browser, and not on the server.`)
    : entries.length === 1
    ? `1 answer of ${code} is kept in this browser, and perhaps not on the server.`
    : `${entries.length} answers of ${code} are kept in this browser, and perhaps not on the server.`;
  const save = () => {
    saveAnswers(code, entries);
    setFiled(code);
  };
  return el(
    "p",
    { class: "notice-line" },
    sentences(
      kept,
      "Save the answers as a file and send it to the person who sent you the link: that person can import it.",
    ),
    " ",
    button("Save answers as a file", save, "small"),
  );
}
