// The dialogs of the Inspect page: add a picture of the user's own, and export the list of samples.

import { at } from "../shared/address.js";
import { isRefused, send, wordsOf } from "../shared/api.js";
import { dialog, el, field, say } from "../shared/dom.js";
import { actions, alertText, button, paragraph, quiet, submitButton } from "../shared/elements.js";
import { beginPost, CancelledHere, shownIfSlow } from "../shared/long_work.js";
import { addressOf, listed } from "./address.js";

/** @import { Address } from "./address.js" */
/** @import { Work } from "../shared/long_work.js" */

const TOO_LARGE = "The file is too large. A picture may have up to 50 MB.";

/** Return the picture in a clipboard or in dropped data. Return null if there is none.
 * @param {DataTransfer | null} transfer @returns {File | null} */
export function pictureIn(transfer) {
  return [...(transfer?.files ?? [])].find(({ type }) => type.startsWith("image/")) ?? null;
}

/** Open a dialog in which users add a picture and a caption. `done` is called with the new sample's id.
 * @param {(id: number) => void} done @param {File | null} [first] picture to start with */
export function openOwn(done, first = null) {
  const picture = el("input", {
    name: "picture",
    type: "file",
    accept: "image/*",
    required: true,
    "aria-label": "Picture file",
  });
  const caption = el("textarea", { id: "own-caption", name: "caption", rows: 2, maxlength: 20_000, required: true });
  const references = el("textarea", {
    id: "own-references",
    rows: 2,
    placeholder: "one per line, at most 20; only some metrics need references",
  });
  const status = alertText(), submit = submitButton("Inspect picture", "primary");
  const take = (/** @type {File | null} */ file) => {
    if (!file) return;
    const chosen = new DataTransfer();
    chosen.items.add(file);
    picture.files = chosen.files;
    caption.focus();
  };
  const sendForm = async (/** @type {Event} */ event) => {
    event.preventDefault();
    const content = new FormData(form);
    for (const line of references.value.split("\n")) if (line.trim()) content.append("references", line);
    submit.disabled = true;
    say(status, "");
    submit.textContent = "Reading the picture …";
    try {
      const { id } = await (await send("POST", "/api/own", content)).json();
      if (!box.open) return; // the user has closed the dialog meanwhile
      box.close();
      done(id);
    } catch (error) {
      say(status, isRefused(error, "too_large") ? TOO_LARGE : wordsOf(error));
    } finally {
      submit.disabled = false;
      submit.textContent = "Inspect picture";
    }
  };
  const form = el(
    "form",
    { class: "own-form", submit: sendForm },
    quiet("Choose a picture, or paste or drop it here."),
    actions(picture),
    field("Caption", caption),
    field("References (optional)", references),
    status,
    quiet("The picture stays on the computer that runs Capscope, in its data folder."),
    actions(submit),
  );
  const box = dialog("Your picture", form);
  const takeFrom = (/** @type {Event} */ event, /** @type {DataTransfer | null} */ transfer) => {
    const file = pictureIn(transfer);
    if (file) event.preventDefault();
    take(file);
  };
  box.addEventListener("paste", (event) => takeFrom(event, event.clipboardData));
  box.addEventListener("dragover", (event) => event.preventDefault());
  box.addEventListener("drop", (event) => takeFrom(event, event.dataTransfer));
  take(first);
}

/** Open a dialog that exports the listed samples as a file, a data set or a study.
 * @param {Address} state the list's filters and order @param {number} total number of samples in the list */
export function openExport(state, total) {
  const query = new URLSearchParams(listed(state)), samples = total === 1 ? "sample" : "samples";
  const name = el("input", { id: "list-name", maxlength: 80, value: state.dataset && `${state.dataset}, part` });
  const status = alertText(), progress = el("div", {});
  /** @type {Work<any> | null} */
  let work = null;
  const make = async (/** @type {(name: string) => string} */ next) => {
    if (work) return;
    say(status, "");
    work = beginPost("/api/datasets", /** @type {any} */ ({ name: name.value, samples: listed(state) }));
    try {
      const made = await shownIfSlow(progress, work, "Creating the data set");
      location.assign(at(next(made.name)));
    } catch (error) {
      say(status, error instanceof CancelledHere ? "Cancelled. No data set was created." : wordsOf(error));
    } finally {
      work = null;
    }
  };
  const box = dialog(
    `Export ${total.toLocaleString()} ${samples}`,
    paragraph(
      el("a", { class: "button", href: `/api/samples.jsonl?${query}`, download: true }, "Save as JSONL"),
      " with scores and explanations, but without pictures. `import jsonl` reads the file.",
    ),
    el("h3", {}, "Or create a data set of these samples"),
    field("Name", name),
    quiet(
      "The data set contains all scores and regions, in this order. A study can choose its items from this data set, " +
        "and this choice can be repeated.",
    ),
    status,
    progress,
    actions(
      button("Create data set", () => make((made) => addressOf({ dataset: made }))),
      button("Create data set and study", () => make((made) => `/studies?dataset=${encodeURIComponent(made)}`)),
    ),
  );
  box.addEventListener("close", () => work?.cancel());
}
