"""Score captions: one at a time, a data set, or in batch files."""
