"""Measure how each rater of a study works."""
