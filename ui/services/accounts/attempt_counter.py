"""Count attempts by address or account, and refuse further attempts after too many.

This prevents guessing of passwords. It also prevents one client from using up all places of raters in a study.
"""

import time
from collections import deque
from collections.abc import Callable
from ipaddress import ip_address, ip_network
from threading import Lock

ATTEMPTS, ATTEMPT_SECONDS = 5, 60.0  # wrong return keys allowed in this time (s), for one rater's code and one address
_NEIGHBOURS = 64  # number of bits of an IPv6 address that the provider fixes; the client chooses the others


class Throttle:
    """Counts attempts by key (an address or an account) and refuses further attempts after too many.

    The class is safe for several threads. Nothing is counted for the key None: clients that cannot be distinguished
    must not lock each other out.
    """

    def __init__(
        self,
        attempts: int = ATTEMPTS,
        seconds: float = ATTEMPT_SECONDS,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._attempts, self._seconds = attempts, seconds
        self._clock, self._lock = clock, Lock()
        self._failures: dict[str, deque[float]] = {}  # address or account -> times of failures; latest failure last

    def fail(self, key: str | None) -> None:
        """Count one failed attempt of a key."""
        if key is not None:
            with self._lock:
                self._note(key)

    def is_closed(self, key: str | None) -> bool:
        """Return whether the key has had too many failed attempts lately."""
        with self._lock:
            return self._seconds_left(key) > 0

    def take(self, key: str | None) -> float:
        """Count one attempt of a key unless its limit is reached.

        Return the seconds until the next attempt is allowed, or 0 if this attempt was counted.
        """
        with self._lock:
            left = self._seconds_left(key)
            if left == 0 and key is not None:
                self._note(key)
            return left

    def _seconds_left(self, key: str | None) -> float:
        failures = None if key is None else self._failures.get(key)
        if failures is None or len(failures) < self._attempts:
            return 0.0
        return max(0.0, failures[0] - self._start())

    def _note(self, key: str) -> None:
        failures = self._failures.pop(key, deque(maxlen=self._attempts))
        failures.append(self._clock())
        self._failures[key] = failures
        self._forget()

    def _forget(self) -> None:
        """Remove the keys without recent failures.

        The keys are ordered by their last failure, so these keys come first.
        """
        while self._failures and next(iter(self._failures.values()))[-1] <= self._start():
            del self._failures[next(iter(self._failures))]

    def _start(self) -> float:
        return self._clock() - self._seconds


def neighbourhood(address: str) -> str:
    """Return the key under which a client's address is counted.

    For IPv6, the key is the network of the address, because a client can use any address in this network. Otherwise the
    key is the address itself.
    """
    try:
        parsed = ip_address(address.partition("%")[0])
    except ValueError:
        return address
    return str(parsed) if parsed.version == 4 else str(ip_network((int(parsed), _NEIGHBOURS), strict=False))
