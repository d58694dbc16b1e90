// The first step of an import: files are sent in parts, so that each request is short and can be repeated.

import { Busy, get, remove, send, Unreachable, wordsOf } from "../shared/api.js";
import { el, field, say } from "../shared/dom.js";
import { button, quiet } from "../shared/elements.js";
import { countDown } from "../shared/waiting.js";

/** @import { ImportOptions } from "../shared/wire.d.ts" */

const PART_S = 120; // maximum time in s for sending a part of a file
const PAUSE_S = 5; // s to wait before a part of a file is sent again
const TABLES = ".csv,.tsv,.txt,.json,.jsonl,.ndjson,.parquet,.arrow,.tar,.gz";

/** A form field for files of one kind, which sends the chosen files to the server. */
class Sending {
  /** @param {string} id id of the input element @param {string} label @param {string} accept accepted file endings
   * @param {() => Promise<string>} key returns the import's key
   * @param {ImportOptions} options @param {() => void} onChange */
  constructor(id, label, accept, key, options, onChange) {
    this.key = key;
    this.options = options;
    this.onChange = onChange;
    /** @type {string[]} */
    this.names = []; // names that the sent files have on the server
    /** @type {string | null} */
    this.problem = null;
    this.isBusy = false;
    this.input = el("input", { id, type: "file", accept, multiple: true, change: () => this.take() });
    this.bar = el("progress", { max: 1, value: 0, "aria-label": "Sending" });
    this.words = el("span", { role: "status" });
    this.stop = button("Stop sending", () => this.giveUp(), "small");
    this.line = el("span", { class: "sending", hidden: true }, this.bar, " ", this.words, " ", this.stop);
    this.node = el("div", {}, field(label, this.input), this.line);
  }

  giveUp() {
    this.turn?.abort();
    this.input.value = "";
    this.isBusy = this.bar.hidden = this.stop.hidden = false;
    this.line.hidden = true;
    this.problem = null;
    this.onChange();
  }

  /** Send the chosen files. They replace files that were chosen before. */
  async take() {
    this.turn?.abort();
    const turn = this.turn = new AbortController(), files = [...this.input.files ?? []];
    const before = this.names;
    this.names = [];
    this.problem = null;
    this.line.hidden = !files.length;
    if (!files.length) return this.onChange();
    this.isBusy = true;
    this.bar.hidden = this.stop.hidden = false;
    this.onChange();
    try {
      check(files, this.options);
      const key = await this.key();
      for (const name of before) await remove(`/api/imports/${key}/files?name=${encodeURIComponent(name)}`);
      const all = files.reduce((sum, { size }) => sum + size, 0);
      let sent = 0;
      for (const file of files) {
        this.names.push(await this.one(key, file, turn.signal, (bytes) => this.tell(sent + bytes, all)));
        sent += file.size;
      }
      this.tell(all, all);
      say(this.words, `${files.map(({ name }) => name).join(", ")}: received.`);
    } catch (error) {
      if (turn.signal.aborted) return;
      this.problem = wordsOf(error);
      say(this.words, this.problem);
    }
    this.isBusy = false;
    this.bar.hidden = this.stop.hidden = true;
    this.onChange();
  }

  /** @param {number} bytes @param {number} all */
  tell(bytes, all) {
    this.bar.value = all ? bytes / all : 1;
    say(this.words, `${megabytes(bytes)} of ${megabytes(all)} MB sent.`);
  }

  /** Send one file. Return its name on the server.
   * @param {string} key @param {File} file @param {AbortSignal} signal @param {(bytes: number) => void} tell */
  async one(key, file, signal, tell) {
    let name = file.name, offset = 0;
    do {
      const path = `/api/imports/${key}/files?name=${encodeURIComponent(file.name)}&offset=${offset}`;
      const part = file.slice(offset, offset + this.options.part);
      try {
        name = (await (await sendPart(path, part, signal)).json()).name;
      } catch (error) {
        if (!(error instanceof Unreachable) || signal.aborted) throw error;
        const reason = error.told ?? "The connection is interrupted. Nothing is lost.";
        if (!(await countDown(this.words, reason, error instanceof Busy ? error.seconds : PAUSE_S)) || signal.aborted) {
          throw error;
        }
        continue;
      }
      offset += part.size;
      tell(offset);
    } while (offset < file.size);
    return name;
  }
}

/** Send a part of a file, with a time limit.
 * @param {string} path @param {Blob} part @param {AbortSignal} signal */
async function sendPart(path, part, signal) {
  const limit = new AbortController();
  const stop = () => limit.abort();
  const timer = setTimeout(() => limit.abort(new DOMException("", "TimeoutError")), 1000 * PART_S);
  signal.addEventListener("abort", stop);
  try {
    return await send("PUT", path, part, { signal: limit.signal });
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", stop);
  }
}

/** @param {File[]} files @param {ImportOptions} options */
function check(files, { most_bytes: most, most_files: many }) {
  const size = files.reduce((sum, file) => sum + file.size, 0);
  if (files.length > many) {
    throw new Error(`One import may have at most ${many} files. Import the other files separately.`);
  }
  if (size > most) {
    throw new Error(
      `The files have ${megabytes(size)} MB, but the limit is ${
        megabytes(most)
      } MB. Import larger files with the command “import”.`,
    );
  }
  const empty = files.find((file) => !file.size);
  if (empty) throw new Error(`${empty.name} is empty. Choose another file.`);
}

/** @param {number} bytes */
function megabytes(bytes) {
  return (bytes / 1e6).toLocaleString(undefined, { maximumFractionDigits: 1 });
}

/** The step in which users choose an import's files and say where its pictures are. */
export class FilesStep {
  /** @param {ImportOptions} options @param {() => Promise<string>} key returns the import's key
   * @param {() => void} onChange */
  constructor(options, key, onChange) {
    this.tables = new Sending("bring-table", "Data: CSV, TSV, JSON Lines, Parquet …", TABLES, key, options, onChange);
    this.zips = new Sending("bring-zip", "Pictures: a ZIP file (optional)", ".zip", key, options, onChange);
    this.folder = options.folders.length
      ? el(
        "select",
        { id: "bring-folder" },
        el("option", { value: "" }, "none"),
        options.folders.map(({ id, name }) => el("option", { value: id }, name)),
      )
      : null;
    this.nodes = [
      this.tables.node,
      this.zips.node,
      ...(this.folder ? [field("Or a folder on the server", this.folder)] : []),
      quiet(
        "Pictures are found by the names in your data. Rows without a picture are also imported. " +
          "Parquet and tar files can contain their pictures.",
      ),
    ];
  }

  /** Why users cannot go to the next step yet; "" if they can. */
  get missing() {
    const { tables, zips } = this;
    if (tables.isBusy || zips.isBusy) return "Wait until the files are uploaded.";
    return tables.problem ?? zips.problem ?? (tables.names.length ? "" : "Choose a file with your data.");
  }

  /** Fields of the import request that depend on the chosen files. */
  get request() {
    const folder = this.folder?.value;
    return { files: this.tables.names, zips: this.zips.names, folders: folder ? [Number(folder)] : [] };
  }

  stop() {
    this.tables.turn?.abort();
    this.zips.turn?.abort();
  }
}

export const importOptions = () => get("/api/imports/options");
