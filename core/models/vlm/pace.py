"""Space requests evenly, so that a service's limits of requests and tokens per minute are not exceeded."""

import asyncio
from time import monotonic
from typing import Any

from core.models.vlm.usage import usage_of

MINUTE = 60.0  # s
MOST_MINUTES = 10  # maximum minutes by which one answer delays the next request, even with very many tokens


class Pace:
    """Computes when the next request to one server may start."""

    def __init__(self, rate: float | None = None, tokens: float | None = None) -> None:
        """Take the limits per minute. None means no limit.

        rate: requests per minute. tokens: tokens of questions and answers together, per minute.
        """
        self._rate, self._tokens = rate, tokens
        self._by_rate, self._by_tokens = 0.0, 0.0  # earliest next request under each limit, s on the caller's clock
        self._answers, self._spent = 0, 0.0

    @property
    def _expected(self) -> float:
        """Return how many tokens the next request is expected to need.

        This is the mean number of tokens of the requests so far; 0 before the first answer.
        """
        return self._spent / self._answers if self._answers else 0.0

    def begin(self, now: float) -> tuple[float, float]:
        """Reserve the next free time for a request.

        now: time in s. Returns the start of the reserved time, in s on the same clock as `now`, and the number of
        reserved tokens.
        """
        expected = self._expected
        start = max(now, self._by_rate, self._by_tokens)
        self._by_rate = start + (MINUTE / self._rate if self._rate else 0.0)
        self._by_tokens = start + (MINUTE * expected / self._tokens if self._tokens else 0.0)
        return start, expected

    def end(self, expected: float, answer: Any) -> None:
        """Replace the expected number of tokens by the number that the answer reports."""
        used: float | None = used_tokens(answer)
        if used is None or not self._tokens:
            return
        used = min(used, MOST_MINUTES * self._tokens)
        self._answers, self._spent = self._answers + 1, self._spent + used
        self._by_tokens += MINUTE * (used - expected) / self._tokens

    async def turn(self) -> float:
        """Wait until the next request may start. Return the number of tokens reserved for it."""
        now = monotonic()
        start, expected = self.begin(now)
        if start > now:
            await asyncio.sleep(start - now)
        return expected


def used_tokens(answer: Any) -> int | None:
    """Return the number of tokens of question and answer together.

    Returns None if the server does not report this number.
    """
    usage = usage_of(answer)
    return usage.total if usage.counted else None
