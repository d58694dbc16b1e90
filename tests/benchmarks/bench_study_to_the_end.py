"""A study of 100 items × 3 raters, from the first click to the report, by 20 simulated raters over HTTP.

Some leave, cheat, come twice or lose the connection, and the server is killed five times meanwhile. The manager looks,
excludes who is flagged, lets others rate in their place, adjudicates, reports, and erases a rater. On SQLite, and on
PostgreSQL where it is installed.
"""

import asyncio
import signal
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import Any

import httpx
import numpy as np

from core.studies.planning.study_request import StudyRequest
from core.studies.rater_quality.flags import Thresholds
from storage.rating.rater_quality.quality_settings import RaterQualitySettings
from storage.study_types import Study
from tests.benchmarks.bench_never_lost import Server
from tests.benchmarks.databases import on_every_database
from tests.benchmarks.rows import Row
from tests.making import import_rows
from tests.played_study import Habit, Manager, Player, counted_raters, lost_answers, study_rows
from tests.simulated_raters import Kind
from ui.services.studies import controls
from ui.services.studies import study_actions as services
from ui.services.workplace import KEY, Workplace, open_workplace
from ui.settings import Settings
from ui.web.access.security import Secret

ITEMS, AN_ITEM, SAMPLES, GOLD = 100, 3, 140, 8
KILLS, BETWEEN_S = 5, 2.0
EACH = 18  # items that a rater gets at most, with gold and repeats
CAREFUL: tuple[Habit, ...] = ("stays",) * 7 + ("twice",) * 2 + ("cut off",) * 2 + ("leaves",) * 3
WHO: tuple[tuple[Kind, Habit], ...] = (
    *(("careful", habit) for habit in CAREFUL),
    *((kind, "stays") for kind in ("hasty", "straight", "random") for _ in range(2)),
)
MORE = 30  # careful ones who may be called in the place of who has left or was excluded


@dataclass(slots=True)
class Played:
    """What came of it."""

    players: list[Player] = field(default_factory=list)
    called: int = 0
    flagged: dict[str, list[str]] = field(default_factory=dict)
    monitor: list[dict[str, Any]] = field(default_factory=list)
    decided: int = 0
    plain: list[Any] = field(default_factory=list)
    adjudicated: list[Any] = field(default_factory=list)
    kills: int = 0


def run() -> list[Row]:
    """Play the study on every database that is here."""
    return on_every_database(_rows, "played")


def _rows(name: str, database: str | None) -> list[Row]:
    start = time.perf_counter()
    with tempfile.TemporaryDirectory() as folder:
        data_dir = Path(folder) / "data"
        with _opened(data_dir, database) as place:
            study = _study(place, Path(folder) / "files")
        environment = {} if database is None else {"CAPSCOPE_DATABASE": database}
        server = Server(data_dir, Path(folder) / "server.log", **environment)
        played = asyncio.run(_play(server, study))
        with _opened(data_dir, database) as place:
            lost, counted = lost_answers(place, played.players), counted_raters(place, study)
    return _told(name, played, lost, counted, time.perf_counter() - start)


@contextmanager
def _opened(data_dir: Path, database: str | None) -> Iterator[Workplace]:
    opened = open_workplace(Settings(data_dir=data_dir, database=database))
    try:
        yield opened
    finally:
        opened.repository.close()


def _study(place: Workplace, files: Path) -> Study:
    Secret(place.data_dir / KEY)
    import_rows(place, files, study_rows(SAMPLES))
    request = StudyRequest("played", "birds", seed=3, size=ITEMS, raters_per_item=AN_ITEM)
    study = services.create_study(place, request)
    gold = controls.proposed(place, study, "swapped", GOLD, 1)
    controls.approve(place, study, "gold", gold, "ada")
    controls.approve(place, study, "training", controls.proposed(place, study, "turned", 1, 1), "ada")
    place.repository.quality.set_watch(study.id, RaterQualitySettings(Thresholds(), gold_every=4, repeat_every=6))
    return study


async def _play(server: Server, study: Study) -> Played:
    played, quality = Played(), {}
    await server.start()
    limits = httpx.Limits(max_connections=None, keepalive_expiry=2)
    async with httpx.AsyncClient(timeout=60, limits=limits, trust_env=False) as client:
        manager, numbers = Manager(client, server.url, study.id), count()

        def player(kind: Kind, habit: Habit) -> Player:
            number = next(numbers)
            made = Player(f"P{number}", kind, habit, client, server.url, np.random.default_rng(number), quality)
            played.players.append(made)
            return made

        killing = asyncio.create_task(_kill(server, played))
        await asyncio.gather(*(player(kind, habit).play(study.id, EACH, 4) for kind, habit in WHO))
        await killing
        await _finish(manager, played, player)
        seen = await manager.ask("GET", "/monitor")
        played.monitor = seen["table"]["rows"]
        played.flagged = {one["code"]: [flag["words"] for flag in one["flags"]] for one in seen["flagged"]}
        for code, words in played.flagged.items():
            await manager.ask("POST", "/raters/exclude", {"code": code, "reason": "; ".join(words)})
        await _finish(manager, played, player)
        played.decided = await manager.adjudicate()
        played.plain = (await manager.ask("GET", "/report"))["ratings"]["rows"]
        played.adjudicated = (await manager.ask("GET", "/report?adjudicated=true"))["ratings"]["rows"]
        code = played.players[0].code
        await manager.ask("POST", "/raters/erase", {"code": code, "typed": code, "keep_ratings": True})
    server.end(signal.SIGTERM)
    return played


async def _finish(manager: Manager, played: Played, player: Any) -> None:
    """Give what lies open to others until nothing is left for anybody."""
    while played.called < MORE:
        leavers = [one.code for one in played.players if one.habit == "leaves"]
        await manager.ask("POST", "/raters/release", {"codes": leavers, "why": "returned"})
        newcomer = player("careful", "stays")
        await newcomer.play(manager.study, EACH, 0)
        if not newcomer.rated:
            played.players.remove(newcomer)
            return
        played.called += 1


async def _kill(server: Server, played: Played) -> None:
    for _ in range(KILLS):
        await asyncio.sleep(BETWEEN_S)
        server.end(signal.SIGKILL)
        played.kills += 1
        await server.start()


def _told(name: str, played: Played, lost: int, counted: dict[int, list[int]], seconds: float) -> list[Row]:
    kinds = {one.code: one.kind for one in played.players}
    flagged = set(played.flagged)
    cheats = {code for code, kind in kinds.items() if kind != "careful"}
    seen = {row["rater"] for row in played.monitor}
    honest = seen - cheats
    found, alarms = len(flagged & cheats), len(flagged & honest)
    full = sum(numbers == [AN_ITEM] * len(numbers) for numbers in counted.values())
    acknowledged = sum(len(one.acknowledged) for one in played.players)
    refused = [problem for one in played.players for problem in one.refused]
    note = f"{len(WHO)} raters and {played.called} more in others' place, server killed {played.kills} times"
    fewer = sum(row["n"] for row in played.plain) - sum(row["n"] for row in played.adjudicated)
    return [
        Row(f"{name}: answers acknowledged", acknowledged, "", note=f"{note}; {seconds:.0f} s"),
        Row(f"{name}: lost, doubled or changed", lost, "", most=0, holds=not lost),
        Row(f"{name}: refused", len(refused), "", most=0, holds=not refused, note="; ".join(refused[:1])),
        Row(f"{name}: items with {AN_ITEM} counted raters", full, "", least=ITEMS, holds=full == ITEMS),
        Row(f"{name}: cheats flagged", found, "", note=f"of {len(cheats)}"),
        Row(f"{name}: careful raters flagged", alarms, "", note=f"of {len(honest)}: {_why(played, honest)}"),
        Row(f"{name}: gold passed by careful raters", _passed(played.monitor, honest, "gold"), "%"),
        Row(f"{name}: gold passed by cheats", _passed(played.monitor, cheats, "gold"), "%"),
        Row(f"{name}: repeats within one, careful", _passed(played.monitor, honest, "repeats_within_one"), "%"),
        Row(f"{name}: repeats within one, cheats", _passed(played.monitor, cheats, "repeats_within_one"), "%"),
        Row(f"{name}: disputed questions decided", played.decided, "", note=f"{fewer} ratings fewer in that report"),
    ]


def _why(played: Played, honest: set[str]) -> str:
    return "; ".join(words for code in sorted(honest & set(played.flagged)) for words in played.flagged[code])


def _passed(monitor: Sequence[dict[str, Any]], codes: set[str], what: str) -> float:
    """Return how many percent of all of these raters' answers were right; monitor has them as "5 of 6"."""
    pairs = [row[what].split(" of ") for row in monitor if row["rater"] in codes and row[what]]
    return 100 * sum(int(part) for part, _ in pairs) / max(1, sum(int(whole) for _, whole in pairs))
