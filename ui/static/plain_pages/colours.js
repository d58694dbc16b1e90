// Set the reader's theme on the plain pages, which otherwise need no script.

import { keepTheme } from "../shared/theme.js";

keepTheme();
