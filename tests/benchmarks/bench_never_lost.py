"""Five minutes of all that goes wrong while people rate: is every acknowledged answer there, once, as it was given?

Raters answer, change their minds, and send from an outbox as the page does: batches in the order of clicking, each
again and again until it is acknowledged. Meanwhile the server is killed, its disk fills up, its database is replaced by
a copy, backups are taken and restored (by `restore` and by hand), raters are offline, send from two tabs at once, and
have clocks that are 20 years wrong. After a restore raters compare and send again what the server lacks, as pages do.
What only a browser can do (its storage full, refused, emptied) is in tests/browser.
"""

import asyncio
import itertools
import os
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Coroutine, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import httpx

from tests.benchmarks.rows import Row
from tests.benchmarks.serving import PATIENCE_S, ROOT, free_port
from tests.benchmarks.studies import make_study, workplace
from ui.services.transfer.backup import back_up, restore

SECONDS = float(os.environ.get("NEVER_LOST_S", "300"))
RATERS, AHEAD, BATCH = 40, 20, 100
COMPARED = 1_000  # keys of one comparison
MORE = 0.1  # chance that a rater asks for more items
LEAST = 10_000  # answers that must have been acknowledged
CALM_S = 12.0  # between two faults
FULL_S = REPLACED_S = 5.0
DISK = 96_000_000  # bytes of the disk that is filled up
YEARS_20_MS = 20 * 365 * 24 * 3_600_000
_WRITES = {"X-Capscope": "1"}

Answer = dict[str, Any]


@dataclass(slots=True)
class Outbox:
    """A rater's browser: what waits, and what the server has acknowledged."""

    cookie: dict[str, str]
    items: dict[str, str]  # assignment -> seal
    epoch: str
    numbers: random.Random
    wrong_clock_ms: int
    waiting: list[Answer] = field(default_factory=list)
    acknowledged: dict[str, Answer] = field(default_factory=dict)  # by key, in the order of clicking
    refused: list[str] = field(default_factory=list)
    is_offline: bool = False
    sent_again: int = 0
    clicked: list[str] = field(default_factory=list)  # keys in the order of clicking

    def click(self) -> None:
        """Answer a question, perhaps another time."""
        key = f"{self.numbers.getrandbits(128):032x}"
        what = {
            "assignment": self.numbers.choice(list(self.items)),
            "criterion": self.numbers.choice(("consistency", "factuality", "informativeness")),
        }
        self.clicked.append(key)
        self.waiting.append({"key": key, "kind": "rating", "panel": 1, "point": self.numbers.randint(1, 4), **what})

    async def send(self, client: httpx.AsyncClient, url: str) -> None:
        """Send what waits; what is not acknowledged goes on waiting."""
        batch, epoch = self.waiting[:BATCH], self.epoch
        saves = [answer | {"age_ms": self.wrong_clock_ms} for answer in batch]
        headers = _WRITES | self.cookie
        try:
            reply = await client.post(f"{url}/api/rate/saves", json={"saves": saves, "epoch": epoch}, headers=headers)
            if reply.status_code == 409 and reply.json()["kind"] == "went_back":
                return await self._compare(client, url)
        except httpx.HTTPError:
            return
        if reply.status_code >= 500:
            return
        if reply.status_code != 200:
            self.refused.append(reply.text)
            return
        for answer, result in zip(batch, reply.json()["results"], strict=True):
            if result["saved"]:
                self.acknowledged[answer["key"]] = answer
            else:
                self.refused.append(str(result))
        sent = {answer["key"] for answer in batch}
        self.waiting = [answer for answer in self.waiting if answer["key"] not in sent]

    async def _compare(self, client: httpx.AsyncClient, url: str) -> None:
        """Let what the server lacks wait again, before all that came later and with its seal."""
        epoch = (await client.get(f"{url}/api/rate/epoch")).json()["epoch"]
        keys, lacking = list(self.acknowledged), set[str]()
        for first in range(0, len(keys), COMPARED):
            asked = {"keys": keys[first : first + COMPARED]}
            reply = await client.post(f"{url}/api/rate/kept", json=asked, headers=_WRITES | self.cookie)
            if reply.status_code != 200 or reply.json()["epoch"] != epoch:
                return
            lacking.update(reply.json()["missing"])
        lost = {key: answer for key, answer in self.acknowledged.items() if key in lacking}
        self.acknowledged = {key: answer for key, answer in self.acknowledged.items() if key not in lost}
        waiting = {answer["key"]: answer for answer in self.waiting}
        sealed = {key: answer | {"seal": self.items[answer["assignment"]]} for key, answer in (lost | waiting).items()}
        self.waiting = sorted(sealed.values(), key=lambda answer: self.clicked.index(answer["key"]))
        self.sent_again += len(lost)
        self.epoch = epoch


class Server:
    """`python app.py`, which can be killed and started again."""

    def __init__(self, data_dir: Path, log: Path, **environment: str) -> None:
        self.data_dir, self._log, self._port = data_dir, log, free_port()
        self._environment = environment
        self.url = f"http://127.0.0.1:{self._port}"
        self._process: subprocess.Popen[bytes] | None = None

    async def start(self) -> None:
        """Start it and wait until it answers."""
        command = [sys.executable, "app.py", "--port", str(self._port), "--data-dir", str(self.data_dir)]
        with self._log.open("ab") as log:
            environment = os.environ | {"CAPSCOPE_WARM": "0"} | self._environment
            self._process = subprocess.Popen(command, cwd=ROOT, env=environment, stdout=log, stderr=log)
        end = time.perf_counter() + PATIENCE_S
        async with httpx.AsyncClient(trust_env=False, timeout=5) as client:
            while time.perf_counter() < end and self._process.poll() is None:
                try:
                    return (await client.get(f"{self.url}/api/datasets")).raise_for_status() and None
                except httpx.HTTPError:
                    await asyncio.sleep(0.1)
        raise RuntimeError(self._log.read_text()[-2000:])

    def end(self, how: signal.Signals) -> None:
        """End it: SIGKILL as a power cut would, SIGTERM as a service manager does."""
        assert self._process is not None
        self._process.send_signal(how)
        self._process.wait()


@dataclass(slots=True)
class Tally:
    """What happened."""

    faults: dict[str, int] = field(default_factory=dict)
    backups: int = 0
    missing_in_backups: int = 0


def run() -> list[Row]:
    """Let people rate while everything goes wrong, then look for every answer."""
    with tempfile.TemporaryDirectory() as name, _disk(Path(name) / "disk") as is_small:
        folder = Path(name)
        data_dir = folder / "disk" / "data"
        with workplace(data_dir) as place:
            make_study(place, folder / "files", AHEAD)
        server, tally = Server(data_dir, folder / "server.log"), Tally()
        raters = asyncio.run(_everything(server, tally, folder, is_small))
        lost, doubled, wrong = _looked_for(data_dir / "capscope.db", raters)
        restore(folder / "backups", folder / "restored")
        restored = _count(folder / "restored" / "capscope.db")
        tracebacks = (folder / "server.log").read_text().count("Traceback")
    acknowledged = sum(len(rater.acknowledged) for rater in raters)
    refused = [problem for rater in raters for problem in rater.refused]
    faults = ", ".join(f"{count} x {what}" for what, count in tally.faults.items())
    again = sum(rater.sent_again for rater in raters)
    note = (
        f"{again:,} sent again after restores; {faults}; {RATERS} raters, two tabs each, a quarter with clocks 20 years"
    )
    note += f" slow; {SECONDS:.0f} s"
    if not is_small:
        note += "; the full disk was NOT tried: no small file system can be mounted here"
    is_sound = not (lost or doubled or wrong or refused or tally.missing_in_backups)
    backups = f"{tally.backups} backups, each looked through; the last one restored has {restored:,} events"
    return [
        Row("answers acknowledged", acknowledged, "", least=LEAST, holds=is_sound, note=note),
        Row("lost", lost, "", most=0, holds=not lost),
        Row("stored twice", doubled, "", most=0, holds=not doubled),
        Row("last answers that are others", wrong, "", most=0, holds=not wrong),
        Row("refused", len(refused), "", most=0, holds=not refused, note="; ".join(refused[:1])),
        Row("acknowledged before a backup and not in it", tally.missing_in_backups, "", most=0, note=backups),
        Row("tracebacks in the server's log", tracebacks, ""),
    ]


async def _everything(server: Server, tally: Tally, folder: Path, is_small: bool) -> list[Outbox]:
    await server.start()
    limits = httpx.Limits(max_connections=None, keepalive_expiry=2)
    async with httpx.AsyncClient(timeout=15, limits=limits, trust_env=False) as client:
        raters = [await _entered(client, server, number) for number in range(RATERS)]
        end = time.perf_counter() + SECONDS
        at_work = [asyncio.create_task(_rate(client, server, rater, end)) for rater in raters]
        await _harm(server, tally, raters, folder, end, is_small)
        await asyncio.gather(*at_work)
        for rater in raters:  # the outbox goes on until it is empty
            while rater.waiting:
                await rater.send(client, server.url)
    server.end(signal.SIGTERM)
    return raters


async def _entered(client: httpx.AsyncClient, server: Server, number: int) -> Outbox:
    entered = await client.post(f"{server.url}/api/rate/session", json={"code": f"R{number}"}, headers=_WRITES)
    cookie = {"Cookie": entered.headers["set-cookie"].split(";")[0]}
    wrong = YEARS_20_MS if number % 4 == 0 else 0
    rater = Outbox(cookie, {}, "", random.Random(number), wrong)
    while len(rater.items) < AHEAD // 2:  # the other half is given out after the first backup
        await _fetch(client, server, rater)
    return rater


async def _fetch(client: httpx.AsyncClient, server: Server, rater: Outbox) -> None:
    """Fetch some more items."""
    params = {"count": 2, "start": len(rater.items) + 1}
    try:
        got = await client.get(f"{server.url}/api/rate/studies/1/items", params=params, headers=rater.cookie)
    except httpx.HTTPError:
        return
    if got.status_code == 200:
        rater.items |= {item["id"]: item["seal"] for item in got.json()["items"]}
        rater.epoch = rater.epoch or got.json()["epoch"]


async def _rate(client: httpx.AsyncClient, server: Server, rater: Outbox, end: float) -> None:
    while time.perf_counter() < end:
        for _ in range(rater.numbers.randint(1, 4)):
            rater.click()
        if len(rater.items) < AHEAD and not rater.is_offline and rater.numbers.random() < MORE:
            await _fetch(client, server, rater)
        if not rater.is_offline:
            tabs = 2 if rater.numbers.random() < 0.2 else 1
            await asyncio.gather(*(rater.send(client, server.url) for _ in range(tabs)))
        await asyncio.sleep(rater.numbers.uniform(0.3, 1.2))


async def _harm(server: Server, tally: Tally, raters: list[Outbox], folder: Path, end: float, is_small: bool) -> None:
    """Do one harm after another, in turn, with calm between them."""

    async def kill() -> None:
        server.end(signal.SIGKILL)
        await server.start()

    async def fill() -> None:
        with _filled(server.data_dir):
            await asyncio.sleep(FULL_S)

    async def replace() -> None:
        with _replaced(server.data_dir / "capscope.db"):
            await asyncio.sleep(REPLACED_S)

    async def cut_off() -> None:
        for rater in raters[::3]:
            rater.is_offline = True
        await asyncio.sleep(REPLACED_S)
        for rater in raters:
            rater.is_offline = False

    async def save() -> None:
        before = {key for rater in raters for key in rater.acknowledged}
        made = await asyncio.to_thread(back_up, server.data_dir, folder / "backups", 2)
        with closing(sqlite3.connect(made.folder / "capscope.db")) as connection:
            there = {key for (key,) in connection.execute("SELECT request_key FROM events")}
        last[:] = [made.folder]
        tally.backups += 1
        tally.missing_in_backups += len(before - there)

    async def put_back(by_hand: bool) -> None:
        server.end(signal.SIGTERM)
        if by_hand:
            for file in server.data_dir.glob("capscope.db*"):
                file.unlink()
            shutil.copyfile(last[0] / "capscope.db", server.data_dir / "capscope.db")
        else:
            await asyncio.to_thread(restore, last[0], server.data_dir)
            for aside in server.data_dir.glob("before-restore-*"):
                shutil.rmtree(aside)  # the disk is small
        await server.start()

    last: list[Path] = []
    harms: dict[str, Callable[[], Coroutine[Any, Any, None]]] = {"SIGKILL": kill, "database replaced": replace}
    harms |= {"offline": cut_off, "backup": save} | ({"disk full": fill} if is_small else {})
    harms |= {"restore": partial(put_back, False), "copied back by hand": partial(put_back, True)}
    for what, harm in itertools.cycle(harms.items()):
        await asyncio.sleep(CALM_S)
        if time.perf_counter() >= end:
            return
        await harm()
        tally.faults[what] = tally.faults.get(what, 0) + 1


@contextmanager
def _disk(folder: Path) -> Iterator[bool]:
    """Mount a small file system where that is allowed; yields whether it is small."""
    folder.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", f"size={DISK}", "tmpfs", str(folder)]
    is_small = subprocess.run(command, capture_output=True).returncode == 0
    try:
        yield is_small
    finally:
        if is_small:
            subprocess.run(["umount", str(folder)], check=True)


@contextmanager
def _filled(folder: Path) -> Iterator[None]:
    """Leave no byte free on a file system."""
    filler = folder.parent / "filler"
    with filler.open("wb", buffering=0) as file:
        for size in (1_000_000, 4096, 1):
            try:
                while file.write(b"\0" * size) == size:
                    pass
            except OSError:
                pass
    try:
        yield
    finally:
        filler.unlink()


@contextmanager
def _replaced(database: Path) -> Iterator[None]:
    """Put a copy in the place of a database and its log, and in the end put them back."""
    aside = database.parent / "aside"
    aside.mkdir()
    names = [database.name, f"{database.name}-wal", f"{database.name}-shm"]
    for name in names:
        os.rename(database.parent / name, aside / name)
    shutil.copyfile(aside / database.name, database)
    try:
        yield
    finally:
        for name in names:
            os.replace(aside / name, database.parent / name)
        aside.rmdir()


def _looked_for(database: Path, raters: list[Outbox]) -> tuple[int, int, int]:
    """Return how many acknowledged answers are not stored, are stored twice, and are last but not the present ones."""
    with closing(sqlite3.connect(database)) as connection:
        keys = [key for (key,) in connection.execute("SELECT request_key FROM events WHERE kind = 'rating'")]
        present = dict(
            ((assignment, criterion), point)
            for assignment, criterion, point in connection.execute(
                """SELECT assignments.id, ratings.criterion, ratings.point FROM ratings
                JOIN assignments USING (item_id, rater_id)"""
            )
        )
    stored = set(keys)
    lost = sum(key not in stored for rater in raters for key in rater.acknowledged)
    last = {(a["assignment"], a["criterion"]): a["point"] for rater in raters for a in rater.acknowledged.values()}
    return lost, len(keys) - len(set(keys)), sum(present.get(where) != point for where, point in last.items())


def _count(database: Path) -> int:
    with closing(sqlite3.connect(database)) as connection:
        return int(connection.execute("SELECT count(*) FROM events").fetchone()[0])
