"""How far a metric agrees with people, as each benchmark computes it, beside the published figures."""
