"""Score captions: one caption at a time, a whole data set, or by files of requests to a server."""
