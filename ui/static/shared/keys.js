// Names of keys, on any keyboard.

/** The digit of a key, or undefined. A key counts as its digit also on keyboards whose digits need Shift (AZERTY).
 * @param {Pick<KeyboardEvent, "key" | "code" | "shiftKey">} event */
export function digitOf({ key, code, shiftKey }) {
  if (/^[0-9]$/.test(key)) return Number(key);
  const [, digit] = (!shiftKey && /^Digit([0-9])$/.exec(code)) || [];
  return digit === undefined ? undefined : Number(digit);
}

/** A key's name in a table of keys: "digit", a small letter, or the browser's name; "" with Alt. Ctrl and the Mac's
 * Command are both "Ctrl+". @param {KeyboardEvent} event */
export function nameOf(event) {
  const { key, ctrlKey, metaKey, altKey, shiftKey } = event;
  const name = key.length === 1 ? key.toLowerCase() : key;
  if (altKey || ((ctrlKey || metaKey) && shiftKey)) return "";
  if (ctrlKey || metaKey) return `Ctrl+${name}`;
  return digitOf(event) === undefined ? name : "digit";
}

/** Whether this device is used by touch, so that hints about keys do not help. */
export function isTouched() {
  return globalThis.matchMedia?.("(hover: none)").matches ?? false;
}
