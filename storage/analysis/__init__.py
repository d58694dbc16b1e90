"""Read a data set's columns for analysis, and store error codes and slices (saved filters)."""
