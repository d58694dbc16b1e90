// Starts a page of the demo's static copy: a recording answers in the server's place, and all else is the app's own.

import { placePages } from "../shared/address.js";
import { answerBy } from "../shared/api.js";
import { Recording } from "./recording.js";

const places = document.querySelector("meta[name=capscope-places]")?.getAttribute("content");
placePages(JSON.parse(places ?? "{}"));
const recording = new Recording();
answerBy((path, asked) => recording.answer(path, asked));
