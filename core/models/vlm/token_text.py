"""Tokens and their text: which tokens are digits, and what each token of an answer adds to its text."""

from collections.abc import Callable, Sequence
from os.path import commonprefix
from typing import Any

from core.errors import BadSetting


def digit_ids(tokenizer: Any, model: str) -> tuple[int, ...]:
    """Return the tokens of "0" to "9". Raises BadSetting where numbers are not written digit by digit."""
    encoded = {text: tokenizer.encode(text, add_special_tokens=False) for text in map(str, range(10))}
    ids = tuple(tokens[-1] for tokens in encoded.values())
    written = [(f"0.{first}{second}", [ids[first], ids[second]]) for first in range(10) for second in range(10)]
    merged = [text for text, tail in written if tokenizer.encode(text, add_special_tokens=False)[-2:] != tail]
    if len(set(ids)) < 10 or merged:
        found = f"writes {merged[0]!r} otherwise" if merged else "has no token for some of them"
        raise BadSetting(
            f"Expected a model whose ten digits are ten single tokens, found that {model} {found}; "
            "its scores cannot be smoothed, choose another --model."
        )
    return ids


def token_pieces(decode: Callable[[Sequence[int]], str], ids: Sequence[int]) -> tuple[str, ...]:
    """Return what each token adds to the text; joined, the pieces are decode(ids) for ordinary text."""
    pieces: list[str] = []
    before = ""
    for end in range(1, len(ids) + 1):
        text = decode(ids[:end])
        pieces.append(text[len(commonprefix((before, text))) :])
        before = text
    return tuple(pieces)
