"""Send HTTP requests to a model server.

A failed request is repeated if waiting may help. Requests end if the caller is cancelled. All requests run in one event
loop in a separate thread. When a request is cancelled, its connection is closed, so that the server stops computing.
Any number of threads may send requests at the same time.
"""

import asyncio
import json
import random
import weakref
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping, Sequence
from time import monotonic
from typing import Any

import httpx2
import orjson

from core.costs import timed
from core.errors import ModelChanged, ModelUnavailable, NoScore
from core.models import Endpoint
from core.models.vlm.identity import public_name
from core.models.vlm.pace import Pace
from core.models.vlm.parallel_chats import ParallelChats, event_loop, wait_for
from core.models.vlm.presence import Presence
from core.models.vlm.retries import PATIENCE, Again, Patience, check_failures, refused
from core.network.reach import final_problem, proxy_for, tls_context

CHAT = "/chat/completions"  # path below the API's address


Ask = Callable[[str, str, None], Awaitable[Any]]  # (method, address, None for no body) -> the answer's JSON
Seen = tuple[str, bool, str, str, str]  # model, whether the server lists it, its "root" and "parent", server's version


class ModelServer(ParallelChats):
    """One model server, identified by the address of its API."""

    def __init__(self, endpoint: Endpoint, patience: Patience = PATIENCE) -> None:
        self.url = endpoint.url.rstrip("/")
        self.patience = patience
        self._timeout_s = endpoint.timeout_s
        self._headers = {"Content-Type": "application/json"}
        self._headers |= {"Authorization": f"Bearer {endpoint.key}"} if endpoint.key else {}
        self._trusted = tls_context(endpoint.network)
        self._proxy = proxy_for(endpoint.network, self.url, self._trusted)
        self._clients = list[httpx2.AsyncClient]()
        self._free = list[httpx2.AsyncClient]()
        self._places = asyncio.Semaphore(endpoint.parallel)
        self._pace, self._presence = Pace(endpoint.rate, endpoint.tokens_per_min), Presence(self.url)
        self._seen: Seen | None = None
        self._was_away, self._checking = False, asyncio.Lock()
        self.answered: Counter[str] = Counter()  # number of chats that each address answered; key: address
        weakref.finalize(self, _close, self._clients)

    @property
    def root(self) -> str:
        """The address without the API's version."""
        return self.url.removesuffix("/v1")

    def get(self, path: str) -> Any:
        """Return the JSON at an address. Raises ModelUnavailable, NoScore, Cancelled."""
        return wait_for(self._json("GET", path, None), self.url)

    def post(self, path: str, body: Mapping[str, Any]) -> Any:
        """Return the JSON answer to a request. Raises ModelUnavailable, NoScore, Cancelled."""
        return wait_for(self._json("POST", path, body), self.url)

    def remember(self, model: str) -> None:
        """Remember the server's model and version.

        If the server is unreachable later, both are checked when it answers again. If they have changed, scoring stops.
        """
        self._seen = wait_for(self._what_runs(model, self._json), self.url)

    async def _one(self, body: Mapping[str, Any]) -> Any:
        try:
            answer = await self._json("POST", self.url + CHAT, body)
        except NoScore as refusal:
            return refusal
        self.answered[self.url] += 1
        return answer

    async def _json(self, method: str, url: str, body: Mapping[str, Any] | None) -> Any:
        content = None if body is None else orjson.dumps(body)  # encode the body, with its picture, only once
        pause, failures, until = self.patience.first_s, 0, 0.0
        while True:
            try:
                return await self.attempt(method, url, content)
            except Again as again:
                failures += again.is_failure
                check_failures(failures, again)
                until = until or monotonic() + self.patience.total_s
                wait = max(pause * random.uniform(0.5, 1.0), again.wait_s)
                if monotonic() + wait > until:
                    message = f"{self.url} gave no answer ({again}). Earlier answers are stored."
                    raise ModelUnavailable(message) from None
            await asyncio.sleep(wait)
            pause = min(2 * pause, self.patience.most_s)

    async def attempt(self, method: str, url: str, content: bytes | None) -> Any:
        """Send a request once, and return the JSON of the answer.

        Raises Again if a retry may help, NoScore, ModelUnavailable.
        """
        is_chat = url.endswith(CHAT)
        try:
            async with self._places:  # the semaphore is released between two tries
                expected = await self._pace.turn() if is_chat else 0.0
                response = await self._request(method, url, content)
            if response.status_code >= 300:
                raise refused(self.url, response)
            answer = self._read(response)
        except TimeoutError:
            raise NoScore("refused", f"The server did not answer within {self._limit_s():g} s.") from None
        except (httpx2.TransportError, httpx2.DecodingError) as error:
            if (final := final_problem(error)) is not None:
                raise ModelUnavailable(f"No connection to {self.url}: {final}.") from None
            self._was_away = True
            raise self._noted(Again(f"{type(error).__name__} {error}".strip())) from None
        except json.JSONDecodeError:
            raise Again("an incomplete answer", is_failure=True) from None
        except Again as again:
            raise self._noted(again) from None
        self._presence.answered(monotonic())
        if is_chat:
            self._pace.end(expected, answer)
            await self._check_seen()
        return answer

    def _noted(self, again: Again) -> Again:
        if not again.is_failure:
            self._presence.failed(str(again), monotonic(), self.patience.quiet_s)
        return again

    async def _check_seen(self) -> None:
        """Raise ModelChanged if a server was unreachable and now has another model."""
        if self._seen is None or not self._was_away:
            return
        async with self._checking:
            if not self._was_away:
                return
            # Ask only once which model runs. If the server does not answer again, the request goes to another
            # server, or is sent again later.
            running = await self._what_runs(self._seen[0], self.attempt)
            self._was_away = running != self._seen  # stays True for another model: later answers are refused too
            if self._was_away:
                raise ModelChanged(
                    f"{self.url} stopped and came back with another model or version. Before: {_shown(self._seen)}. "
                    f"Now: {_shown(running)}."
                )

    async def _what_runs(self, model: str, ask: Ask) -> "Seen":
        """Return the server's version, and what it reports about a model, without the fields that contain times."""
        listed = await ask("GET", f"{self.url}/models", None)
        models = listed.get("data") if isinstance(listed, Mapping) else None
        entries = [
            one
            for one in (models if isinstance(models, list) else ())
            if isinstance(one, Mapping) and one.get("id") == model
        ]
        entry = entries[0] if entries else {}
        try:
            answer = await ask("GET", f"{self.root}/version", None)
        except (NoScore, ModelUnavailable):
            answer = None
        except Again as again:
            if not again.is_failure:
                raise
            answer = None
        version = answer.get("version") if isinstance(answer, Mapping) else None
        return model, bool(entries), str(entry.get("root")), str(entry.get("parent")), str(version)

    async def _request(self, method: str, url: str, content: bytes | None) -> httpx2.Response:
        """Send a request through the most recently used free connection.

        Each parallel request has its own connection.
        """
        client = self._free.pop() if self._free else self._client()
        try:
            async with asyncio.timeout(self._limit_s()):
                with timed("model"):
                    return await client.request(method, url, content=content)
        finally:
            self._free.append(client)

    def _limit_s(self) -> float:
        return min(self._timeout_s, self.patience.answer_s)

    def _read(self, response: httpx2.Response) -> Any:
        """Return an answer's JSON. Raises JSONDecodeError for truncated JSON, ModelUnavailable for other text."""
        try:
            return orjson.loads(response.content)
        except json.JSONDecodeError as error:
            text = " ".join(response.text.split())
            if not text or text[0] in "{[":
                raise
            kind = "a web page" if text[0] == "<" else "text"
            raise ModelUnavailable(
                f"{self.url} answered with {kind} instead of JSON: {text[:120]!r}. Check the address. Most addresses "
                "end in /v1."
            ) from error

    def _client(self) -> httpx2.AsyncClient:
        """Return an HTTP client with only one connection.

        A client with many connections would check all of them at every request.
        """
        timeout = httpx2.Timeout(None, connect=10.0)  # no limit for the answer here, because _request limits it
        client = httpx2.AsyncClient(
            headers=self._headers, timeout=timeout, verify=self._trusted, proxy=self._proxy, trust_env=False
        )
        self._clients.append(client)
        return client


def _close(clients: Sequence[httpx2.AsyncClient]) -> None:
    for client in clients:
        asyncio.run_coroutine_threadsafe(client.aclose(), event_loop())


def _shown(seen: Seen) -> str:
    model, is_listed, root, _, version = seen
    if not is_listed:
        return f"no model {public_name(model).name}"
    return f"{public_name(root if root != 'None' else model).name}, version {public_name(version).name}"
