"""Read the answers of a served model: text, tokens and probabilities of the ten digits."""

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from core.models.vlm.protocol import Reply
from core.models.vlm.served_chat import Dialect
from core.score_reading.score_text import score_is_complete
from core.score_reading.smoothing import Digits

TOKEN_ID = re.compile(r"token_id:(\d+)")


@dataclass(frozen=True, slots=True)
class Step:
    """One token of an answer, with the probabilities that the server returned for its position."""

    text: str
    by_id: Mapping[int, float]  # key: token id; value: probability
    by_text: Mapping[str, float]
    reported: int = 1  # number of likeliest tokens that the server reports at each step; 1: only the written token

    @property
    def mass(self) -> float:
        """The total probability of all returned tokens."""
        return min(1.0, math.fsum([*self.by_id.values(), *self.by_text.values()]))


def text_of(answer: Any) -> str:
    """Return the text of an answer. Raises ValueError for an answer without text."""
    try:
        return str(answer["choices"][0]["message"]["content"] or "")
    except (KeyError, IndexError, TypeError) as error:
        raise ValueError(f"the server's answer must have choices with a message, found {str(answer)[:200]}") from error


def was_cut(answer: Any) -> bool:
    """Return whether an answer was truncated by the token limit."""
    return bool(answer["choices"][0].get("finish_reason") == "length")


def steps_of(answer: Any, most: int | None = None) -> list[Step]:
    """Return an answer's tokens with the probabilities that the server returned for each.

    most: number of likeliest tokens to read at each position; None: all returned tokens are read. Raises ValueError for
    an answer without a message.
    """
    text = text_of(answer)
    token_list = (answer["choices"][0].get("logprobs") or {}).get("content") or []
    steps = [_step(entry, most) for entry in token_list]
    pieces = aligned(text, [step.text for step in steps])
    return [replace(step, text=piece) for piece, step in zip(pieces, steps, strict=True)]


def _step(entry: Mapping[str, Any], most: int | None) -> Step:
    top = sorted(entry.get("top_logprobs") or (), key=lambda one: -one["logprob"])[:most]
    likely = [(str(one["token"]), math.exp(one["logprob"])) for one in [*top, entry]]
    by_id = {int(match[1]): p for token, p in likely if (match := TOKEN_ID.fullmatch(token))}
    by_text = {token: p for token, p in reversed(likely) if not TOKEN_ID.fullmatch(token)}
    written = entry.get("bytes")
    text = str(entry["token"]) if written is None else bytes(written).decode(errors="replace")
    return Step("" if TOKEN_ID.fullmatch(text) else text, by_id, by_text, max(1, len(top)))


def aligned(text: str, pieces: Sequence[str]) -> list[str]:
    """Split the text into one piece for each token.

    pieces: the text of each token, decoded separately, so that spaces before words are lost. In the result, a token's
    piece also contains the spaces before the token. Text that matches no token is in the last piece. All pieces
    together equal the text.
    """
    joined, place = [], 0
    for piece in pieces:
        start = text.find(piece.strip(), place) if piece.strip() else -1
        end = start + len(piece.strip()) if start >= 0 and not text[place:start].strip() else place
        joined.append(text[place:end])
        place = end
    if joined:
        joined[-1] += text[place:]
    return joined


def has_all_digits(steps: Sequence[Step], dialect: Dialect) -> bool:
    """Return whether the server returned the probabilities of all ten digits for every token."""
    return bool(steps) and all(digit in step.by_id for step in steps for digit in dialect.digit_ids)


def reply_of(answer: Any, dialect: Dialect) -> Reply:
    """Return a server's answer up to its complete score, with digit probabilities.

    Tokens after the complete score are cut off, as in the answers of models on this computer. Raises ValueError if the
    server did not return the requested probabilities.
    """
    if dialect.digits == "raw":
        return Reply((text_of(answer),), ())
    steps = steps_of(answer, None if dialect.digits == "exact" else dialect.reported)
    if not steps and text_of(answer):
        raise ValueError("the server returned no probabilities of the answer's tokens")
    if dialect.digits != "exact":
        _check_reported(steps, dialect)
    if dialect.digits == "integers":
        return Reply(tuple(s.text for s in steps), (), likely=tuple(s.by_text for s in steps))
    if dialect.digits == "exact" and not has_all_digits(steps, dialect):
        raise ValueError("at a token of the answer, the server returned the probabilities of fewer than ten digits")
    steps = steps[: _needed([step.text for step in steps])]
    digits = tuple(_digits(step, dialect) for step in steps)
    unreported = () if dialect.digits == "exact" else tuple(_least(step) for step in steps)
    return Reply(tuple(step.text for step in steps), digits, unreported)


def _check_reported(steps: Sequence[Step], dialect: Dialect) -> None:
    """Raise ValueError if the server reported too few tokens for a digit.

    The score's signature states how many of the likeliest tokens the server reports at each token of an answer.
    """
    fewest = min(
        (step.reported for step in steps if any(sign.isdigit() for sign in step.text)), default=dialect.reported
    )
    if fewest < dialect.reported:
        signed = f"signatures state digits:{dialect.signed_digits}"
        raise ValueError(f"expected the {dialect.reported} likeliest tokens at each digit, found {fewest}; {signed}")


def _needed(pieces: Sequence[str]) -> int:
    """Return how many tokens of an answer are needed until its score is complete."""
    ends = (end for end in range(1, len(pieces) + 1) if score_is_complete("".join(pieces[:end])))
    return next(ends, len(pieces))


def _digits(step: Step, dialect: Dialect) -> Digits:
    if dialect.digit_ids and step.by_id:
        return np.array([step.by_id.get(token, 0.0) for token in dialect.digit_ids])
    return np.array([step.by_text.get(str(digit), 0.0) for digit in range(10)])


def _least(step: Step) -> float:
    """Return an upper bound for the probability of each unreported token.

    The server reports only the likeliest tokens. An unreported token is at most as likely as the least likely reported
    token. Its probability is also at most 1 minus the sum of the reported probabilities.
    """
    return min([*step.by_id.values(), *step.by_text.values(), 1.0 - step.mass])
