// Answers that the server has stored are kept in this browser for a while. If the server's database is restored to an
// earlier time, the server lacks some of them, and the outbox sends them again. If the browser stores nothing, they are
// kept as long as the page is open.

import { isEntry } from "./outbox_entry.js";

/** @import { Entry } from "./outbox.js" */
/** @typedef {object} KeptAnswer an answer that the server has stored and this browser keeps
 * @property {string} name the entry's name in the outbox
 * @property {string} code the rater's code
 * @property {string} epoch latest epoch (state of the server's database) in which the server is known to have the
 * answer
 * @property {number} at when the server stored the answer, in ms since 1970
 * @property {Entry} entry */

const DATABASE = "capscope";
const STORE = "kept";
const MOST = 10_000; // maximum number of answers kept in one browser; above it, the oldest are removed
const PATIENCE_MS = 2_000; // maximum wait for the browser's database in ms, so that rating is not delayed longer
const LASTS_MS = 30 * 24 * 3_600_000; // ms to keep answers that a restored backup may lack; backups are rarely older

/** @type {Promise<IDBDatabase | null> | null} */
let database = null;

export class Kept {
  /** @param {string} code the rater's code */
  constructor(code) {
    this.code = code;
    /** @type {Map<string, KeptAnswer>} maps a name to an answer that the browser's database has not stored yet */
    this.memory = new Map();
    tidy();
  }

  /** Keep answers that the server has just stored.
   * @param {[string, Entry][]} entries @param {string} epoch current state (epoch) of the server's database */
  async add(entries, epoch) {
    await this.put(entries.map(([name, entry]) => ({ name, code: this.code, epoch, at: Date.now(), entry })));
  }

  /** Return the answers that the server may lack now. They were last known to be on the server in another epoch.
   * @param {string} epoch current epoch (state of the server's database) @returns {Promise<KeptAnswer[]>} */
  async others(epoch) {
    const { code } = this;
    const before = this.ranges([[code], [code, epoch], false, true], [[code, epoch], [code, []], true, false]);
    const stored = (await Promise.all(before)).flat();
    const here = [...this.memory.values()].filter((one) => one.epoch !== epoch);
    return [...new Map([...stored, ...here].map((one) => [one.name, one])).values()];
  }

  /** Record that the server has these answers in an epoch (a state of its database).
   * @param {KeptAnswer[]} answers @param {string} epoch */
  async confirm(answers, epoch) {
    await this.put(answers.map((one) => ({ ...one, epoch })));
  }

  /** Remove answers by name. @param {string[]} names */
  async remove(names) {
    for (const name of names) this.memory.delete(name);
    await written((store) => names.forEach((name) => store.delete(name)));
  }

  /** @param {KeptAnswer[]} answers */
  async put(answers) {
    if (!answers.length) return;
    for (const one of answers) this.memory.set(one.name, one);
    for (const name of [...this.memory.keys()].slice(0, Math.max(0, this.memory.size - MOST))) this.memory.delete(name);
    if (!(await written((store) => answers.forEach((one) => store.put(one))))) return;
    for (const one of answers) if (this.memory.get(one.name) === one) this.memory.delete(one.name);
  }

  /** @param {...[IDBValidKey, IDBValidKey, boolean, boolean]} bounds @returns {Promise<KeptAnswer[]>[]} */
  ranges(...bounds) {
    return bounds.map((bound) => read((store) => store.index("epoch").getAll(IDBKeyRange.bound(...bound))).then(whole));
  }
}

/** Return the valid answers among the stored values. @param {KeptAnswer[] | undefined} found */
function whole(found = []) {
  return found.filter(({ code, entry }) => typeof code === "string" && isEntry(entry));
}

/** Remove answers that are too old, and the oldest answers if there are too many. */
async function tidy() {
  const old = await read((store) => store.index("at").getAllKeys(IDBKeyRange.upperBound(Date.now() - LASTS_MS)));
  const over = (await read((store) => store.count()) ?? 0) - MOST;
  const most = over > 0 ? await read((store) => store.index("at").getAllKeys(null, over)) : [];
  const gone = [...(old ?? []), ...(most ?? [])];
  if (gone.length) await written((store) => gone.forEach((name) => store.delete(name)));
}

/** Return the result of an access to the browser's database, or `otherwise` if the access takes too long.
 * @template Result @param {Result} otherwise @param {(done: (result: Result) => void) => void} work
 * @returns {Promise<Result>} */
function soon(otherwise, work) {
  return new Promise((done) => {
    const timer = setTimeout(() => done(otherwise), PATIENCE_MS);
    work((result) => {
      clearTimeout(timer);
      done(result);
    });
  });
}

/** Return the browser's database, or null if there is none or the browser refuses it.
 * @returns {Promise<IDBDatabase | null>} */
function opened() {
  database ??= soon(/** @type {IDBDatabase | null} */ (null), (done) => {
    if (!globalThis.indexedDB) return done(null);
    try {
      const asked = indexedDB.open(DATABASE, 1);
      asked.onupgradeneeded = () => {
        const store = asked.result.createObjectStore(STORE, { keyPath: "name" });
        store.createIndex("epoch", ["code", "epoch"]);
        store.createIndex("at", "at");
      };
      asked.onsuccess = () => done(asked.result);
      asked.onerror = asked.onblocked = () => done(null);
    } catch {
      done(null); // the browser refuses its database, as some browsers do in a private window
    }
  });
  return database;
}

/** Read from the browser's database. Return undefined if reading fails.
 * @template Result @param {(store: IDBObjectStore) => IDBRequest<Result>} ask @returns {Promise<Result | undefined>} */
async function read(ask) {
  const found = await opened();
  if (!found) return undefined;
  return soon(/** @type {Result | undefined} */ (undefined), (done) => {
    try {
      const asked = ask(found.transaction(STORE).objectStore(STORE));
      asked.onsuccess = () => done(asked.result);
      asked.onerror = () => done(undefined);
    } catch {
      done(undefined);
    }
  });
}

/** Write to the browser's database. Return whether the browser stored the values.
 * @param {(store: IDBObjectStore) => void} write @returns {Promise<boolean>} */
async function written(write) {
  const found = await opened();
  if (!found) return false;
  return soon(false, (done) => {
    try {
      const transaction = found.transaction(STORE, "readwrite");
      transaction.oncomplete = () => done(true);
      transaction.onerror = transaction.onabort = () => done(false);
      write(transaction.objectStore(STORE));
    } catch {
      done(false);
    }
  });
}
