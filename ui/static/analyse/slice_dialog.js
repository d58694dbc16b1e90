// The dialog that asks for the name of a slice (a named subset of samples) and saves the slice.

import { request, wordsOf } from "../shared/api.js";
import { dialog, el, field, say } from "../shared/dom.js";
import { alertText, button, paragraph } from "../shared/elements.js";

/** @import { Child } from "../shared/types.d.ts" */

/** Open the dialog that saves a slice. If the server refuses the slice, the dialog stays open and shows the reason.
 * @param {{title: string, dataset: string, name?: string, before?: Child, fields?: Child, conditions: () => object,
 *   done: (name: string) => void}} of
 * name: proposed name; before: content above the name; fields: content below the name; conditions: returns the slice's
 * conditions when it is saved; done: is called with the saved slice's name */
export function sliceDialog({ title, dataset, name: proposed = "", before, fields, conditions, done }) {
  const name = el("input", { id: "slice-name", maxlength: 80, required: true, value: proposed });
  const refusal = alertText();
  const save = async () => {
    const slice = { name: name.value.trim(), ...conditions() };
    try {
      await request("PUT", "/api/analyse/slices", { dataset, slice });
    } catch (error) {
      return say(refusal, wordsOf(error));
    }
    box.close();
    done(slice.name);
  };
  const saves = paragraph(button("Save slice", save, "primary"));
  const form = el("div", { class: "capscope slice-form" }, before, field("Name", name), fields, refusal, saves);
  const box = dialog(title, form);
  name.select();
}
