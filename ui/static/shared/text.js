// Words that the scripts put together.

const MINUTES_FROM_S = 100;

/** Join sentences with spaces. Empty sentences are left out. @param {string[]} parts */
export function sentences(...parts) {
  return parts.filter(Boolean).join(" ");
}

/** State a time, such as "8 seconds" or "3 minutes". @param {number} seconds */
export function duration(seconds) {
  return seconds >= MINUTES_FROM_S ? counted(Math.ceil(seconds / 60), "minute") : counted(Math.ceil(seconds), "second");
}

/** Return a number with its noun, such as "1 item" or "3 items". @param {number} number @param {string} noun */
export function counted(number, noun) {
  return number === 1 ? `1 ${noun}` : `${number} ${noun}s`;
}
