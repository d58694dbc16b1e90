"""Score captions: one caption at a time, or a whole data set."""
