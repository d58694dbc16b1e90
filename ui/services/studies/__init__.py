"""Studies: plans, results, tables, and how raters work."""
