"""Studies with raters: what is asked, of whom, in which order, and what came of it."""
