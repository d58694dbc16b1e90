"""Read a score from a model's answer, and smooth it."""
