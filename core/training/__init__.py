"""Training: Polos, and EXPERT's fine-tuning. Torch is imported only when a training runs."""
