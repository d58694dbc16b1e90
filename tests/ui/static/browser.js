// As much of a browser as scripts without a page need: storage, events, requests and pictures, all of them watched.

const { now } = Date; // tests set the clock; each begins with the right one

/** A storage like localStorage, of one test. */
export class Store {
  entries = new Map();
  refuses = false;

  get length() {
    return this.entries.size;
  }

  key(at) {
    return [...this.entries.keys()][at] ?? null;
  }

  getItem(name) {
    return this.entries.get(name) ?? null;
  }

  setItem(name, text) {
    if (this.refuses) throw new DOMException("full", "QuotaExceededError");
    this.entries.set(name, String(text));
  }

  removeItem(name) {
    this.entries.delete(name);
  }
}

/** Put a fresh browser in place; answers are what the server says, in order: a body, {status, headers, ...body}, or
 * "silence". */
export function browser(...answers) {
  Date.now = now;
  const sent = [];
  const listeners = new Map();
  const events = {
    addEventListener: (name, listener) => listeners.set(name, listener),
    removeEventListener: (name) => listeners.delete(name),
  };
  const fake = {
    sent,
    answers,
    listeners,
    localStorage: new Store(),
    sessionStorage: new Store(),
    window: events,
    document: { ...events, visibilityState: "visible" },
    timers: [],
    pictures: [],
  };
  const own = {
    localStorage: fake.localStorage,
    sessionStorage: fake.sessionStorage,
    window: events,
    document: fake.document,
  };
  for (const [name, value] of Object.entries(own)) {
    Object.defineProperty(globalThis, name, { value, configurable: true });
  }
  Object.defineProperty(globalThis, "navigator", { value: {}, configurable: true });
  globalThis.Image = class {
    listeners = new Map();

    constructor() {
      fake.pictures.push(this);
    }

    addEventListener(name, listener) {
      this.listeners.set(name, listener);
    }

    decode() {
      return Promise.resolve();
    }
  };
  globalThis.setTimeout = (work, pause) => fake.timers.push({ work, pause });
  globalThis.clearTimeout = (timer) => timer && fake.timers.splice(timer - 1, 1, null);
  globalThis.fetch = (path, { method, body, headers }) => {
    sent.push({ method, path, headers, body: body === undefined ? undefined : JSON.parse(body) });
    const said = fake.answers.shift() ?? "silence";
    if (said === "silence") return Promise.reject(new TypeError("network"));
    const answer = typeof said === "function" ? said(sent.at(-1)) : said;
    const { status = 200, headers: told = {}, ...content } = answer;
    const text = answer.text ?? JSON.stringify(content);
    return Promise.resolve(new Response(text, { status, headers: told }));
  };
  return fake;
}

/** Let everything that waits for an answer go on. */
export async function settled() {
  for (let turn = 0; turn < 50; turn++) await Promise.resolve();
  await new Promise((done) => queueMicrotask(done));
  for (let turn = 0; turn < 50; turn++) await Promise.resolve();
}
