"""Polos's training: samples, features, loop, checkpoints."""
