"""Engines that judge many samples on several machines."""
