"""What the Analyse page computes."""
