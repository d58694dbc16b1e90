"""Where scores and people part: tables of scores, slices, coded errors."""
