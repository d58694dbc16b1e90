"""Train Polos and fine-tune EXPERT. Torch is imported only when a training runs."""
