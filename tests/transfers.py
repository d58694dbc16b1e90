"""What a page's visit costs on the wire, as Chromium itself counts it. No test lives here."""

from dataclasses import dataclass
from typing import Any

from playwright.sync_api import CDPSession


@dataclass(slots=True)
class Transfer:
    """One request over the network, and the bytes of its answer: heads and body as they were sent."""

    url: str
    bytes: int = 0


class Transfers:
    """The requests of a page, in their order. Data addresses and the browser's own cache are no requests."""

    def __init__(self, session: CDPSession) -> None:
        """session: of a page that has not asked for anything yet."""
        self._of: dict[str, Transfer] = {}
        session.on("Network.requestWillBeSent", self._asked)
        session.on("Network.requestServedFromCache", lambda event: self._of.pop(event["requestId"], None))
        session.on("Network.loadingFinished", self._finished)
        session.send("Network.enable")

    @property
    def all(self) -> list[Transfer]:
        """Every request until now."""
        return list(self._of.values())

    def before(self, ending: str) -> list[Transfer]:
        """Return the requests before the first whose address has that ending."""
        urls = [one.url.endswith(ending) for one in self.all]
        return self.all[: urls.index(True)]

    def _asked(self, event: dict[str, Any]) -> None:
        if event["request"]["url"].startswith("http"):
            self._of[event["requestId"]] = Transfer(event["request"]["url"])

    def _finished(self, event: dict[str, Any]) -> None:
        if event["requestId"] in self._of:
            self._of[event["requestId"]].bytes = int(event["encodedDataLength"])
