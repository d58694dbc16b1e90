"""Serve the rating page: give the next items, and store answers."""
