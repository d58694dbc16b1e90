"""How much of a text an encoder with a limit reads."""

from typing import Any

TokensRead = tuple[int, int]  # tokens that the encoder reads, and tokens of the whole text; start and end tokens count


def least_read(*read: TokensRead) -> TokensRead:
    """Return the pair of the model that reads the smallest part of a text; (0, 0) of a model without a limit."""
    return min(read, key=lambda one: one[0] / one[1] if one[1] else 1.0)


def tokens_read(tokenizer: Any, text: str, longest: int) -> TokensRead:
    """Return how many of a text's tokens an encoder reads; tokenizer: of transformers, longest: tokens."""
    there = len(tokenizer(text, verbose=False).input_ids)
    return min(there, longest), there
