"""Studies with raters: questions, plans, raters' quality, and results."""
