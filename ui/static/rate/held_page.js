// The page of a link that leads nowhere. It lists answers that this browser still holds.

import { heldHere } from "./held_answers.js";

document.querySelector("main")?.append(heldHere());
