"""Regions of a picture: masks, outlines, annotations."""
