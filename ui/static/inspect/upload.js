// The dialog in which users add their own picture and caption. The picture is a file, or is pasted or dropped.

import { isRefused, send, wordsOf } from "../shared/api.js";
import { el, field, say } from "../shared/dom.js";
import { actions, alertText, button, quiet, submitButton } from "../shared/elements.js";

const TOO_LARGE = "The file is too large. A picture may have up to 50 MB.";
const MOST_REFERENCES = 20; // maximum number of references of a picture that the server accepts

/** Return the picture in a clipboard or in dropped data. Return null if there is none.
 * @param {DataTransfer | null} transfer @returns {File | null} */
export function pictureIn(transfer) {
  return [...(transfer?.files ?? [])].find(({ type }) => type.startsWith("image/")) ?? null;
}

/** Open a dialog in which users add a picture and a caption. `done` is called with the new sample's id.
 * @param {(id: number) => void} done @param {File | null} [first] picture to start with */
export function openOwn(done, first = null) {
  const picture = el("input", { type: "file", accept: "image/*", required: true, "aria-label": "Picture file" });
  const caption = el("textarea", { id: "own-caption", rows: 2, maxlength: 20_000, required: true });
  const references = el("textarea", {
    id: "own-references",
    rows: 2,
    placeholder: `one per line, at most ${MOST_REFERENCES}; only some metrics need references`,
  });
  const status = alertText(), submit = submitButton("Inspect picture", "primary", { type: "submit" });
  const take = (/** @type {File | null} */ file) => {
    if (!file) return;
    const chosen = new DataTransfer();
    chosen.items.add(file);
    picture.files = chosen.files;
    caption.focus();
  };
  const sendForm = async (/** @type {Event} */ event) => {
    event.preventDefault();
    const lines = references.value.split("\n").filter((line) => line.trim()), more = lines.length - MOST_REFERENCES;
    if (more > 0) {
      references.focus();
      return say(status, `A picture can have at most ${MOST_REFERENCES} references, one per line. Remove ${more}.`);
    }
    const form = new FormData();
    form.append("picture", /** @type {FileList} */ (picture.files)[0]);
    form.append("caption", caption.value);
    for (const reference of lines) form.append("references", reference);
    submit.disabled = true;
    say(status, "");
    submit.textContent = "Reading the picture …";
    try {
      const { id } = await (await send("POST", "/api/own", form)).json();
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
  const box = el(
    "dialog",
    { class: "box capscope", "aria-label": "Your picture" },
    el("h2", {}, "Your picture"),
    el(
      "form",
      { class: "own-form", submit: sendForm },
      quiet("Choose a picture, or paste or drop it here."),
      actions(picture),
      field("Caption", caption),
      field("References (optional)", references),
      status,
      quiet("The picture stays on the computer that runs Capscope, in its data folder."),
      actions(submit, button("Cancel", () => box.close())),
    ),
  );
  const takeFrom = (/** @type {Event} */ event, /** @type {DataTransfer | null} */ transfer) => {
    const file = pictureIn(transfer);
    if (file) event.preventDefault();
    take(file);
  };
  box.addEventListener("close", () => box.remove());
  box.addEventListener("paste", (event) => takeFrom(event, event.clipboardData));
  box.addEventListener("dragover", (event) => event.preventDefault());
  box.addEventListener("drop", (event) => takeFrom(event, event.dataTransfer));
  document.body.append(box);
  box.showModal();
  take(first);
}
