"""Greedy decoding (always the likeliest token) of several answers in parallel.

Each answer ends independently of the others.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from os.path import commonprefix
from typing import Any

import numpy as np
import torch

from core.errors import BadSetting
from core.models.vlm.cache import TokenRows
from core.models.vlm.protocol import Reply
from core.score_reading.smoothing import Digits

MAX_NEW_TOKENS = 512  # maximum number of tokens of one answer, as published


@dataclass(frozen=True, slots=True)
class Decoding:
    """How a model's answers are decoded."""

    tokenizer: Any
    ends: frozenset[int]  # tokens that end an answer
    digits: tuple[int, ...]  # token ids of "0" to "9"
    max_new_tokens: int = MAX_NEW_TOKENS

    def text(self, ids: Sequence[int]) -> str:
        """Return the text of an answer without control tokens."""
        return str(self.tokenizer.decode(list(ids), skip_special_tokens=True))


@dataclass(slots=True)
class _Answer:
    """An answer during decoding."""

    ids: list[int] = field(default_factory=list)
    digits: list[Digits] = field(default_factory=list)  # probabilities of the ten digits at each token
    finished: bool = False


def decode_greedily(
    logits: torch.Tensor, rows: TokenRows, decoding: Decoding, complete: Callable[[str], bool] | None
) -> list[Reply]:
    """Generate an answer for every row by always taking the likeliest token.

    logits: the next-token logits [rows, vocabulary]. A row stops at one of the end tokens or after max_new_tokens. If
    `complete` is given, a row also stops when its text is complete. The probabilities of the digits 0 to 9 at each
    token's position are stored only if `complete` is given.
    """
    answers = [_Answer() for _ in rows.ids]
    for _ in range(decoding.max_new_tokens):
        tokens = logits.argmax(dim=-1).tolist()
        digits = digit_probabilities(logits, decoding.digits) if complete else [None] * len(tokens)
        for answer, token, probabilities in zip(answers, tokens, digits, strict=True):
            _take(answer, token, probabilities, decoding, complete)
        if all(answer.finished for answer in answers):
            break
        logits = rows.feed([[token] for token in tokens])  # finished answers go on; their further tokens are ignored
    return [_reply(answer, decoding, by_token=complete is not None) for answer in answers]


def _take(
    answer: _Answer, token: int, digits: Digits | None, decoding: Decoding, complete: Callable[[str], bool] | None
) -> None:
    if answer.finished:
        return
    answer.ids.append(token)
    if digits is not None and complete is not None:
        answer.digits.append(digits)
        answer.finished = complete(decoding.text(answer.ids))
    answer.finished = answer.finished or token in decoding.ends


def _reply(answer: _Answer, decoding: Decoding, by_token: bool) -> Reply:
    pieces = token_pieces(decoding.text, answer.ids) if by_token else (decoding.text(answer.ids),)
    return Reply(pieces, tuple(answer.digits))


def digit_probabilities(logits: torch.Tensor, digits: Sequence[int]) -> Digits:
    """Return the probability of each digit 0 to 9 as next token.

    The result is float64 [rows, 10]: softmax over the whole vocabulary.
    """
    scores = logits.detach().to("cpu", torch.float64)
    return np.asarray(scores.softmax(dim=-1)[:, list(digits)].numpy(), dtype=np.float64)


def end_tokens(model: Any, tokenizer: Any) -> frozenset[int]:
    """Return the tokens that end an answer."""
    configured = model.generation_config.eos_token_id
    listed = configured if isinstance(configured, list) else [configured]
    return frozenset(token for token in (*listed, tokenizer.eos_token_id) if token is not None)


def digit_ids(tokenizer: Any, model: str) -> tuple[int, ...]:
    """Return the token ids of "0" to "9".

    Raises BadSetting if the tokenizer does not split each number into single digits.
    """
    encoded = {text: tokenizer.encode(text, add_special_tokens=False) for text in map(str, range(10))}
    ids = tuple(tokens[-1] for tokens in encoded.values())
    written = [(f"0.{first}{second}", [ids[first], ids[second]]) for first in range(10) for second in range(10)]
    merged = [text for text, tail in written if tokenizer.encode(text, add_special_tokens=False)[-2:] != tail]
    if len(set(ids)) < 10 or merged:
        problem = f"writes {merged[0]!r} otherwise" if merged else "has no separate token for some digits"
        raise BadSetting(
            f"Expected a model whose ten digits are ten single tokens, found that {model} {problem}; "
            "its scores cannot be smoothed, choose another --model."
        )
    return ids


def token_pieces(decode: Callable[[Sequence[int]], str], ids: Sequence[int]) -> tuple[str, ...]:
    """Return the text of each token.

    For ordinary text, the joined texts equal decode(ids).
    """
    pieces: list[str] = []
    before = ""
    for end in range(1, len(ids) + 1):
        text = decode(ids[:end])
        pieces.append(text[len(commonprefix((before, text))) :])
        before = text
    return tuple(pieces)
