"""Samples, scores and what else comes from files."""
