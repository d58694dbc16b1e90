"""Reading a score out of a model's answer, and smoothing it."""
