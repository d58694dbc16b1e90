"""Polos' training: samples, features, loop, checkpoints."""
