"""Studies with raters: forms, plans, checks of raters, and results."""
