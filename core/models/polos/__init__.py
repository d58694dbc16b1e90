"""Polos: network, encoder, checkpoint."""
