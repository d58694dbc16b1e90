"""HTTP to a server that runs a model: retried where waiting helps, given up at once when the one who waits gives up.

All requests live in one event loop in a thread of its own, so that one that nobody waits for any more is really cut:
the server sees the connection close and stops computing. Any number of threads may ask at the same time.
"""

import asyncio
import json
import math
import random
import threading
import weakref
from collections.abc import Coroutine, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from time import monotonic
from typing import Any, TypeVar

import httpx2
import orjson

from core.costs import timed
from core.errors import ModelUnavailable, NoScore
from core.models import Endpoint
from core.models.network import NO_PASS, final_problem, proxy_for, tls_context
from core.progress import report

T = TypeVar("T")
POLL_S = 0.1  # between two looks at whether somebody still waits
BUSY = (408, 425, 429, 502, 503, 504)  # the server, or a proxy before a server that is away, asks to come again
FAILED = 500  # may be an accident, or a request that this server cannot bear
TRIES_OF_A_FAILURE = 4
SHUT = (401, 402, 403, 404)  # wrong key, no credit or no such model: every other request will fail, too
NO_CREDIT = (402, 429)  # a 429 is final only with OpenAI's word for an account without credit
QUOTA = "insufficient_quota"


@dataclass(frozen=True, slots=True)
class Patience:
    """How long an answer is waited for."""

    first_s: float = 0.5  # before the second try; doubled with each
    most_s: float = 20.0  # between two tries
    total_s: float = 600.0  # for a server that is away or busy, from the first try of a request on
    answer_s: float = math.inf  # for one answer, if the endpoint's own timeout is longer


class ModelServer:
    """One server, by the address of its API."""

    def __init__(self, endpoint: Endpoint, patience: Patience = Patience()) -> None:
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
        weakref.finalize(self, _close, self._clients)

    @property
    def root(self) -> str:
        """The address without the API's version."""
        return self.url.removesuffix("/v1")

    def get(self, path: str) -> Any:
        """Return the JSON under an address. Raises ModelUnavailable, NoScore, Cancelled."""
        return _wait(self._json("GET", path, None), self.url)

    def post(self, path: str, body: Mapping[str, Any]) -> Any:
        """Return the JSON that answers a request. Raises ModelUnavailable, NoScore, Cancelled."""
        return _wait(self._json("POST", path, body), self.url)

    def chat(self, bodies: Sequence[Mapping[str, Any]]) -> list[Any]:
        """Return the answers to several requests at once; a NoScore stands for one that was not answered.

        Raises ModelUnavailable, Cancelled.
        """
        return _wait(self._all(bodies), self.url)

    async def _all(self, bodies: Sequence[Mapping[str, Any]]) -> list[Any]:
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(self._one(body)) for body in bodies]
        return [task.result() for task in tasks]

    async def _one(self, body: Mapping[str, Any]) -> Any:
        try:
            return await self._json("POST", f"{self.url}/chat/completions", body)
        except NoScore as refusal:
            return refusal

    async def _json(self, method: str, url: str, body: Mapping[str, Any] | None) -> Any:
        content = None if body is None else orjson.dumps(body)  # once for all tries; a picture is in it
        pause, failures, until = self.patience.first_s, 0, 0.0
        while True:
            asked_for = 0.0
            try:
                async with self._places:  # given back between two tries
                    until = until or monotonic() + self.patience.total_s
                    response = await self._request(method, url, content)
                if response.status_code < 300:
                    return self._read(response)
                problem = f"{response.status_code}: {_words(response)}"
                failures += response.status_code == FAILED
                if response.status_code == 407:
                    raise ModelUnavailable(f"No connection to {self.url}: {NO_PASS}.")
                if response.status_code in SHUT or QUOTA in response.text:
                    no_credit = response.status_code in NO_CREDIT
                    todo = "Check the account's credit" if no_credit else "Check --endpoint-model and the key"
                    raise ModelUnavailable(f"{self.url} answered {problem}. {todo}. All stored scores are kept.")
                if response.status_code not in (*BUSY, FAILED) or failures >= TRIES_OF_A_FAILURE:
                    raise NoScore("refused", f"The server refused: {problem}")
                asked_for = _retry_after(response)
            except TimeoutError:
                raise NoScore("refused", f"The server did not answer within {self._limit_s():g} s.") from None
            except (httpx2.TransportError, httpx2.DecodingError) as error:
                problem = f"{type(error).__name__} {error}".strip()
                if (final := final_problem(error)) is not None:
                    raise ModelUnavailable(f"No connection to {self.url}: {final}.") from None
            except json.JSONDecodeError as error:
                problem, failures = "an answer that was cut off", failures + 1
                if failures >= TRIES_OF_A_FAILURE:
                    raise NoScore("refused", f"The server's answer was cut off {failures} times.") from error
            wait = max(pause * random.uniform(0.5, 1.0), asked_for)
            if monotonic() + wait > until:
                raise ModelUnavailable(f"No answer from {self.url} ({problem}). What was answered before is kept.")
            await asyncio.sleep(wait)
            pause = min(2 * pause, self.patience.most_s)

    async def _request(self, method: str, url: str, content: bytes | None) -> httpx2.Response:
        """Send by the connection that was free last; as many are opened as there are requests at a time."""
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
        """Return an answer's JSON. Raises JSONDecodeError for a part of one, ModelUnavailable for other text."""
        try:
            return orjson.loads(response.content)
        except json.JSONDecodeError as error:
            text = " ".join(response.text.split())
            if not text or text[0] in "{[":
                raise
            kind = "a web page" if text[0] == "<" else "text"
            raise ModelUnavailable(
                f"{self.url} answered with {kind} instead of JSON: {text[:120]!r}. Check the address; most end in /v1."
            ) from error

    def _client(self) -> httpx2.AsyncClient:
        """Return a client for one connection: one for all would look at each that is open at every request."""
        timeout = httpx2.Timeout(None, connect=10.0)  # the time for an answer is limited in _request
        client = httpx2.AsyncClient(
            headers=self._headers, timeout=timeout, verify=self._trusted, proxy=self._proxy, trust_env=False
        )
        self._clients.append(client)
        return client


def _close(clients: Sequence[httpx2.AsyncClient]) -> None:
    for client in clients:
        asyncio.run_coroutine_threadsafe(client.aclose(), _loop())


def _words(response: httpx2.Response) -> str:
    """Return what a refusal says, in OpenAI's form or another, in one short line."""
    try:
        said = response.json()
    except (json.JSONDecodeError, UnicodeDecodeError):
        said = response.text
    if isinstance(said, dict):
        said = said.get("error", said.get("message", said.get("detail", said)))
    if isinstance(said, dict):
        said = said.get("message", said)
    return " ".join(str(said).split())[:300]


def _retry_after(response: httpx2.Response) -> float:
    text = response.headers.get("retry-after", "")
    return float(text) if text.isascii() and text.isdigit() else 0.0


@cache
def _loop() -> asyncio.AbstractEventLoop:
    loop = asyncio.new_event_loop()
    threading.Thread(target=loop.run_forever, name="endpoint", daemon=True).start()
    return loop


def _wait(work: Coroutine[Any, Any, T], what: str) -> T:
    """Return what the work returns; tells of it meanwhile, so that it can be given up."""
    future = asyncio.run_coroutine_threadsafe(_unwrapped(work), _loop())
    try:
        while True:
            try:
                return future.result(POLL_S)
            except TimeoutError:
                report(f"Waiting for {what}", 0, 1)
    finally:
        future.cancel()


async def _unwrapped(work: Coroutine[Any, Any, T]) -> T:
    """Raise the first error of several requests as itself."""
    try:
        return await work
    except ExceptionGroup as group:
        raise group.exceptions[0] from None
