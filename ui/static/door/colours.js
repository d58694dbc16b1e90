// The plain pages work without a script; this one only gives them the reader's colours.

import { keepTheme } from "../shared/theme.js";

keepTheme();
