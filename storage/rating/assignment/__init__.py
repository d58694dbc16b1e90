"""Decide which rater gets which item, and take items back from raters."""
