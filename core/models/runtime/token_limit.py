"""Count how much of a text an encoder with a token limit reads."""

from typing import Any

TokensRead = tuple[int, int]  # (tokens that the encoder reads, tokens of the whole text); both include start and end


def least_read(*read: TokensRead) -> TokensRead:
    """Return the token counts of the encoder that reads the smallest share.

    read: for each encoder, how many tokens of the text it reads, and how many tokens the text has. (0, 0) means that
    there is no limit.
    """
    return min(read, key=lambda one: one[0] / one[1] if one[1] else 1.0)


def tokens_read(tokenizer: Any, text: str, longest: int) -> TokensRead:
    """Return how many of a text's tokens are read, and how many the text has.

    tokenizer: a tokenizer of transformers. longest: the limit in tokens.
    """
    there = len(tokenizer(text, verbose=False).input_ids)
    return min(there, longest), there
