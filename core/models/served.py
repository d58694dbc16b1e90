"""A vision-language model on a server: send conversations, and read answers with the probabilities of digits.

The protocol is OpenAI's chat protocol with vLLM's additions. There are two ways to read the probabilities of digits.
vLLM returns those of the ten digits by their token ids (``logprob_token_ids``), at every token of the answer. Other
servers return the 20 likeliest tokens. Both are probabilities over the whole vocabulary. Guided decoding is never used,
because it would renormalise them.

All requests run in one event loop in a thread of its own. When a request is cancelled, its connection is closed, so
that the server stops computing. Any number of threads may send requests at the same time.
"""

import asyncio
import json
import math
import random
import threading
import weakref
from collections.abc import Coroutine, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from time import monotonic
from typing import Any, TypeVar

import httpx2
import numpy as np
import orjson

from core.costs import Usage, summed, timed
from core.errors import ModelChanged, ModelUnavailable, NoScore
from core.long_work.progress import report
from core.models import Endpoint
from core.models.vlm import MAX_TOKENS, Chat, Facts, Reply, picture_url
from core.network import NO_PASS, final_problem, is_remote
from core.score_reading.score_text import score_is_complete

LLAVA_SIDE = 336  # px, side of LLaVA-1.5's square picture
SCORE_TOKENS = 16  # maximum tokens of a score; a longer answer is requested again, with MAX_TOKENS
TOP = 20  # number of likeliest tokens to request at each token of an answer
# Control tokens of common tokenizers. A server's own tokens are unknown, so captions must contain none of these.
CONTROL_TEXTS = frozenset(
    {"<s>", "</s>", "<unk>", "<pad>", "<image>", "<|im_start|>", "<|im_end|>", "<|endoftext|>", "<|eot_id|>"}
    | {"<|begin_of_text|>", "<|start_header_id|>", "<|end_header_id|>", "<|vision_start|>", "<|image_pad|>"}
    | {"<start_of_turn>", "<end_of_turn>", "<bos>", "<eos>", "[INST]", "[/INST]", "[IMG]"}
)
CHAT = "/chat/completions"  # path below the API's address
BUSY = (404, 408, 425, 429, 502, 503, 504)  # statuses of a chat with which a server is busy or loads its model
FAILED, TRIES = 500, 4  # status for a failure of the server, maybe because of this request; how often to try
SHUT = (401, 402, 403, 404)  # wrong API key, no credit or no such address; all further requests will fail too
QUOTA = "insufficient_quota"  # OpenAI's code for an account without credit, with status 429
POLL_S = 0.1  # seconds between two checks for cancellation
PATIENCE_S = 600.0  # maximum wait for an absent or busy server
FIRST_PAUSE_S, LONGEST_PAUSE_S = 0.5, 20.0  # between two tries; the pause is doubled for each further try
T = TypeVar("T")


@dataclass(frozen=True, eq=False)
class ServedVlm:
    """A model on a server, and the format of requests that the server understands."""

    server: "ModelServer"
    model: str  # the server's name for the model
    template: str = "llava_v1"  # "chat": the server's own template, with unchanged pictures
    digit_ids: tuple[int, ...] = ()  # the model's own tokens of "0" to "9"; (): read the 20 likeliest tokens
    side: int = LLAVA_SIDE
    gaps: tuple[str, str] = ("", "")  # texts inserted after the begin mark and the picture to get the published tokens
    doubled_end: bool = False  # True: "</s></s>" follows an answer, as published
    max_tokens: int = MAX_TOKENS
    facts: Facts = field(default_factory=dict)
    named: str | None = None  # the model that all answers must name; None: the server names none
    control_texts = CONTROL_TEXTS

    def answers(self, chats: Sequence[Chat], scored: bool) -> list[Reply | NoScore]:
        """Return the model's answers. See core.models.vlm.Vlm.

        An answer that the token limit ended before its score was complete is requested again with more tokens.
        """
        most, waiting, replies = self.max_tokens, list(range(len(chats))), dict[int, Reply | NoScore]()
        for limit in (min(SCORE_TOKENS, most), most) if scored else (most,):
            with timed("picture"):
                bodies = [self.request(chats[row], scored, limit) for row in waiting]
            for row, answer in zip(waiting, self.server.chat(bodies) if bodies else [], strict=True):
                now = answer.get("model") if isinstance(answer, Mapping) else None
                if self.named and now and now != self.named:
                    message = f"answers with another model. Before: {self.named}. Now: {now}."
                    raise ModelChanged(f"{self.server.url} {message}")
                reply = reply_of(answer, self.digit_ids, scored)
                if isinstance(reply, Reply) and row in replies:
                    reply = replace(reply, usage=summed([replies[row].usage, reply.usage]))
                replies[row] = reply
            cut = {row: one.text for row, one in replies.items() if isinstance(one, Reply) and one.is_cut}
            waiting = [row for row, text in cut.items() if not score_is_complete(text)]
        return [replies[row] for row in range(len(chats))]

    def request(self, chat: Chat, scored: bool, max_tokens: int) -> dict[str, Any]:
        """Return a request for a conversation's next answer. scored: with probabilities of digits."""
        url = picture_url(chat.image.size, chat.image.tobytes(), self.side if self.template == "llava_v1" else None)
        messages: list[dict[str, Any]] = []
        for index, (question, answer) in enumerate(chat.turns):
            parts = [{"type": "image_url", "image_url": {"url": url}}, {"type": "text", "text": question}]
            messages.append({"role": "user", "content": question if index else parts})
            if answer is not None:
                messages.append({"role": "assistant", "content": answer})
        body = {"model": self.model, "messages": messages, "temperature": 0, "max_tokens": max_tokens}
        if self.template == "llava_v1":
            begin, gap = self.gaps
            body["chat_template_kwargs"] = {"begin_gap": begin, "image_gap": gap, "doubled_end": self.doubled_end}
        if scored and self.digit_ids:
            body |= {"logprobs": True, "top_logprobs": 0, "logprob_token_ids": list(self.digit_ids)}
            body["return_tokens_as_token_ids"] = True
        elif scored:
            body |= {"logprobs": True, "top_logprobs": TOP}
        return body


def reply_of(answer: Any, digit_ids: Sequence[int], scored: bool) -> Reply | NoScore:
    """Return a server's answer. scored: with the probabilities of digits; if some are missing, return a NoScore."""
    if isinstance(answer, NoScore):
        return answer
    usage = usage_of(answer)
    try:
        choice = answer["choices"][0]
        text, entries = str(choice["message"]["content"] or ""), entries_of(answer) if scored else []
        likely = [_likely(entry) for entry in entries]
        pieces = _pieces(text, entries)
    except (LookupError, TypeError, AttributeError):
        return _unread(f"expected a message with probabilities in OpenAI's form, found {str(answer)[:200]}", usage)
    if not scored or not text:
        return Reply((text.strip(),) if text else (), usage=usage)
    if not likely:
        return _unread("the server returned no probabilities of the answer's tokens", usage)
    is_cut = choice.get("finish_reason") == "length"
    names = [f"token_id:{token}" for token in digit_ids] or [str(digit) for digit in range(10)]
    digits = tuple(np.array([some.get(name, 0.0) for name in names]) for some in likely)
    if digit_ids:
        if not all(name in some for some in likely for name in names):
            return _unread("at a token, it has the probabilities of fewer than ten digits", usage)
        return Reply(pieces, digits, usage=usage, is_cut=is_cut)
    fewest = min(
        (len(top_of(e)) for e, text in zip(entries, pieces, strict=True) if any(map(str.isdigit, text))), default=TOP
    )
    if fewest < TOP:
        return _unread(f"it returns {fewest} probabilities per token instead of {TOP}", usage)
    return Reply(pieces, digits, tuple(likely), usage, is_cut)


def _unread(problem: str, usage: Usage | None) -> NoScore:
    return NoScore("refused", f"The server's answer cannot be read: {problem}.", usage)


def entries_of(answer: Any) -> list[Mapping[str, Any]]:
    """Return what a server reports about each token of an answer."""
    return (answer["choices"][0].get("logprobs") or {}).get("content") or []


def top_of(entry: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """Return the likeliest tokens that a server reports at one token."""
    return entry.get("top_logprobs") or []


def _likely(entry: Mapping[str, Any]) -> dict[str, float]:
    """Return the probabilities at one token. If two tokens have the same text, the likelier token counts."""
    reported = [(str(one["token"]), math.exp(one["logprob"])) for one in (*top_of(entry), entry)]
    return dict(sorted(reported, key=lambda pair: pair[1]))


def _pieces(text: str, entries: Sequence[Mapping[str, Any]]) -> tuple[str, ...]:
    """Return the text of each token of an answer.

    Tokens are decoded separately, so that spaces before words are lost. Here a token's piece also contains the spaces
    before the token. Text that matches no token is in the last piece.
    """
    pieces, place = list[str](), 0
    for row, entry in enumerate(entries, 1):
        written = entry.get("bytes")
        token = (str(entry["token"]) if written is None else bytes(written).decode(errors="replace")).strip()
        start = text.find(token, place) if token else -1
        end = start + len(token) if start >= 0 and not text[place:start].strip() else place
        pieces.append(text[place : end if row < len(entries) else None])
        place = end
    return tuple(pieces)


def usage_of(answer: Any) -> Usage | None:
    """Return the token counts of one answer, from OpenAI's field `usage`; None: they are missing or impossible.

    Some servers count reasoning tokens only in the total. They are added to the tokens of the answer.
    """
    try:
        counts = answer["usage"]
        found = Usage(counts["prompt_tokens"], counts["completion_tokens"])
        more = (counts.get("total_tokens") or 0) - found.prompt - found.completion
        return Usage(found.prompt, found.completion + max(0, more))
    except (LookupError, TypeError, ValueError, AttributeError):
        return None


class Again(Exception):
    """A request failed, but a retry may help. Arguments: problem, seconds to wait, may the request be the reason."""


class ModelServer:
    """One model server, identified by the address of its API. All times count from the first try of a request."""

    def __init__(self, endpoint: Endpoint, patience_s: float = PATIENCE_S) -> None:
        """Take the server. patience_s: maximum wait for an absent or busy server, in seconds."""
        self.url, self.patience_s, self._timeout_s = endpoint.url.rstrip("/"), patience_s, endpoint.timeout_s
        self.root = self.url.removesuffix("/v1")  # the address without the API's version
        self._client = httpx2.AsyncClient(
            headers={"Content-Type": "application/json"}
            | ({"Authorization": f"Bearer {endpoint.key}"} if endpoint.key else {}),
            timeout=httpx2.Timeout(None, connect=10.0),  # _once limits the time of an answer
            verify=httpx2.create_ssl_context(),
            trust_env=is_remote(self.url),
            limits=httpx2.Limits(max_connections=None, max_keepalive_connections=endpoint.parallel),
        )
        self._places = asyncio.Semaphore(endpoint.parallel)
        weakref.finalize(self, lambda client: asyncio.run_coroutine_threadsafe(client.aclose(), _loop()), self._client)

    def json(self, url: str, body: Mapping[str, Any] | None = None) -> Any:
        """Return the JSON answer to a request, or a NoScore; body None: GET. Raises ModelUnavailable, Cancelled."""
        return self._waited(self._send(url, body))

    def chat(self, bodies: Sequence[Mapping[str, Any]]) -> list[Any]:
        """Return the answers to parallel requests. A NoScore replaces a refused answer.

        Raises ModelUnavailable, Cancelled.
        """

        async def together() -> list[Any]:
            async with asyncio.TaskGroup() as group:
                tasks = [group.create_task(self._send(self.url + CHAT, body)) for body in bodies]
            return [task.result() for task in tasks]

        return self._waited(together())

    def _waited(self, work: Coroutine[Any, Any, T]) -> T:
        """Return the result of the work. Reports progress while waiting, so that the work can be cancelled."""
        future = asyncio.run_coroutine_threadsafe(work, _loop())
        try:
            while True:
                try:
                    return future.result(POLL_S)
                except TimeoutError:
                    report(f"Waiting for {self.url}", 0, 1)
                except ExceptionGroup as group:  # parallel requests: the first error says what to do
                    raise group.exceptions[0] from None
        finally:
            future.cancel()

    async def _send(self, url: str, body: Mapping[str, Any] | None) -> Any:
        """Send a request, and again after failures. A refusal is returned as NoScore. Raises ModelUnavailable."""
        content = None if body is None else orjson.dumps(body)  # encode the body, with its picture, only once
        pause, failures, began, answer = FIRST_PAUSE_S, 0, 0.0, None
        while answer is None:
            try:
                async with self._places:  # the semaphore is released between two tries
                    began = began or monotonic()
                    answer = await self._once(url, content)
            except NoScore as refusal:
                return refusal
            except Again as again:
                problem, wait_s, is_failure = again.args
                failures += is_failure
                if failures >= TRIES:
                    return NoScore("refused", f"The server failed {failures} times: {problem}")
                wait_s = max(pause * random.uniform(0.5, 1.0), wait_s)
                if monotonic() - began + wait_s > self.patience_s:
                    message = f"{self.url} gave no answer within {self.patience_s:g} s ({problem})."
                    raise ModelUnavailable(f"{message} Is it running? A run's scores so far are stored.") from None
                await asyncio.sleep(wait_s)
                pause = min(2 * pause, LONGEST_PAUSE_S)
        return answer

    async def _once(self, url: str, content: bytes | None) -> Any:
        try:
            async with asyncio.timeout(self._timeout_s):
                with timed("model"):
                    response = await self._client.request("POST" if content else "GET", url, content=content)
        except TimeoutError:
            raise NoScore("refused", f"The server did not answer within {self._timeout_s:g} s.") from None
        except (httpx2.TransportError, httpx2.DecodingError) as error:
            if (final := final_problem(error)) is not None:
                raise ModelUnavailable(f"No connection to {self.url}: {final}.") from None
            raise Again(f"{type(error).__name__} {error}".strip(), 0.0, False) from None
        text = " ".join(response.text.split())
        try:
            answer = orjson.loads(response.content)
        except json.JSONDecodeError:
            answer = None
        if response.status_code >= 300:
            raise self._refused(
                response.status_code, answer or text, text, response.headers.get("retry-after", ""), url
            )
        if answer is not None:
            return answer
        if not text or text[0] in "{[":
            raise Again("an incomplete answer", 0.0, True)
        kind = "a web page" if text[0] == "<" else "text"
        raise ModelUnavailable(
            f"{self.url} answered with {kind} instead of JSON: {text[:120]!r}. Check the address. Most addresses end "
            "in /v1."
        )

    def _refused(self, status: int, words: Any, text: str, retry_after: str, url: str) -> Exception:
        """Return the error to raise when a server refuses a request, with the server's words as one short line."""
        for name in ("error", "message", "detail"):
            words = words.get(name, words) if isinstance(words, dict) else words
        problem, is_busy = f"{status}: {' '.join(str(words).split())[:300]}".rstrip("."), status in BUSY
        if status == 407:
            return ModelUnavailable(f"No connection to {self.url}: {NO_PASS}.")
        if QUOTA in text or (status in SHUT and not (is_busy and url.endswith(CHAT))):
            todo = "Check the account's credit" if status in (402, 429) else "Check the address, the model and the key"
            return ModelUnavailable(f"{self.url} answered {problem}. {todo}. All scores so far are stored.")
        if not is_busy and status != FAILED:
            return NoScore("refused", f"The server refused: {problem}")
        wait_s = float(retry_after) if retry_after.isascii() and retry_after.isdigit() else 0.0
        return Again(problem, wait_s, status == FAILED)


def listed(answer: Any) -> list[tuple[str, str, str]]:
    """Return (id, root, parent) of each model in a server's list."""
    models = answer.get("data") if isinstance(answer, Mapping) else None
    entries = [one for one in models or () if isinstance(one, Mapping) and "id" in one]
    return [(str(one["id"]), str(one.get("root") or ""), str(one.get("parent") or "")) for one in entries]


@cache
def _loop() -> asyncio.AbstractEventLoop:
    """Return the event loop of all requests, which runs in a thread of its own."""
    loop = asyncio.new_event_loop()
    threading.Thread(target=loop.run_forever, name="endpoint", daemon=True).start()
    return loop
