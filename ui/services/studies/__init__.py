"""Studies: plans, results, tables, and quality of raters' work."""
