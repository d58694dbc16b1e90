// Answers and keys that came too early. Answers about a picture wait until it is shown. Keys that were pressed after
// the last answer wait until the next item is shown. Both survive a reload of the browser tab.

/** @typedef {[number, string, number]} Waiting index of the explanation, criterion and point */

/** Store the answers to an item that wait for its picture. @param {string} id of the assignment
 * @param {Waiting[]} answers */
export function keepAnswers(id, answers) {
  keep(`capscope.waiting.${id}`, answers);
}

/** Return the answers to an item that wait for its picture. @param {string} id of the assignment
 * @returns {Waiting[]} */
export function keptAnswers(id) {
  return kept(`capscope.waiting.${id}`);
}

/** Keys that wait until the item after another item is shown. */
export class WaitingKeys {
  constructor() {
    /** @type {string[]} digits, "n" and "Enter", in the order in which they were pressed */
    this.keys = [];
    this.isOn = false; // whether Enter was pressed on an item whose answers wait for the picture
    /** @type {string | null} assignment of the item that is shown */
    this.item = null;
  }

  /** Note that an item is shown. @param {string} id of the assignment
   * @param {boolean} waits whether each open question has an answer that waits for the picture */
  moveTo(id, waits) {
    const [enter, ...stored] = kept(`capscope.keys.${id}`);
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

  /** Remove and return the first key. */
  next() {
    return this.keys.shift();
  }

  clear() {
    this.keys = [];
    this.set(false);
  }

  store() {
    if (this.item !== null) keep(`capscope.keys.${this.item}`, this.isOn ? ["Enter", ...this.keys] : []);
  }

  words() {
    const shown = this.keys.map((key) => key === "Enter" ? "↵" : key).join(" ");
    return this.keys.length ? `These keys wait for the next item: ${shown}` : "";
  }
}

/** @param {string} name @param {unknown[]} values */
function keep(name, values) {
  try {
    if (values.length) sessionStorage.setItem(name, JSON.stringify(values));
    else sessionStorage.removeItem(name);
  } catch {
    // the browser stores nothing; the values wait as long as the page is open
  }
}

/** @param {string} name @returns {any[]} */
function kept(name) {
  try {
    const values = JSON.parse(sessionStorage.getItem(name) ?? "[]");
    return Array.isArray(values) ? values : [];
  } catch {
    return [];
  }
}
