"""Saving answers with 20 raters at once, each of whom answers a question, thinks, and answers the next.

The server is a process of its own on a study of 10,000 items. Afterwards every answer that was acknowledged must be in
the database.
"""

import asyncio
import random
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
from sqlalchemy import text

from core.studies.asking.form_file import form_named
from storage import open_repository
from tests.benchmarks.rows import Row, percentile
from tests.benchmarks.serving import Running, ours
from tests.benchmarks.studies import make_study, workplace
from ui.services.workplace import DATABASE

CRITERIA = form_named("expert-single").criteria
ITEMS, RATERS, THINK_S, TURN_S = 10_000, 20, 0.5, 20.0
AHEAD = 20  # items a rater gets at first: more than can be answered
MOST_MS = 25.0  # at the 95th percentile
_WRITES = {"X-Capscope": "1"}

Answer = dict[str, Any]


@dataclass(slots=True)
class Tally:
    """What the raters met with."""

    times_ms: list[float] = field(default_factory=list)
    acknowledged: dict[str, Answer] = field(default_factory=dict)  # by idempotency key
    failed: list[str] = field(default_factory=list)


def run() -> list[Row]:
    """Measure the saves of 20 raters."""
    with tempfile.TemporaryDirectory() as name:
        data_dir, tally = Path(name) / "data", Tally()
        with workplace(data_dir) as place:
            make_study(place, data_dir / "files", ITEMS)
        with ours(data_dir) as server:
            asyncio.run(_all_rate(server, tally))
            locked = server.log.read_text().count("database is locked")
        lost = _lost(data_dir / DATABASE, tally)
    sound = lost == locked == len(tally.failed) == 0
    note = f"{len(tally.acknowledged)} acknowledged, {lost} lost, {len(tally.failed)} refused, {locked} locked"
    what = f"save, {RATERS} raters, {THINK_S} s think"
    return [
        Row(f"{what}, p50", percentile(tally.times_ms, 50), "ms"),
        Row(f"{what}, p95", percentile(tally.times_ms, 95), "ms", most=MOST_MS, holds=sound, note=note),
    ]


async def _all_rate(server: Running, tally: Tally) -> None:
    limits = httpx.Limits(max_connections=None, keepalive_expiry=None)
    async with httpx.AsyncClient(base_url=server.url, timeout=60, limits=limits, trust_env=False) as client:
        raters = [await _entered(client, f"R{number}") for number in range(RATERS)]
        end, pauses = time.perf_counter() + TURN_S, random.Random(0)
        await asyncio.gather(*(_rate(client, *rater, tally, pauses.random() * THINK_S, end) for rater in raters))


async def _entered(client: httpx.AsyncClient, code: str) -> tuple[dict[str, str], Iterator[Answer]]:
    """Enter as the page does; returns the headers of further requests, and an answer to each question."""
    answer = await client.post("/api/rate/session", json={"code": code}, headers=_WRITES)
    headers = _WRITES | {"Cookie": answer.headers["set-cookie"].split(";")[0]}
    given = await client.get("/api/rate/studies/1/items", params={"count": AHEAD}, headers=headers)
    return headers, _answers(code, [item["id"] for item in given.json()["items"]])


def _answers(rater: str, assignments: Sequence[str]) -> Iterator[Answer]:
    numbers = random.Random(rater)
    for assignment in assignments:
        for criterion in CRITERIA:
            key = f"{numbers.getrandbits(128):032x}"
            answer = {"key": key, "assignment": assignment, "kind": "rating", "age_ms": 0, "panel": 1}
            yield answer | {"criterion": criterion.key, "point": numbers.randint(1, 4)}


async def _rate(
    client: httpx.AsyncClient,
    headers: dict[str, str],
    answers: Iterator[Answer],
    tally: Tally,
    first_s: float,
    end: float,
) -> None:
    await asyncio.sleep(first_s)  # raters do not start in the same instant
    while time.perf_counter() < end:
        answer = next(answers)
        start = time.perf_counter()
        reply = await client.post("/api/rate/saves", json={"saves": [answer]}, headers=headers)
        tally.times_ms.append(1000 * (time.perf_counter() - start))
        if reply.is_success and reply.json()["results"][0]["saved"]:
            tally.acknowledged[answer["key"]] = answer
        else:
            tally.failed.append(reply.text)
        await asyncio.sleep(THINK_S)


def _lost(database: Path, tally: Tally) -> int:
    """Return how many acknowledged answers are not in the database as they were given."""
    query = """SELECT events.request_key, events.criterion, ratings.point FROM events
        JOIN assignments ON assignments.id = events.assignment_id
        JOIN ratings ON ratings.item_id = assignments.item_id AND ratings.rater_id = events.rater_id
            AND ratings.score_id = events.score_id AND ratings.criterion = events.criterion"""
    with closing(open_repository(database)) as repository, repository.database.read() as connection:
        stored = {key: (criterion, point) for key, criterion, point in connection.execute(text(query))}
    given = {key: (answer["criterion"], answer["point"]) for key, answer in tally.acknowledged.items()}
    return sum(1 for key, answer in given.items() if stored.get(key) != answer)
