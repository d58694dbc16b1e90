"""The costs of scoring: tokens and seconds."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from time import perf_counter

MOST_TOKENS = 10**15  # largest valid token count
LONGEST_S = 1e9  # largest valid time in seconds of one step of the scoring, such as "picture" or "model"


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens of one or more model answers, as the model's server counted them. Raises ValueError for other numbers."""

    prompt: int
    completion: int  # tokens of the answers, including reasoning tokens

    def __post_init__(self) -> None:
        """Check the numbers. Raises ValueError."""
        for number in (self.prompt, self.completion):
            is_whole = isinstance(number, int) and not isinstance(number, bool)
            if not is_whole or not 0 <= number <= MOST_TOKENS:
                raise ValueError(f"tokens must be whole numbers of at least 0, found {number!r:.60}")


def summed(usages: Iterable[Usage | None]) -> Usage | None:
    """Return the sum of the token counts of several answers; None: no server counted any tokens."""
    counted = [usage for usage in usages if usage is not None]
    if not counted:
        return None
    totals = (sum(one.prompt for one in counted), sum(one.completion for one in counted))
    return Usage(*(min(total, MOST_TOKENS) for total in totals))


Seconds = Mapping[str, float]  # key: step of scoring, such as "picture", "model" or "reading"; value: seconds, 0 and up


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
