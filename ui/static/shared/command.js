/** Commands of Capscope as the user of this server types them. */

/** Quote an argument for a shell, if it has other characters than names have. @param {string} argument */
export function quoted(argument) {
  return /^[\w.-]+$/.test(argument) ? argument : `'${argument.replaceAll("'", "'\\''")}'`;
}

/** Return a command: `capscope …` if Capscope is installed, `python app.py …` in a clone.
 * @param {string} rest the command's name and options */
export function command(rest) {
  const typed = document.querySelector("meta[name=capscope-command]")?.getAttribute("content");
  return `${typed ?? "capscope"} ${rest}`;
}
