"""Read columns for analysis, and store error codes and slices."""
