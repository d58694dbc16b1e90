"""Analysis of scores against human judgement: tables of scores, slices, coded errors."""
