"""How each rater of a study works."""
