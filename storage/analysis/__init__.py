"""Columns for analysis, error codings, slices."""
