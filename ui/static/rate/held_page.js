// The page of a link that leads nowhere: tells of answers that this browser still holds.

import { heldHere } from "./held_answers.js";

document.querySelector("main")?.append(heldHere());
