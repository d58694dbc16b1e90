// Upload the files of an import, one request for each file. Then open the next page.

import { at } from "../shared/address.js";
import { Refused, request, silent, wordsOf } from "../shared/api.js";
import { say } from "../shared/dom.js";

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
    try {
      const { id } = await request("POST", "/api/imports");
      const query = new URLSearchParams();
      for (const { kind, file } of files) {
        const name = await sendFile(id, file, (bytes) => {
          bar.value = (sent + bytes) / all;
          say(words, `${megabytes(sent + bytes)} of ${megabytes(all)} MB sent.`);
        });
        query.append(kind, name);
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

/** Send one file. Return its name on the server. `fetch` does not report how many bytes are sent.
 * @param {string} key @param {File} file @param {(bytes: number) => void} tell @returns {Promise<string>} */
function sendFile(key, file, tell) {
  return new Promise((resolve, reject) => {
    const sending = new XMLHttpRequest();
    sending.open("PUT", at(`/api/imports/${key}/files?name=${encodeURIComponent(file.name)}`));
    sending.setRequestHeader("X-Capscope", "1");
    sending.setRequestHeader("Content-Type", "application/octet-stream");
    sending.responseType = "json";
    sending.upload.addEventListener("progress", ({ loaded }) => tell(loaded));
    sending.addEventListener("error", () => reject(silent(null)));
    sending.addEventListener("load", () => {
      if (sending.status < 300) resolve(sending.response.name);
      else reject(new Refused(sending.response ?? {}));
    });
    sending.send(file);
  });
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
