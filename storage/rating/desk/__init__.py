"""What the rating page asks for: the next items, and storing answers."""
