"""EXPERT's supervised fine-tuning: conversations, batches, loop, adapter."""
