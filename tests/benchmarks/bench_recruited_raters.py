"""Two hundred raters from a recruitment platform: gates, practice, gold, reports, drop-outs, pay; on each database.

Four studies in four languages run together, and thirty of the raters use real browsers. The outcome is compared with
the plan, and what raters are owed with a computation of its own.
"""

import asyncio
import signal
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal
from pathlib import Path
from typing import Any

import httpx
import numpy as np
from playwright.async_api import async_playwright

from core.studies.asking.questionnaire import Questionnaire, questions_of
from core.studies.pay.terms import Terms
from core.studies.planning.control_places import Controls
from core.studies.planning.forecast import Effort, forecast
from core.studies.planning.life_cycle import StudySchedule
from core.studies.planning.recruitment import PRESETS
from core.studies.planning.study_request import StudyRequest
from core.studies.rater_quality.flags import Thresholds
from storage.rating.rater_quality.quality_settings import RaterQualitySettings
from storage.study_types import Study
from tests.benchmarks.bench_never_lost import Server
from tests.benchmarks.bench_study_to_the_end import _opened
from tests.benchmarks.databases import on_every_database
from tests.benchmarks.rows import Row
from tests.browser_raters import RaterInBrowser
from tests.chromium import CHROMIUM, QUIET
from tests.making import import_rows
from tests.owed import owed_pounds
from tests.played_study import lost_answers, study_rows
from tests.recruited_raters import Fate, Recruited
from ui.services.studies import controls
from ui.services.studies import study_actions as services
from ui.services.studies.pay import study_pay
from ui.services.workplace import KEY, Workplace
from ui.web.access.security import Secret

SAMPLES, ITEMS, AN_ITEM, EACH = 800, 700, 3, 50  # of one study; more slots than its raters can fill
LANGUAGES = ("en", "de", "es", "ja")  # one study each
AT_ONCE = 12  # raters who are there at the same time, browsers apart
BROWSERS_AT_ONCE = 4
LEAVES_AFTER = 12
FATES: tuple[tuple[Fate, int, int], ...] = (  # raters of all studies: over HTTP, in browsers
    ("declines", 8, 2),
    ("screened", 8, 2),
    ("fails check", 13, 3),
    ("returns", 26, 4),
    ("vanishes", 8, 2),
    ("fails gold", 4, 0),
    ("finishes", 103, 17),
)
SKIPPERS = 12  # of those who finish: they skip their fifth item
STATES = {
    "declines": "returned",
    "screened": "screened_out",
    "fails check": "screened_out",
    "returns": "returned",
    "vanishes": "rating",
    "fails gold": "excluded",
    "finishes": "finished",
}
TERMS = Terms(currency="GBP", hourly_rate=900, reward=25)


def run() -> list[Row]:
    """Play the study on every database that is here."""
    return on_every_database(_rows, "recruited")


def _rows(name: str, database: str | None) -> list[Row]:
    start = time.perf_counter()
    with tempfile.TemporaryDirectory() as folder:
        data_dir = Path(folder) / "data"
        with _opened(data_dir, database) as place:
            Secret(place.data_dir / KEY)
            import_rows(place, Path(folder) / "files", study_rows(SAMPLES))
            studies = [_study(place, language) for language in LANGUAGES]
        environment = {"CAPSCOPE_TRUSTED_PROXIES": "127.0.0.1"}  # raters come from many networks
        environment |= {} if database is None else {"CAPSCOPE_DATABASE": database}
        server = Server(data_dir, Path(folder) / "server.log", **environment)
        players = asyncio.run(_play(server, studies))
        with _opened(data_dir, database) as place:
            return _outcome(name, place, [study for study, _ in studies], players, time.perf_counter() - start)


def _study(place: Workplace, language: str) -> tuple[Study, str]:
    request = StudyRequest(
        name=f"recruited-{language}",
        dataset="birds",
        form="guided-single",
        seed=3,
        size=ITEMS,
        raters_per_item=AN_ITEM,
        veil=False,
        language=language,
    )
    planned = services.plan(place, request)
    study = place.repository.studies.add(planned, StudySchedule("running", items_per_rater=EACH, terms=TERMS))
    controls.approve(place, study, "gold", controls.proposed(place, study, "swapped", 12, 1), "ada")
    controls.approve(place, study, "training", controls.proposed(place, study, "turned", 1, 1), "ada")
    watch = RaterQualitySettings(Thresholds(), gold_every=5, repeat_every=None)
    place.repository.quality.set_watch(study.id, replace(watch, stop_after_gold=4))
    entry = Questionnaire("We keep your answers.", questions_of("Do you speak English? = yes / no!"))
    place.repository.visits.set_entry(study.id, entry)
    return study, place.repository.panel_links.make(study.id, PRESETS[0], 1_000)[1]


async def _play(server: Server, studies: Sequence[tuple[Study, str]]) -> list[Recruited]:
    await server.start()
    fates = [(fate, is_browser) for fate, *counts in FATES for is_browser, n in enumerate(counts) for _ in range(n)]
    order = np.random.default_rng(1).permutation(len(fates)).tolist()
    finishing = [number for number in order if fates[number][0] == "finishes"]
    turns = (asyncio.Semaphore(AT_ONCE), asyncio.Semaphore(BROWSERS_AT_ONCE))
    quality: dict[str, np.ndarray] = {}
    limits = httpx.Limits(max_connections=AT_ONCE * 2, keepalive_expiry=2)
    async with (
        httpx.AsyncClient(timeout=60, limits=limits, trust_env=False) as client,
        async_playwright() as playwright,
    ):
        browser = await playwright.chromium.launch(executable_path=CHROMIUM, args=[*QUIET])

        async def one(place: int, number: int) -> Recruited:
            study, token = studies[place % len(studies)]
            fate, is_browser = fates[number]
            values: dict[str, Any] = {
                "code": f"{number:04d}",
                "kind": "straight" if fate == "fails gold" else "careful",
                "habit": "stays",
                "client": client,
                "url": server.url,
                "numbers": np.random.default_rng(number),
                "quality": quality,
                "link": token,
                "fate": fate,
                "right": tuple(question.right for question in study.asks.check),
                "skips": 5 if number in finishing[:SKIPPERS] else 0,
            }
            player = RaterInBrowser(**values, browser=browser) if is_browser else Recruited(**values)
            async with turns[is_browser]:
                await player.take_part(study.id, EACH, LEAVES_AFTER)
            return player

        players = await asyncio.gather(*(one(place, number) for place, number in enumerate(order)))
        await browser.close()
    server.end(signal.SIGTERM)
    return players


def _outcome(
    name: str, place: Workplace, studies: Sequence[Study], players: Sequence[Recruited], seconds: float
) -> list[Row]:
    repository = place.repository
    lost = lost_answers(place, players)
    refused = [problem for one in players for problem in one.refused]
    states = Counter(one.state for study in studies for one in repository.participants.of(study.id))
    wanted = Counter(STATES[one.fate] for one in players)
    owed = owed_pounds(place, 9)
    wrong = sum(
        Decimal(one.owed) / 100 != _due(one.decision, owed.get(one.code, Decimal(0)))
        for study in studies
        for one in study_pay(place, study).raters
    )
    skips = sum(item.skips for study in studies for item in repository.reported_items.of(study.id))
    progress = [one for _, raters in repository.studies.overview() for one in raters]
    finished = sum(one.counted for one in progress if one.excluded is None)
    left = 1 - wanted["finished"] / len(players)
    effort = Effort(ITEMS, AN_ITEM, EACH, Controls(1, ITEMS, 5, None), drop_out=left)
    plan = forecast(effort, studies[0].seed)
    in_browsers = [one for one in players if isinstance(one, RaterInBrowser)]
    return [
        Row(f"{name}: raters", len(players), "", note=f"{seconds:.0f} s; {dict(Counter(one.fate for one in players))}"),
        Row(f"{name}: raters in browsers", len(in_browsers), "", note=f"{dict(Counter(o.fate for o in in_browsers))}"),
        Row(f"{name}: answers acknowledged", sum(len(one.acknowledged) for one in players), ""),
        Row(f"{name}: of them in browsers", sum(len(one.acknowledged) for one in in_browsers), ""),
        Row(f"{name}: lost, doubled or changed", lost, "", most=0, holds=not lost),
        Row(f"{name}: refused", len(refused), "", most=0, holds=not refused, note="; ".join(refused[:1])),
        Row(
            f"{name}: participants in another state than their fate",
            (states - wanted).total(),
            "",
            most=0,
            holds=states == wanted,
            note=f"{dict(states)}",
        ),
        Row(f"{name}: raters whose pay is not the other computation's", wrong, "", most=0, holds=not wrong),
        Row(f"{name}: skips in the manager's list", skips, "", least=SKIPPERS, holds=skips == SKIPPERS),
        Row(f"{name}: item ratings that count", finished, "", note=f"{len(studies) * plan.item_ratings} planned"),
        Row(
            f"{name}: raters that the plan invites",
            len(studies) * plan.starting,
            "",
            note=f"{len(players)} came, {left:.0%} left",
        ),
    ]


def _due(decision: str, earned: Decimal) -> Decimal:
    if decision in ("reject", "wait"):
        return Decimal(0)
    return max(earned, Decimal("0.25") if decision == "approve" else Decimal(0))
