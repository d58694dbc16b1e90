"""Counting what an address or account does, so that nobody can go on guessing or take all places of a study."""

import time
from collections import deque
from collections.abc import Callable
from ipaddress import ip_address, ip_network
from threading import Lock

ATTEMPTS, ATTEMPT_SECONDS = 5, 60.0  # wrong return keys a code, an address and a minute
_NEIGHBOURS = 64  # bits of an IPv6 address that its holder does not choose


class Throttle:
    """Counts failures a key; too many in a short time, and the next one is refused. For several threads at once.

    Nothing is counted for the key None: people who cannot be told apart must not lock each other out.
    """

    def __init__(
        self,
        attempts: int = ATTEMPTS,
        seconds: float = ATTEMPT_SECONDS,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._attempts, self._seconds = attempts, seconds
        self._clock, self._lock = clock, Lock()
        self._failures: dict[str, deque[float]] = {}  # by key, in the order of each one's last failure

    def fail(self, key: str | None) -> None:
        """Note a failure."""
        if key is not None:
            with self._lock:
                self._note(key)

    def is_closed(self, key: str | None) -> bool:
        """Whether the key has failed too often of late."""
        with self._lock:
            return self._seconds_left(key) > 0

    def take(self, key: str | None) -> float:
        """Count one more unless the key has had as many as it may; returns the seconds until it may, 0 if counted."""
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
        """Drop the keys that have not failed of late; they stand first."""
        while self._failures and next(iter(self._failures.values()))[-1] <= self._start():
            del self._failures[next(iter(self._failures))]

    def _start(self) -> float:
        return self._clock() - self._seconds


def neighbourhood(address: str) -> str:
    """Return what an address is counted by: itself, or the network in which its holder may choose any other."""
    try:
        found = ip_address(address.partition("%")[0])
    except ValueError:
        return address
    return str(found) if found.version == 4 else str(ip_network((int(found), _NEIGHBOURS), strict=False))
