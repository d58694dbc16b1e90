"""Engines that score many samples on several machines."""
