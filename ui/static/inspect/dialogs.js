// The dialog of the Inspect page in which users add a picture of their own.

import { isRefused, send, wordsOf } from "../shared/api.js";
import { dialog, el, field, say } from "../shared/dom.js";
import { actions, alertText, quiet, submitButton } from "../shared/elements.js";

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
