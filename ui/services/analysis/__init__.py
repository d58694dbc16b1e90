"""Computations for the Analyse page."""
