// Set the reader's theme on the plain pages, and let a button switch it. These pages need no other script.

import { all } from "../shared/dom.js";
import { keepTheme, switchesTheme } from "../shared/theme.js";

keepTheme();
for (const toggle of all(document, ".capscope-theme")) switchesTheme(/** @type {HTMLElement} */ (toggle));
