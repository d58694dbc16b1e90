"""Log when a server becomes unreachable or is busy for long, and when it answers again."""

import logging

_log = logging.getLogger("capscope")


class Presence:
    """Tracks whether one server answers, and logs long interruptions."""

    def __init__(self, url: str) -> None:
        self._url = url
        self._since: float | None = None  # s, time of the first failure after the latest answer
        self._announced = False

    def failed(self, problem: str, now: float, quiet_s: float) -> None:
        """Record that a request failed.

        problem: the reason, for the log. now: time in s. quiet_s: interruptions shorter than this time (in s) are not
        logged.
        """
        self._since = now if self._since is None else self._since
        if not self._announced and now - self._since >= quiet_s:
            self._announced = True
            _log.warning("%s does not answer (%s). Capscope keeps trying.", self._url, problem)

    def answered(self, now: float) -> None:
        """Record that an answer arrived. now: time in s."""
        if self._announced and self._since is not None:
            _log.warning("%s answers again after %.0f s.", self._url, now - self._since)
        self._since, self._announced = None, False
