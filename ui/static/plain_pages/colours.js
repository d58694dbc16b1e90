// Set the reader's theme on the plain pages. These pages need no other script.

import { keepTheme } from "../shared/theme.js";

keepTheme();
