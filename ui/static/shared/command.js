/** Commands of Capscope as the user of this server types them. */

/** A command: `capscope …` if Capscope is installed, `python app.py …` in a clone. @param {string} rest its name and options */
export function command(rest) {
  const typed = document.querySelector("meta[name=capscope-command]")?.getAttribute("content");
  return `${typed ?? "capscope"} ${rest}`;
}
