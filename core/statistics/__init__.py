"""Statistics: intervals, rank correlation, significance tests and agreement of raters."""
