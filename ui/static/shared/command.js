/** Commands of Capscope as the user of this server types them. */

/** An argument as a shell takes it: in quotation marks where it has other signs than names have. @param {string} argument */
export function quoted(argument) {
  return /^[\w.-]+$/.test(argument) ? argument : `'${argument.replaceAll("'", "'\\''")}'`;
}

/** A command: `capscope …` if Capscope is installed, `python app.py …` in a clone. @param {string} rest its name and options */
export function command(rest) {
  const typed = document.querySelector("meta[name=capscope-command]")?.getAttribute("content");
  return `${typed ?? "capscope"} ${rest}`;
}
