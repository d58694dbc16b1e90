"""Weights: which exist, where they are, how to download them."""
