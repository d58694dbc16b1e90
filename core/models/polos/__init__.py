"""Polos: network, encoders, checkpoints."""
