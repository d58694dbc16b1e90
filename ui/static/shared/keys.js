// Names of keys, on any keyboard.

/** Return the digit of a key, or undefined. On keyboards whose digits need Shift (AZERTY), the key gives its digit also
 * without Shift.
 * @param {Pick<KeyboardEvent, "key" | "code" | "shiftKey">} event */
export function digitOf({ key, code, shiftKey }) {
  if (/^[0-9]$/.test(key)) return Number(key);
  const [, digit] = (!shiftKey && /^Digit([0-9])$/.exec(code)) || [];
  return digit === undefined ? undefined : Number(digit);
}

/** Return the name of a pressed key: "digit", a small letter, or the name that the browser gives the key.
 * With Alt, the name is "". With Ctrl, or Command on a Mac, it starts with "Ctrl+".
 * @param {KeyboardEvent} event */
export function nameOf(event) {
  const { key, ctrlKey, metaKey, altKey, shiftKey } = event;
  const name = key.length === 1 ? key.toLowerCase() : key;
  if (altKey || ((ctrlKey || metaKey) && shiftKey)) return "";
  if (ctrlKey || metaKey) return `Ctrl+${name}`;
  return digitOf(event) === undefined ? name : "digit";
}

/** Return whether this device is used by touch. Hints about keys are useless on such a device. */
export function isTouched() {
  return globalThis.matchMedia?.("(hover: none)").matches ?? false;
}
