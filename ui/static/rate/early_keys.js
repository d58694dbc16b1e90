// Keys that came too early: they were pressed after the last answer to an item, and wait until the next item is shown.
// They survive a reload of the browser tab.

import { readTab, writeTab } from "../shared/storage.js";

export class EarlyKeys {
  /** @type {string[]} digits, "n" and "Enter", in the order in which they were pressed */
  keys = [];
  isOn = false; // whether Enter was pressed on an item whose answers wait for the picture
  /** @type {string | null} assignment of the item that is shown */
  item = null;

  /** Note that an item is shown. @param {string} id of the assignment
   * @param {boolean} waits whether each open question has an answer that waits for the picture */
  moveTo(id, waits) {
    const [enter, ...stored] = readTab(`capscope.keys.${id}`) ?? [];
    if (this.item !== id) this.set(false);
    this.item = id;
    if (waits && enter) this.keys = stored;
    this.set(waits && enter !== undefined);
  }

  /** Begin or end to wait for the item after the one that is shown. @param {boolean} isOn */
  set(isOn) {
    this.isOn = isOn;
    this.store();
  }

  /** Add a key, or remove the last one. Return whether there was a key to remove. @param {string} key */
  add(key) {
    const isLeft = key !== "Backspace" || this.keys.length > 0;
    if (key === "Backspace") this.keys.pop();
    else this.keys.push(key);
    this.store();
    return isLeft;
  }

  clear() {
    this.keys = [];
    this.set(false);
  }

  store() {
    if (this.item !== null) writeTab(`capscope.keys.${this.item}`, this.isOn ? ["Enter", ...this.keys] : []);
  }

  words() {
    const shown = this.keys.map((key) => key === "Enter" ? "↵" : key).join(" ");
    return shown && `These keys wait for the next item: ${shown}`;
  }
}
