// Start a page of the demo's static copy: recorded answers replace the server; everything else is the app's own code.

import { placePages } from "../shared/address.js";
import { answerBy } from "../shared/api.js";
import { Recording } from "./recording.js";

const places = document.querySelector("meta[name=capscope-places]")?.getAttribute("content");
placePages(JSON.parse(places ?? "{}"));
const recording = new Recording();
answerBy((path, asked) => recording.answer(path, asked));
