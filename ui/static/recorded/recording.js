// Responses of the server that were recorded into files beside the pages. This module reads these files; it computes
// nothing.

import { at } from "../shared/address.js";

/** @import { Refusal } from "../shared/wire.d.ts" */

const INDEX = "/recorded/index.json"; // maps a request to the file of its response
const NOT_RECORDED =
  "This page is a recorded copy, and this action was not recorded. Run Capscope on your own computer to do it.";

export class Recording {
  /** @param {(address: string) => Promise<any>} read returns the JSON content of a file */
  constructor(read = readJson) {
    this.read = read;
    /** @type {Map<string, Promise<any>>} */
    this.files = new Map();
  }

  /** Answer a request in place of the server. Throws the signal's reason if the request was cancelled.
   * @param {string} path @param {RequestInit} asked @returns {Promise<Response>} */
  async answer(path, { method = "GET", body, signal }) {
    const found = await this.find(questionOf(method, path, body));
    signal?.throwIfAborted();
    if (found) return Response.json(found);
    /** @type {Refusal} */
    const refusal = { kind: "not_found", detail: NOT_RECORDED };
    return Response.json(refusal, { status: 404 });
  }

  /** Return the recorded response to a request, or null. @param {string} question
   * @returns {Promise<any>} */
  async find(question) {
    /** @type {Record<string, string>} */
    const index = await this.file(INDEX);
    if (!Object.hasOwn(index, question)) return null;
    return (await this.file(index[question]))[question];
  }

  /** @param {string} address */
  file(address) {
    if (!this.files.has(address)) {
      const read = this.read(address);
      read.catch(() => this.files.delete(address)); // after a failure, the next request reads the file again
      this.files.set(address, read);
    }
    return this.files.get(address);
  }
}

/** Return the name of a request in the index: method, path, and its JSON with sorted keys.
 * @param {string} method @param {string} path @param {BodyInit | null} [body] */
function questionOf(method, path, body) {
  if (typeof body !== "string") return `${method} ${path}`;
  const asked = JSON.parse(body);
  return `${method} ${path} ${JSON.stringify(asked, Object.keys(asked).sort())}`;
}

/** @param {string} address */
async function readJson(address) {
  const response = await fetch(at(address));
  if (!response.ok) throw new TypeError(`${address}: ${response.status}`);
  return response.json();
}
