// The dialog in which users add their own picture and caption. The picture is a file, is pasted or dropped, or is taken
// with the camera.

import { at } from "../shared/address.js";
import { get, isRefused, send, wordsOf } from "../shared/api.js";
import { el, field, say } from "../shared/dom.js";
import { actions, alertText, button, quiet } from "../shared/elements.js";

const TOO_LARGE = "The file is too large. A picture and a regions file may have up to 50 MB each.";
const EXAMPLES = "demo"; // name of the data set whose pictures the dialog offers as examples
const MOST_REFERENCES = 20; // maximum number of references of a picture that the server accepts

/** Open a dialog in which users add a picture and a caption. `done` is called with the new sample's id.
 * @param {(id: number) => void} done @param {File | null} [first] picture to start with */
export function openOwn(done, first = null) {
  const own = new OwnDialog(done);
  if (first) own.take(first);
}

/** Return the picture in a clipboard or in dropped data. Return null if there is none.
 * @param {DataTransfer | null} transfer @returns {File | null} */
export function pictureIn(transfer) {
  return [...(transfer?.files ?? [])].find(({ type }) => type.startsWith("image/")) ?? null;
}

class OwnDialog {
  /** @param {(id: number) => void} done */
  constructor(done) {
    this.done = done;
    /** @type {File | null} */
    this.picture = null;
    /** @type {string | null} */
    this.address = null; // object URL of the chosen picture, while the picture is shown
    /** @type {MediaStream | null} */
    this.stream = null; // video stream of the camera
    this.preview = el(
      "div",
      { class: "own-picture" },
      quiet("Choose a picture, paste or drop it here, or take one with the camera."),
    );
    const file = el("input", {
      type: "file",
      accept: "image/*",
      "aria-label": "Picture file",
      change: () => this.take(file.files?.[0]),
    });
    const camera = button("Use the camera", () => this.camera());
    this.examples = el("div", { class: "examples", role: "group", "aria-label": "Examples", hidden: true });
    this.offerExamples();
    this.caption = el("textarea", { id: "own-caption", rows: 2, maxlength: 20_000, required: true });
    this.references = el("textarea", {
      id: "own-references",
      rows: 2,
      placeholder: `one per line, at most ${MOST_REFERENCES}; only some metrics need references`,
    });
    this.regions = el("input", { id: "own-regions", type: "file", accept: ".json,application/json" });
    this.status = alertText();
    this.send = el("button", { type: "submit", class: "primary" }, "Inspect picture");
    this.form = el(
      "form",
      { class: "own-form", submit: (event) => this.submit(event) },
      this.preview,
      actions(file, navigator.mediaDevices && camera),
      this.examples,
      field("Caption", this.caption),
      el(
        "details",
        {},
        el("summary", {}, "References and regions (optional)"),
        field("References", this.references),
        field("Regions: a COCO instances file that contains the picture", this.regions),
      ),
      this.status,
      quiet("The picture stays on the computer that runs Capscope, in its data folder."),
      actions(this.send, button("Cancel", () => this.box.close())),
    );
    this.box = el(
      "dialog",
      { class: "box capscope", "aria-label": "Your picture" },
      el("h2", {}, "Your picture"),
      this.form,
    );
    this.box.addEventListener("close", () => this.closed());
    this.box.addEventListener("paste", (event) => this.takeFrom(event, event.clipboardData));
    this.box.addEventListener("dragover", (event) => event.preventDefault());
    this.box.addEventListener("drop", (event) => this.takeFrom(event, event.dataTransfer));
    document.body.append(this.box);
    this.box.showModal();
  }

  /** Offer each picture of the demo data set once, so that users can start without their own pictures. */
  async offerExamples() {
    const found = await get(`/api/samples?dataset=${EXAMPLES}`).catch(() => null);
    const seen = new Set();
    const samples = (found?.samples ?? []).flatMap(({ image, ...rest }) => {
      if (!image || seen.has(image)) return [];
      seen.add(image);
      return [{ image, ...rest }];
    });
    this.examples.hidden = !samples.length;
    this.examples.replaceChildren(
      el("span", { class: "quiet" }, "Or try an example:"),
      ...samples.map(({ image, thumbnail, image_name: name, caption }) =>
        button(
          el("img", { src: thumbnail, alt: "", width: 64, height: 48 }),
          () => this.takeExample(image, name, caption),
          "example",
          { "aria-label": `Example: ${caption}` },
        )
      ),
    );
  }

  /** Put an example's picture and caption into the dialog.
   * @param {string} image address of the picture @param {string} name @param {string} caption */
  async takeExample(image, name, caption) {
    const answer = await fetch(at(image)).catch(() => null);
    if (!answer?.ok) return say(this.status, "The example cannot be loaded now. Try again later.");
    this.caption.value = caption;
    this.take(new File([await answer.blob()], name));
    this.send.focus();
  }

  closed() {
    this.stopCamera();
    this.release();
    this.box.remove();
  }

  /** @param {Event} event @param {DataTransfer | null} transfer */
  takeFrom(event, transfer) {
    const picture = pictureIn(transfer);
    if (!picture) return;
    event.preventDefault();
    this.take(picture);
  }

  /** @param {File | undefined} picture */
  take(picture) {
    if (!picture) return;
    this.stopCamera();
    this.release();
    this.picture = picture;
    this.address = URL.createObjectURL(picture);
    const shown = el("img", { src: this.address, alt: "The picture you chose" });
    shown.addEventListener(
      "error",
      () =>
        shown.replaceWith(
          quiet(`This browser cannot show ${picture.name}, but Capscope may still be able to read it.`),
        ),
    );
    this.preview.replaceChildren(shown);
    say(this.status, "");
    this.caption.focus();
  }

  release() {
    if (this.address) URL.revokeObjectURL(this.address);
    this.address = null;
  }

  async camera() {
    try {
      this.stream = await navigator.mediaDevices.getUserMedia({ video: { facingMode: "environment" } });
    } catch {
      return say(this.status, "This page cannot use a camera on this device.");
    }
    if (!this.box.open) return this.stopCamera();
    const video = el("video", { autoplay: true, playsinline: true, "aria-label": "What the camera sees" });
    video.srcObject = this.stream;
    const shoot = button("Take the picture", () => this.shoot(video), "primary");
    this.preview.replaceChildren(video, shoot);
    shoot.focus();
  }

  /** @param {HTMLVideoElement} video */
  shoot(video) {
    const canvas = el("canvas", { width: video.videoWidth, height: video.videoHeight });
    canvas.getContext("2d")?.drawImage(video, 0, 0);
    canvas.toBlob(
      (blob) => blob && this.take(new File([blob], "camera.jpg", { type: "image/jpeg" })),
      "image/jpeg",
      0.92,
    );
  }

  stopCamera() {
    for (const track of this.stream?.getTracks() ?? []) track.stop();
    this.stream = null;
  }

  /** @param {Event} event */
  async submit(event) {
    event.preventDefault();
    if (!this.picture) return say(this.status, "Choose a picture first.");
    const references = this.references.value.split("\n").filter((line) => line.trim());
    if (references.length > MOST_REFERENCES) {
      this.references.focus();
      return say(
        this.status,
        `A picture can have at most ${MOST_REFERENCES} references, one per line. There are ${references.length} now. Remove ${
          references.length - MOST_REFERENCES
        } out.`,
      );
    }
    this.send.disabled = true;
    say(this.status, "");
    this.send.textContent = "Reading the picture …";
    try {
      const { id } = await (await send("POST", "/api/own", this.filled(this.picture, references))).json();
      if (!this.box.open) return; // the user has closed the dialog meanwhile
      this.box.close();
      this.done(id);
    } catch (error) {
      say(this.status, isRefused(error, "too_large") ? TOO_LARGE : wordsOf(error));
    } finally {
      this.send.disabled = false;
      this.send.textContent = "Inspect picture";
    }
  }

  /** @param {File} picture @param {string[]} references */
  filled(picture, references) {
    const form = new FormData();
    form.append("picture", picture, picture.name);
    form.append("caption", this.caption.value);
    for (const reference of references) form.append("references", reference);
    const regions = this.regions.files?.[0];
    if (regions) form.append("regions", regions);
    return form;
  }
}
