// The page for a link that does not lead to a study. It lists answers that this browser still holds.

import { heldHere } from "./held_answers.js";

document.querySelector("main")?.append(heldHere());
