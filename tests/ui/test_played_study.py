"""A small study played to its end over HTTP."""

import asyncio
from collections.abc import Callable
from pathlib import Path

import httpx
import numpy as np
from fastapi import FastAPI

from core.studies.planning.study_request import StudyRequest
from core.studies.rater_quality.flags import Thresholds
from storage.rating.rater_quality.quality_settings import RaterQualitySettings
from storage.study_types import Study
from tests.loops import run_async
from tests.making import import_rows
from tests.played_study import Habit, Manager, Player, counted_raters, lost_answers, study_rows
from tests.simulated_raters import Kind
from ui.services.scoring.judging import Judge
from ui.services.studies import controls
from ui.services.studies import study_actions as services
from ui.services.workplace import Workplace

WHO: tuple[tuple[Kind, Habit], ...] = (
    *(("careful", habit) for habit in ("stays", "twice", "leaves")),
    *(("careful", "stays"), ("straight", "stays")),
)


async def played(api: FastAPI, study: Study, players: list[Player]) -> set[str]:
    """Play until every item is full; returns who was flagged."""
    transport = httpx.ASGITransport(app=api)
    async with httpx.AsyncClient(transport=transport, timeout=30) as client:
        address, quality = "http://127.0.0.1", {}
        manager = Manager(client, address, study.id)

        def player(kind: Kind, habit: Habit) -> Player:
            number = len(players)
            made = Player(f"P{number}", kind, habit, client, address, np.random.default_rng(number), quality)
            players.append(made)
            return made

        await asyncio.gather(*(player(kind, habit).play(study.id, 16, 3) for kind, habit in WHO))
        await manager.ask("POST", "/raters/release", {"codes": ["P2"], "why": "returned"})
        seen = await manager.ask("GET", "/monitor")
        flagged = {one["code"] for one in seen["flagged"]}
        for code in flagged:
            await manager.ask("POST", "/raters/exclude", {"code": code, "reason": "flagged"})
        while True:
            newcomer = player("careful", "stays")
            await newcomer.play(study.id, 16, 0)
            if not newcomer.rated:
                break
        await manager.ask("POST", "/raters/erase", {"code": "P0", "typed": "P0", "keep_ratings": True})
        return flagged


def test_a_study_reaches_its_end_though_raters_leave_and_cheat(
    workplace: Workplace, api_of: Callable[[Workplace, Judge], FastAPI], tmp_path: Path
) -> None:
    import_rows(workplace, tmp_path / "files", study_rows(24))
    study = services.create_study(workplace, StudyRequest("played", "birds", seed=3, size=16, raters_per_item=3))
    controls.approve(workplace, study, "gold", controls.proposed(workplace, study, "swapped", 3, 1), "ada")
    watch = RaterQualitySettings(Thresholds(fewest_answers=20), gold_every=4, repeat_every=8)
    workplace.repository.quality.set_watch(study.id, watch)
    players: list[Player] = []
    flagged = run_async(played(api_of(workplace, Judge(workplace)), study, players))
    assert "P4" in flagged  # who gave one point throughout
    assert [problem for one in players for problem in one.refused] == []
    assert lost_answers(workplace, players) == 0
    assert set(map(tuple, counted_raters(workplace, study).values())) == {(3, 3, 3)}
    records = list(workplace.repository.studies.records(study.id))
    assert {"item", "gold"} <= {record.role for record in records}
    assert {record.left_out for record in records if record.rater == "P4"} >= {"rater excluded: flagged"}
    assert not any(record.rater == "P0" for record in records)
