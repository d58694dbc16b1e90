"""Keep to the requests and tokens a minute that a service allows, by spacing requests evenly."""

import asyncio
from time import monotonic
from typing import Any

from core.models.vlm.usage import usage_of

MINUTE = 60.0  # s
MOST_MINUTES = 10  # that one answer may hold up the next request, whatever number of tokens it names


class Pace:
    """When the next request to one server may begin."""

    def __init__(self, rate: float | None = None, tokens: float | None = None) -> None:
        """rate: requests a minute; tokens: tokens a minute, of questions and answers together. None: any number."""
        self._rate, self._tokens = rate, tokens
        self._by_rate, self._by_tokens = 0.0, 0.0  # s, by the caller's clock, from which each limit allows a request
        self._answers, self._spent = 0, 0.0

    @property
    def _expected(self) -> float:
        """How many tokens a request takes: the mean so far; 0 until the first answer, which the handshake waits for."""
        return self._spent / self._answers if self._answers else 0.0

    def begin(self, now: float) -> tuple[float, float]:
        """Take the next place: return when the request may begin (s, same clock as now), and the tokens set aside."""
        expected = self._expected
        start = max(now, self._by_rate, self._by_tokens)
        self._by_rate = start + (MINUTE / self._rate if self._rate else 0.0)
        self._by_tokens = start + (MINUTE * expected / self._tokens if self._tokens else 0.0)
        return start, expected

    def end(self, expected: float, answer: Any) -> None:
        """Correct the tokens set aside by those that the answer names."""
        used: float | None = used_tokens(answer)
        if used is None or not self._tokens:
            return
        used = min(used, MOST_MINUTES * self._tokens)
        self._answers, self._spent = self._answers + 1, self._spent + used
        self._by_tokens += MINUTE * (used - expected) / self._tokens

    async def turn(self) -> float:
        """Wait for the next place; returns the tokens set aside."""
        now = monotonic()
        start, expected = self.begin(now)
        if start > now:
            await asyncio.sleep(start - now)
        return expected


def used_tokens(answer: Any) -> int | None:
    """Return how many tokens question and answer had, None where the server does not say."""
    usage = usage_of(answer)
    return usage.total if usage.counted else None
