// Which key is which, on any keyboard.

/** The digit that a key means, or undefined: what it types, or what is printed on it where digits need Shift (AZERTY).
 * @param {Pick<KeyboardEvent, "key" | "code" | "shiftKey">} event */
export function digitOf({ key, code, shiftKey }) {
  if (/^[0-9]$/.test(key)) return Number(key);
  const [, digit] = (!shiftKey && /^Digit([0-9])$/.exec(code)) || [];
  return digit === undefined ? undefined : Number(digit);
}
