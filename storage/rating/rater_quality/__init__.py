"""Store control items and thresholds, and read the numbers that measure raters' work."""
