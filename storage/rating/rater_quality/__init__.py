"""Check the quality of raters' work in studies.

This package stores control items (practice items, and gold items with known answers) and thresholds. It reads the
numbers that measure raters' work.
"""
