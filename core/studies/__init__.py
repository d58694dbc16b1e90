"""Studies with raters: forms (the questions to raters), plans, checks of raters, and results."""
