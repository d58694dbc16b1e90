// Upload the files of an import in parts, so that each request is short and can be repeated. Then open the next page.

import { Busy, request, send, Unreachable, wordsOf } from "../shared/api.js";
import { say } from "../shared/dom.js";
import { countDown } from "../shared/waiting.js";

const PART_S = 120; // maximum time in s for sending a part of a file
const PAUSE_S = 5; // s to wait before a part of a file is sent again

/** Let a form upload its files when it is submitted. @param {HTMLFormElement} form */
export function uploads(form) {
  const problem = /** @type {HTMLElement} */ (form.querySelector("[role=alert]"));
  const words = /** @type {HTMLElement} */ (form.querySelector("[role=status]"));
  const bar = /** @type {HTMLProgressElement} */ (form.querySelector("progress"));
  const button = /** @type {HTMLButtonElement} */ (form.querySelector("button"));
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const files = filesOf(form);
    say(problem, check(files.map(({ file }) => file), form));
    if (problem.textContent) return;
    button.disabled = true;
    bar.hidden = false;
    const all = files.reduce((sum, { file }) => sum + file.size, 0);
    let sent = 0;
    const tell = (/** @type {number} */ bytes) => {
      bar.value = all ? bytes / all : 1;
      say(words, `${megabytes(bytes)} of ${megabytes(all)} MB sent.`);
    };
    try {
      const { id } = await request("POST", "/api/imports");
      const query = new URLSearchParams();
      for (const { kind, file } of files) {
        query.append(kind, await sendFile(id, file, Number(form.dataset.part), words, (bytes) => tell(sent + bytes)));
        sent += file.size;
      }
      const folder = /** @type {HTMLSelectElement | null} */ (form.elements.namedItem("folder"))?.value;
      if (folder) query.append("folder", folder);
      location.assign(`${form.dataset.upload}${id}?${query}`);
    } catch (error) {
      say(problem, wordsOf(error));
      button.disabled = false;
      bar.hidden = true;
      say(words, "");
    }
  });
}

/** @param {HTMLFormElement} form */
function filesOf(form) {
  return ["file", "zip"].flatMap((kind) => {
    const input = /** @type {HTMLInputElement} */ (form.elements.namedItem(kind));
    return [...input.files ?? []].map((file) => ({ kind, file }));
  });
}

/** Send one file. Return its name on the server.
 * @param {string} key @param {File} file @param {number} most maximum bytes of a part @param {HTMLElement} words
 * @param {(bytes: number) => void} tell */
async function sendFile(key, file, most, words, tell) {
  let name = file.name, offset = 0;
  do {
    const path = `/api/imports/${key}/files?name=${encodeURIComponent(file.name)}&offset=${offset}`;
    const part = file.slice(offset, offset + most);
    try {
      const answer = await send("PUT", path, part, { signal: AbortSignal.timeout(1000 * PART_S) });
      name = (await answer.json()).name;
    } catch (error) {
      if (!(error instanceof Unreachable)) throw error;
      const reason = error.told ?? "The connection is interrupted. Nothing is lost.";
      if (!(await countDown(words, reason, error instanceof Busy ? error.seconds : PAUSE_S))) throw error;
      continue;
    }
    offset += part.size;
    tell(offset);
  } while (offset < file.size);
  return name;
}

/** Return why files cannot be uploaded; "" if they can. @param {File[]} files @param {HTMLFormElement} form */
function check(files, { dataset }) {
  const size = files.reduce((sum, file) => sum + file.size, 0), most = Number(dataset.most);
  if (files.length > Number(dataset.many)) {
    return `One import may have at most ${dataset.many} files. Import the other files separately.`;
  }
  if (size > most) {
    return `The files have ${megabytes(size)} MB, but the limit is ${megabytes(most)} MB. Use the command “import”.`;
  }
  const empty = files.find((file) => !file.size);
  return empty ? `${empty.name} is empty. Choose another file.` : "";
}

/** @param {number} bytes */
function megabytes(bytes) {
  return (bytes / 1e6).toLocaleString(undefined, { maximumFractionDigits: 1 });
}
