// Words that the scripts put together.

/** Join sentences with spaces. Empty sentences are left out. @param {string[]} parts */
export function sentences(...parts) {
  return parts.filter(Boolean).join(" ");
}

/** Return a number with its noun, such as "1 item" or "3 items". @param {number} number @param {string} noun */
export function counted(number, noun) {
  return number === 1 ? `1 ${noun}` : `${number} ${noun}s`;
}
