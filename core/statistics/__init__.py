"""Statistics: intervals, rank correlation, tests, agreement."""
