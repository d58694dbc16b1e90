/** This module builds commands of Capscope in the form in which the user of this server can type them. */

/** Quote an argument for a shell, if it contains characters other than those of plain names.
 * @param {string} argument */
export function quoted(argument) {
  return /^[\w.-]+$/.test(argument) ? argument : `'${argument.replaceAll("'", "'\\''")}'`;
}

/** Return a command that starts with `capscope` if Capscope is installed, or with `python app.py` in a clone.
 * @param {string} rest the command's name and options */
export function command(rest) {
  const typed = document.querySelector("meta[name=capscope-command]")?.getAttribute("content");
  return `${typed ?? "capscope"} ${rest}`;
}
