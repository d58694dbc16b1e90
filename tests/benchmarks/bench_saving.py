"""Saving answers with many raters at once, beside a Gradio event that writes the same rows the same way.

Both are servers in processes of their own on a copy of a study of 10,000 items. Every rater answers a question, thinks,
answers the next; both are measured by turns. Afterwards every answer that was acknowledged must be in the database.
"""

import asyncio
import itertools
import json
import random
import shutil
import tempfile
import time
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
from sqlalchemy import text

from core.studies.asking.form_file import form_named
from storage import open_repository
from storage.study_types import Rater
from tests.benchmarks.rows import Row, percentile
from tests.benchmarks.serving import Running, bare, ours
from tests.benchmarks.studies import make_study, workplace
from ui.services.workplace import DATABASE

CRITERIA = form_named("expert-single").criteria
ITEMS = 10_000
RATERS, THINK_S = 20, 0.5
CROWD, CROWD_THINK_S = 50, 1.0
TURN_S, TURNS = 10.0, 2
AHEAD = 20  # items a rater gets before the first turn: more than can be answered
MOST_MS, CROWD_MOST_MS, FETCH_MOST_MS = 25.0, 100.0, 250.0  # at the 95th percentile
LOCKED = "database is locked"
_WRITES = {"X-Capscope": "1"}
_LIMITS = httpx.Limits(max_connections=None, keepalive_expiry=None)

Answer = dict[str, Any]
Send = Callable[[Answer], Awaitable[str]]  # sends one answer; returns the body of the reply, "" where it was refused


@dataclass(slots=True)
class Tally:
    """What the raters of one server met with."""

    times_ms: list[float] = field(default_factory=list)
    acknowledged: dict[str, Answer] = field(default_factory=dict)  # by idempotency key
    failed: list[str] = field(default_factory=list)
    fetch_ms: list[float] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class AtWork:
    """A rater with a way to send answers, and the answers still to give."""

    send: Send
    answers: Iterator[Answer]
    fetch: Callable[[], Awaitable[None]] | None = None  # gets the next items, as the page does once an item


def run() -> list[Row]:
    """Measure 20 raters on both servers by turns, then 50 raters on ours who fetch their items too."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        queued = _prepared(folder / "queued")
        _prepared(folder / "ours", raters=0)
        database = str(folder / "queued" / "capscope.db")
        shutil.copytree(folder / "ours", folder / "team")
        with ours(folder / "ours") as route, bare("bare_saving", folder, database) as queue:
            tally, queue_tally, crowd = asyncio.run(_measured(route, queue, queued))
            logs = route.log.read_text() + queue.log.read_text()
        own = folder / "ours" / DATABASE
        lost = _lost(own, tally) + _lost(own, crowd) + _lost(folder / "queued" / DATABASE, queue_tally)
        rows = _rows(tally, queue_tally, crowd, lost, logs)
        return rows


def _prepared(data_dir: Path, raters: int = RATERS) -> list[tuple[Rater, list[str]]]:
    """Make the study; returns raters with the assignments given out to them."""
    with workplace(data_dir) as place:
        study = make_study(place, data_dir / "files", ITEMS)
        repository = place.repository
        made = [repository.raters.add(f"Q{number}") for number in range(raters)]
        return [(r, [item.id for item in repository.desk.queue(study.id, r, None, AHEAD).items]) for r in made]


async def _measured(
    route: Running, queue: Running, queued: Sequence[tuple[Rater, list[str]]]
) -> tuple[Tally, Tally, Tally]:
    async with httpx.AsyncClient(timeout=60, limits=_LIMITS, trust_env=False) as client:
        raters = [await entered(client, route, f"R{number}") for number in range(RATERS)]
        events = [_queue_rater(client, queue, *one) for one in queued]
        tally, queue_tally, crowd_tally = Tally(), Tally(), Tally()
        for _ in range(TURNS):
            await _turn(raters, tally, THINK_S)
            await _turn(events, queue_tally, THINK_S)
        crowd = [await entered(client, route, f"C{number}") for number in range(CROWD)]
        await _turn(crowd, crowd_tally, CROWD_THINK_S, fetching=True)
    return tally, queue_tally, crowd_tally


async def _turn(raters: Sequence[AtWork], tally: Tally, think_s: float, fetching: bool = False) -> None:
    end = time.perf_counter() + TURN_S
    pauses = random.Random(0)
    await asyncio.gather(*(_rate(r, tally, think_s, pauses.random() * think_s, end, fetching) for r in raters))


async def _rate(rater: AtWork, tally: Tally, think_s: float, first_s: float, end: float, fetching: bool) -> None:
    await asyncio.sleep(first_s)  # raters do not start in the same instant
    for number in itertools.count(1):
        if time.perf_counter() >= end:
            return
        answer = next(rater.answers)
        start = time.perf_counter()
        reply = await rater.send(answer)
        tally.times_ms.append(1000 * (time.perf_counter() - start))
        if reply:
            tally.failed.append(reply)
        else:
            tally.acknowledged[answer["key"]] = answer
        if fetching and rater.fetch is not None and number % len(CRITERIA) == 0:
            start = time.perf_counter()
            await rater.fetch()
            tally.fetch_ms.append(1000 * (time.perf_counter() - start))
        await asyncio.sleep(think_s)


def _answers(rater: str, assignments: Sequence[str]) -> Iterator[Answer]:
    """Yield an answer to every question of every item."""
    numbers = random.Random(rater)
    for assignment in assignments:
        for criterion in CRITERIA:
            yield {
                "key": f"{numbers.getrandbits(128):032x}",
                "assignment": assignment,
                "kind": "rating",
                "age_ms": 0,
                "panel": 1,
                "criterion": criterion.key,
                "point": numbers.randint(1, 4),
            }


async def entered(client: httpx.AsyncClient, server: Running, code: str) -> AtWork:
    """Return a rater who has entered our server and got items, as the page would."""
    answer = await client.post(f"{server.url}/api/rate/session", json={"code": code}, headers=_WRITES)
    cookie = {"Cookie": answer.headers["set-cookie"].split(";")[0]}
    items = f"{server.url}/api/rate/studies/1/items"
    given = (await client.get(items, params={"count": AHEAD}, headers=cookie)).json()["items"]
    places = itertools.count(4)

    async def send(answer: Answer) -> str:
        saves = {"saves": [answer]}
        reply = await client.post(f"{server.url}/api/rate/saves", json=saves, headers=_WRITES | cookie)
        return "" if reply.is_success and reply.json()["results"][0]["saved"] else reply.text

    async def fetch() -> None:
        reply = await client.get(items, params={"count": 3, "start": next(places)}, headers=cookie)
        reply.raise_for_status()

    return AtWork(send, _answers(code, [item["id"] for item in given]), fetch)


def _queue_rater(client: httpx.AsyncClient, server: Running, rater: Rater, assignments: Sequence[str]) -> AtWork:
    """Return a rater who saves through Gradio's queue as its page does: join, then read the session's stream."""
    api = f"{server.url}/gradio_api/queue"

    async def send(answer: Answer) -> str:
        event = {"data": [rater.id, [answer]], "fn_index": 0, "session_hash": rater.code}
        (await client.post(f"{api}/join", json=event)).raise_for_status()
        async with client.stream("GET", f"{api}/data", params={"session_hash": rater.code}) as stream:
            async for line in stream.aiter_lines():
                message = json.loads(line.removeprefix("data:")) if line else {}
                if message.get("msg") == "process_completed":
                    return "" if message["success"] and message["output"]["data"] == [[None]] else line
        return "the stream ended early"

    return AtWork(send, _answers(rater.code, assignments))


def _lost(place: Path | str, tally: Tally) -> int:
    """Return how many acknowledged answers are not in the database at a place as they were given."""
    query = """SELECT events.request_key, events.criterion, ratings.point FROM events
        JOIN assignments ON assignments.id = events.assignment_id
        JOIN ratings ON ratings.item_id = assignments.item_id AND ratings.rater_id = events.rater_id
            AND ratings.score_id = events.score_id AND ratings.criterion = events.criterion"""
    with closing(open_repository(place)) as repository, repository.database.read() as connection:
        stored = {key: (criterion, point) for key, criterion, point in connection.execute(text(query))}
    given = {key: (answer["criterion"], answer["point"]) for key, answer in tally.acknowledged.items()}
    return sum(1 for key, answer in given.items() if stored.get(key) != answer)


def _rows(tally: Tally, queue: Tally, crowd: Tally, lost: int, logs: str) -> list[Row]:
    failed = [*tally.failed, *queue.failed, *crowd.failed]
    locked = logs.count(LOCKED) + sum(LOCKED in reply for reply in failed)
    kept = sum(len(some.acknowledged) for some in (tally, queue, crowd))
    sound = {"holds": lost == locked == len(failed) == 0}
    sound["note"] = f"{kept} acknowledged, {lost} lost, {len(failed)} refused, {locked} locked"
    who, many = f"{RATERS} raters, {THINK_S} s think", f"{CROWD} raters, {CROWD_THINK_S:g} s think"
    queue_p95 = percentile(queue.times_ms, 95)
    return [
        Row(f"save, {who}, p50", percentile(tally.times_ms, 50), "ms", percentile(queue.times_ms, 50), "Gradio queue"),
        Row(f"save, {who}, p95", percentile(tally.times_ms, 95), "ms", queue_p95, "Gradio queue", MOST_MS, **sound),
        Row(f"save, {many}, p95", percentile(crowd.times_ms, 95), "ms", most=CROWD_MOST_MS),
        Row(f"next items, {many}, p95", percentile(crowd.fetch_ms, 95), "ms", most=FETCH_MOST_MS),
    ]
