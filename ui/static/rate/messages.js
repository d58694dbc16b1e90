// Messages to a rater from the people who run the study. They are shown when the rater opens the study, and again in
// the dialog that opens with a click on the rater's code.

import { get, post, Refused, Unreachable } from "../shared/api.js";
import { dialog, el } from "../shared/dom.js";
import { button, paragraph } from "../shared/elements.js";

/** @import { Answer } from "../shared/wire.d.ts" */
/** @typedef {Answer<"GET", `/api/rate/studies/${number}/messages`>[number]} Message */

/** Show unread messages in a dialog. They count as read when the rater closes the dialog.
 * @param {number} study @param {(place: number) => void} goTo opens the item at a place in the rater's order */
export async function showNewMessages(study, goTo) {
  const all = await messagesOf(study), fresh = all.filter((message) => !message.is_read);
  if (!fresh.length) return;
  const box = showMessages("From the people who run this study", fresh, goTo);
  box.addEventListener("close", () => {
    const ids = fresh.map(({ id }) => id);
    post(`/api/rate/studies/${study}/messages/read`, { ids }).catch(ignoreSilence); // on failure, they are shown again
  });
}

/** Show all messages, the latest first. @param {number} study @param {(place: number) => void} goTo */
export async function showAllMessages(study, goTo) {
  showMessages("Messages", await messagesOf(study), goTo);
}

/** @param {number} study @returns {Promise<readonly Message[]>} */
async function messagesOf(study) {
  try {
    return await get(`/api/rate/studies/${study}/messages`);
  } catch (error) {
    ignoreSilence(error); // rating goes on without messages, and the page asks for them again at the next visit
    return [];
  }
}

/** @param {unknown} error */
function ignoreSilence(error) {
  if (!(error instanceof Unreachable || error instanceof Refused)) throw error;
}

/** Show messages in a dialog.
 * @param {string} title @param {readonly Message[]} messages @param {(place: number) => void} goTo goes to an item */
function showMessages(title, messages, goTo) {
  const shown = messages.map(({ text, at, place }) =>
    el(
      "article",
      { class: "message" },
      el("p", { class: "quiet" }, new Date(at).toLocaleString()),
      text.split(/\n+/).map((line) => el("p", { dir: "auto" }, line)),
      place !== null && paragraph(button("Go to the item", () => (box.close(), goTo(place)), "small")),
    )
  );
  const box = dialog(title, shown.length ? shown : paragraph("There are no messages."));
  return box;
}
