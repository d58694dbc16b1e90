"""The costs of scoring: tokens and seconds."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, fields
from time import perf_counter
from typing import Any

MOST_TOKENS = 10**15  # largest valid token count
LONGEST_S = 1e9  # largest valid time in seconds of one step of the scoring, such as "picture" or "model"


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens of one or more model answers, as the model's server counted them.

    A field is None if the server did not report this count. Raises ValueError for impossible numbers.
    """

    answers: int  # number of answers from the server
    counted: int  # number of answers with a token count; the token fields cover only these answers
    prompt: int | None = None
    completion: int | None = None  # tokens of the answers, including reasoning tokens that the server counts separately
    total: int | None = None
    cached: int | None = None  # prompt tokens from the server's cache
    reasoning: int | None = None  # completion tokens for reasoning, which are not shown

    def __post_init__(self) -> None:
        """Check all numbers. Raises ValueError."""
        for name in self.__slots__:
            number = getattr(self, name)
            if number is not None and not is_count(number):
                raise ValueError(f"{name} must be a whole number of at least 0, found {number!r:.60}")
        if self.answers is None or self.counted is None or self.counted > self.answers:
            raise ValueError("counted, the number of answers with token counts, must not exceed the number of answers")
        tokens = (self.prompt, self.completion, self.total)
        if any((number is None) == (self.counted > 0) for number in tokens):
            raise ValueError(
                "prompt, completion and total need a number of tokens if counted is above 0, and must be None otherwise"
            )


def is_count(number: object) -> bool:
    """Return whether a value is a valid number of tokens: whole, not negative and not huge."""
    return isinstance(number, int) and not isinstance(number, bool) and 0 <= number <= MOST_TOKENS


def summed(usages: Iterable[Usage | None]) -> Usage | None:
    """Return the sum of the token counts of several answers.

    An entry of None stands for an answer that came from no server. Returns None if all entries are None. A field of the
    sum is None if no entry has this field.
    """
    counted = [usage for usage in usages if usage is not None]
    if not counted:
        return None
    parts = {field.name: [getattr(usage, field.name) for usage in counted] for field in fields(Usage)}
    given = {name: [number for number in numbers if number is not None] for name, numbers in parts.items()}
    totals: dict[str, Any] = {name: min(sum(some), MOST_TOKENS) for name, some in given.items() if some}
    return Usage(**totals)


def usage_fields(usage: Usage | None) -> dict[str, int] | None:
    """Return token counts as JSON fields, without fields that are None. Returns None for None."""
    if usage is None:
        return None
    return {f.name: number for f in fields(usage) if (number := getattr(usage, f.name)) is not None}


Seconds = Mapping[str, float]  # key: step of scoring, such as "picture", "model" or "reading"; value: seconds, 0 and up


def are_seconds(given: object) -> bool:
    """Return whether a value is a mapping from the names of steps to the seconds they took.

    Seconds must be finite and not negative, and each name must be one short line.
    """
    return isinstance(given, Mapping) and all(map(_is_part, given.items()))


def _is_part(part: tuple[object, object]) -> bool:
    name, number = part
    is_name = isinstance(name, str) and 1 <= len(name) <= 80 and name.isprintable()
    return is_name and isinstance(number, int | float) and not isinstance(number, bool) and 0 <= number <= LONGEST_S


_clock: ContextVar[dict[str, float] | None] = ContextVar("clock", default=None)


@contextmanager
def timing() -> Iterator[dict[str, float]]:
    """Measure the seconds of each step in a `with` block.

    Yields a mapping to which the seconds are added, by the names of the steps. Steps in coroutines that the block
    awaits are included.
    """
    seconds: dict[str, float] = defaultdict(float)
    token = _clock.set(seconds)
    try:
        yield seconds
    finally:
        _clock.reset(token)


@contextmanager
def timed(part: str) -> Iterator[None]:
    """Measure the seconds of a `with` block, and add them to one step.

    part: the name of the step. Does nothing outside a `with` block of `timing`. A block that raises an error is also
    measured.
    """
    seconds = _clock.get()
    if seconds is None:
        yield
        return
    start = perf_counter()
    try:
        yield
    finally:
        seconds[part] = seconds.get(part, 0.0) + perf_counter() - start
