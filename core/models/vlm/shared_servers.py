"""Share the requests of one scoring run among several servers.

The next request goes to the first server that can take another parallel request. So a slow server gets fewer requests.
After each failure, a server gets no requests for a longer time than before, and the other servers get its requests.
When Capscope connects to the servers, it checks that all of them would give the same scores.
"""

import asyncio
import random
from collections import Counter
from collections.abc import Mapping, Sequence
from time import monotonic
from typing import Any

import orjson

from core.errors import ModelUnavailable, NoScore
from core.models.vlm.model_server import CHAT, ModelServer
from core.models.vlm.parallel_chats import ParallelChats
from core.models.vlm.retries import Again, Patience, check_failures

REFUSED_IN_A_ROW = 20  # after this many refusals in a row by one of several servers, the run stops


class SharedServers(ParallelChats):
    """Servers with the same model. See core.models.vlm.model_server.ModelServer for a single server."""

    def __init__(self, servers: Sequence[ModelServer], parallel: int, patience: Patience) -> None:
        """Take the servers with the same model.

        parallel: how many requests each server gets at the same time. patience: how long to wait for answers.
        """
        self.url = ", ".join(server.url for server in servers)
        self.patience = patience
        self._rests = {server: 0.0 for server in servers}  # key: server; value: pause in s while it is busy or absent
        self._refused = Counter[ModelServer]()  # number of requests that the server refused since its latest answer
        self._places: asyncio.Queue[ModelServer] = asyncio.Queue()
        for _ in range(parallel):
            for server in servers:
                self._places.put_nowait(server)
        self.answered: Counter[str] = Counter({server.url: 0 for server in servers})  # number of answers per address

    async def _one(self, body: Mapping[str, Any]) -> Any:
        content, failures, until = orjson.dumps(body), 0, 0.0
        while True:
            server, rest_s = await self._places.get(), 0.0
            try:
                answer = await server.attempt("POST", server.url + CHAT, content)
                self._rests[server] = 0.0
                self._refused[server] = 0
                self.answered[server.url] += 1
                return answer
            except NoScore as refusal:
                self._count_refusal(server, refusal)
                return refusal
            except Again as again:
                failures += again.is_failure
                rest_s = 0.0 if again.is_failure else self._rest(server, again)
                problem = again
            finally:
                asyncio.get_running_loop().call_later(rest_s, self._places.put_nowait, server)
            try:
                check_failures(failures, problem)
            except NoScore as refusal:
                return refusal
            until = until or monotonic() + self.patience.total_s
            if monotonic() > until:
                message = f"{self.url} gave no answer ({problem}). Earlier answers are stored."
                raise ModelUnavailable(message)

    def _count_refusal(self, server: ModelServer, refusal: NoScore) -> None:
        """Count a server's refusals, and raise ModelUnavailable if it refuses everything.

        Such a server would give errors for samples that other servers could score.
        """
        self._refused[server] += 1
        if self._refused[server] >= REFUSED_IN_A_ROW:
            raise ModelUnavailable(
                f"{server.url} refused {REFUSED_IN_A_ROW} requests in a row. The last refusal was {str(refusal)!r}. "
                "Run again without this server. Add --retry-errors to score the refused samples again. All scores "
                "so far are stored."
            )

    def _rest(self, server: ModelServer, again: Again) -> float:
        """Return how long (in s) to pause one connection to an unreachable or busy server."""
        longest = self.patience.most_s
        self._rests[server] = min(longest, 2 * self._rests[server]) or self.patience.first_s
        return max(self._rests[server] * random.uniform(0.5, 1.0), min(again.wait_s, self.patience.total_s))
