// The form that changes the completion codes and return addresses of a platform's link. The link's address stays valid.

import { get, request, wordsOf } from "../shared/api.js";
import { dialog, el, field, say } from "../shared/dom.js";
import { alertText, paragraph, quiet, submitButton } from "../shared/elements.js";
import { ENDS, short } from "./platform_form.js";

/** @import { EndKind } from "./platform_form.js" */
/** @import { Study } from "./page.js" */
/** @import { StudyLink } from "./links.js" */
/** @typedef {NonNullable<StudyLink["ends"]>} Ends */

/** Open the form that changes a link's completion codes.
 * @param {Study} study @param {StudyLink} link @param {Ends} ends codes and return addresses for each end of a visit
 * @param {() => void} onChange */
export async function changeCodes(study, link, ends, onChange) {
  const problem = alertText(), fields = el("div", {});
  /** @type {Map<EndKind, {code: HTMLInputElement, address: HTMLInputElement}>} */
  const inputs = new Map(ENDS.map(([kind]) => [kind, {
    code: text(`change-code-${kind}`, ends[kind].code),
    address: text(`change-address-${kind}`, ends[kind].address),
  }]));
  const box = dialog(
    `Codes of the link for ${link.panel}`,
    paragraph("The link’s address stays the same. Raters who are at work get the new codes too."),
    problem,
    el("form", { class: "new-links", submit: save }, fields, paragraph(submitButton("Save codes", "primary"))),
  );
  box.classList.add("wide", "capscope");

  /** @param {"code" | "address"} part @param {EndKind} kind */
  const input = (part, kind) => /** @type {HTMLInputElement} */ (inputs.get(kind)?.[part]);
  try {
    const { possible } = await get(`/api/studies/${study.id}/panels`);
    const needed = ENDS.filter(([kind]) => possible.includes(kind) || ends[kind].code);
    fields.replaceChildren(
      ...needed.map(([kind, name]) => field(`Completion code for raters ${name}`, input("code", kind))),
      el(
        "details",
        {},
        el("summary", {}, "Return addresses"),
        quiet("Raters return to these addresses. Capscope fills in {code} and {person}."),
        needed.map(([kind, name]) => field(`Return address for raters ${short(name)}`, input("address", kind))),
      ),
    );
  } catch (error) {
    say(problem, wordsOf(error));
  }

  /** @param {Event} event */
  async function save(event) {
    event.preventDefault();
    const end = (/** @type {EndKind} */ kind) => ({
      code: input("code", kind).value.trim(),
      address: input("address", kind).value.trim(),
    });
    try {
      await request("PUT", `/api/studies/${study.id}/panel-links/${link.id}`, {
        done: end("done"),
        screened_out: end("screened_out"),
        full: end("full"),
        failed_gold: end("failed_gold"),
      });
      box.close();
      onChange();
    } catch (error) {
      say(problem, wordsOf(error));
    }
  }
}

/** List the completion codes of a link. @param {Ends} ends */
export function codesOf(ends) {
  const codes = ENDS.flatMap(([kind, name]) => ends[kind].code ? [`${ends[kind].code} (${short(name)})`] : []);
  return codes.length ? `Codes: ${codes.join(", ")}` : "No codes";
}

/** @param {string} id @param {string} value */
function text(id, value) {
  return el("input", { id, value, spellcheck: "false", autocomplete: "off", maxlength: 1000 });
}
