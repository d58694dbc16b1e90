"""Send HTTP requests to a model server, and send them again if waiting may help.

All requests run in one event loop in a thread of its own. When a request is cancelled, its connection is closed, so
that the server stops computing. Any number of threads may send requests at the same time.
"""

import asyncio
import json
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
from core.errors import ModelChanged, ModelUnavailable, NoScore
from core.long_work.progress import report
from core.models import Endpoint
from core.network.reach import NO_PASS, final_problem, proxy_for, tls_context

CHAT = "/chat/completions"  # path below the API's address
BUSY = (404, 408, 425, 429, 502, 503, 504)  # statuses of a chat with which a server is busy or loads its model
FAILED, TRIES = 500, 4  # status for a failure of the server, maybe because of this request; how often to try
SHUT = (401, 402, 403, 404)  # wrong API key, no credit or no such address; all further requests will fail too
QUOTA = "insufficient_quota"  # OpenAI's code for an account without credit, with status 429
POLL_S = 0.1  # seconds between two checks for cancellation
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Patience:
    """How long to wait, in seconds. All times count from the first try of a request."""

    first_s: float = 0.5  # before the second try; doubled for each further try
    most_s: float = 20.0  # maximum wait between two tries
    total_s: float = 600.0  # maximum wait for an absent or busy server


class Again(Exception):
    """A request failed, but a retry may help."""

    def __init__(self, problem: str, wait_s: float = 0.0, is_failure: bool = False) -> None:
        """Take the problem. wait_s: wait that the server asks for. is_failure: the request may be the reason."""
        self.wait_s, self.is_failure = wait_s, is_failure
        super().__init__(problem)


class ModelServer:
    """One model server, identified by the address of its API."""

    def __init__(self, endpoint: Endpoint, patience: Patience) -> None:
        self.url, self.patience, self._timeout_s = endpoint.url.rstrip("/"), patience, endpoint.timeout_s
        self.root = self.url.removesuffix("/v1")  # the address without the API's version
        trusted = tls_context(endpoint.network)
        key = {"Authorization": f"Bearer {endpoint.key}"} if endpoint.key else {}
        self._client = httpx2.AsyncClient(
            headers={"Content-Type": "application/json", **key},
            timeout=httpx2.Timeout(None, connect=10.0),  # _once limits the time of an answer
            verify=trusted,
            proxy=proxy_for(endpoint.network, self.url, trusted),
            trust_env=False,
            limits=httpx2.Limits(max_connections=None, max_keepalive_connections=endpoint.parallel),
        )
        self._places = asyncio.Semaphore(endpoint.parallel)
        self._away = False  # whether a request has failed since the latest answer
        self.seen: Any = None  # the models that the server listed when Capscope connected; None: not known yet
        weakref.finalize(self, lambda client: asyncio.run_coroutine_threadsafe(client.aclose(), _loop()), self._client)

    def get(self, url: str) -> Any:
        """Return the JSON at an address. Raises ModelUnavailable, NoScore, Cancelled."""
        return _wait_for(self._asked("GET", url, None), self.url)

    def post(self, url: str, body: Mapping[str, Any]) -> Any:
        """Return the JSON answer to a request. Raises ModelUnavailable, NoScore, Cancelled."""
        return _wait_for(self._asked("POST", url, body), self.url)

    def chat(self, bodies: Sequence[Mapping[str, Any]]) -> list[Any]:
        """Return the answers to parallel requests. A NoScore replaces a refused answer.

        Raises ModelUnavailable, Cancelled.
        """

        async def one(body: Mapping[str, Any]) -> Any:
            try:
                return await self._asked("POST", self.url + CHAT, body)
            except NoScore as refusal:
                return refusal

        async def together() -> list[Any]:
            async with asyncio.TaskGroup() as group:
                tasks = [group.create_task(one(body)) for body in bodies]
            return [task.result() for task in tasks]

        return _wait_for(together(), self.url)

    async def _asked(self, method: str, url: str, body: Mapping[str, Any] | None) -> Any:
        content = None if body is None else orjson.dumps(body)  # encode the body, with its picture, only once
        pause, failures, began = self.patience.first_s, 0, 0.0
        while True:
            try:
                async with self._places:  # the semaphore is released between two tries
                    began = began or monotonic()
                    answer = await self._once(method, url, content)
                break
            except Again as again:
                failures, self._away = failures + again.is_failure, self._away or not again.is_failure
                if failures >= TRIES:
                    raise NoScore("refused", f"The server failed {failures} times: {again}") from None
                wait = max(pause * random.uniform(0.5, 1.0), again.wait_s)
                if monotonic() - began + wait > self.patience.total_s:
                    message = f"{self.url} gave no answer within {self.patience.total_s:g} s ({again})."
                    raise ModelUnavailable(f"{message} Earlier answers are stored.") from None
            await asyncio.sleep(wait)
            pause = min(2 * pause, self.patience.most_s)
        if self._away and url.endswith(CHAT) and self.seen is not None:
            now = listed(await self._asked("GET", f"{self.url}/models", None))
            if now != self.seen:
                raise ModelChanged(f"{self.url} was absent and came back with another model. It serves {now}.")
            self._away = False
        return answer

    async def _once(self, method: str, url: str, content: bytes | None) -> Any:
        """Send a request once. Raises Again if a retry may help, NoScore, ModelUnavailable."""
        try:
            async with asyncio.timeout(self._timeout_s):
                with timed("model"):
                    response = await self._client.request(method, url, content=content)
        except TimeoutError:
            raise NoScore("refused", f"The server did not answer within {self._timeout_s:g} s.") from None
        except (httpx2.TransportError, httpx2.DecodingError) as error:
            if (final := final_problem(error)) is not None:
                raise ModelUnavailable(f"No connection to {self.url}: {final}.") from None
            raise Again(f"{type(error).__name__} {error}".strip()) from None
        if response.status_code >= 300:
            raise _refused(self.url, response, is_chat=url.endswith(CHAT))
        try:
            return orjson.loads(response.content)
        except json.JSONDecodeError:
            text = " ".join(response.text.split())
        if not text or text[0] in "{[":
            raise Again("an incomplete answer", is_failure=True)
        kind = "a web page" if text[0] == "<" else "text"
        raise ModelUnavailable(
            f"{self.url} answered with {kind} instead of JSON: {text[:120]!r}. Check the address. Most addresses end "
            "in /v1."
        )


def listed(answer: Any) -> list[tuple[str, str, str]]:
    """Return (id, root, parent) of each model in a server's list."""
    models = answer.get("data") if isinstance(answer, Mapping) else None
    entries = [one for one in models if isinstance(one, Mapping)] if isinstance(models, list) else []
    return [
        (str(one["id"]), str(one.get("root") or ""), str(one.get("parent") or "")) for one in entries if "id" in one
    ]


def _refused(url: str, response: httpx2.Response, is_chat: bool) -> Exception:
    """Return the error to raise when a server refuses a request, with the server's words as one short line."""
    status = response.status_code
    try:
        words = response.json()
    except (json.JSONDecodeError, UnicodeDecodeError):
        words = response.text
    for name in ("error", "message", "detail"):
        words = words.get(name, words) if isinstance(words, dict) else words
    problem = f"{status}: {' '.join(str(words).split())[:300]}"
    if status == 407:
        return ModelUnavailable(f"No connection to {url}: {NO_PASS}.")
    if QUOTA in response.text or (status in SHUT and not (is_chat and status in BUSY)):
        todo = "Check the account's credit" if status in (402, 429) else "Check the address, the model and the key"
        return ModelUnavailable(f"{url} answered {problem}. {todo}. All scores so far are stored.")
    if status not in (*BUSY, FAILED):
        return NoScore("refused", f"The server refused: {problem}")
    after = response.headers.get("retry-after", "")
    return Again(problem, float(after) if after.isascii() and after.isdigit() else 0.0, is_failure=status == FAILED)


@cache
def _loop() -> asyncio.AbstractEventLoop:
    """Return the event loop of all requests, which runs in a thread of its own."""
    loop = asyncio.new_event_loop()
    threading.Thread(target=loop.run_forever, name="endpoint", daemon=True).start()
    return loop


def _wait_for(work: Coroutine[Any, Any, T], what: str) -> T:
    """Return the result of the work. Reports progress while waiting, so that the work can be cancelled."""
    future = asyncio.run_coroutine_threadsafe(work, _loop())
    try:
        while True:
            try:
                return future.result(POLL_S)
            except TimeoutError:
                report(f"Waiting for {what}", 0, 1)
            except ExceptionGroup as group:  # parallel requests: the first error says what to do
                raise group.exceptions[0] from None
    finally:
        future.cancel()
