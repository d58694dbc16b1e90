"""How raters work: control items, thresholds, and the numbers that are measured."""
