// Words that the scripts put together.

/** Join sentences with spaces. Empty sentences are left out. @param {string[]} parts */
export function sentences(...parts) {
  return parts.filter(Boolean).join(" ");
}
