"""A few raters of a platform played to their ends over HTTP."""

import asyncio
from collections.abc import Callable
from pathlib import Path

import httpx
import numpy as np
from fastapi import FastAPI

from core.studies.asking.questionnaire import Questionnaire, questions_of
from core.studies.planning.life_cycle import StudySchedule
from core.studies.planning.recruitment import PRESETS
from core.studies.planning.study_request import StudyRequest
from core.studies.rater_quality.flags import Thresholds
from storage.rating.rater_quality.quality_settings import RaterQualitySettings
from tests.loops import run_async
from tests.making import import_rows
from tests.played_study import lost_answers, study_rows
from tests.recruited_raters import Fate, Recruited
from ui.services.scoring.judging import Judge
from ui.services.studies import controls
from ui.services.studies import study_actions as services
from ui.services.workplace import Workplace

FATES: dict[Fate, str] = {
    "declines": "returned",
    "screened": "screened_out",
    "fails check": "screened_out",
    "returns": "returned",
    "vanishes": "rating",
    "finishes": "finished",
}


def test_each_rater_ends_as_fated_and_loses_nothing(
    workplace: Workplace, api_of: Callable[..., FastAPI], tmp_path: Path
) -> None:
    import_rows(workplace, tmp_path, study_rows(40))
    request = StudyRequest(
        name="few", dataset="birds", form="guided-single", seed=3, size=30, raters_per_item=2, veil=False
    )
    course = StudySchedule("running", items_per_rater=8)
    study = workplace.repository.studies.add(services.plan(workplace, request), course)
    controls.approve(workplace, study, "gold", controls.proposed(workplace, study, "swapped", 2, 1), "ada")
    controls.approve(workplace, study, "training", controls.proposed(workplace, study, "turned", 1, 1), "ada")
    workplace.repository.quality.set_watch(study.id, RaterQualitySettings(Thresholds(), gold_every=5))
    entry = Questionnaire("We keep your answers.", questions_of("Do you speak English? = yes / no!"))
    workplace.repository.visits.set_entry(study.id, entry)
    token = workplace.repository.panel_links.make(study.id, PRESETS[0], None)[1]
    right = tuple(question.right for question in study.asks.check)
    players = run_async(_played(api_of(workplace, Judge(workplace)), study.id, token, right))
    assert lost_answers(workplace, players) == 0 and not any(one.refused for one in players)
    states = sorted(one.state for one in workplace.repository.participants.of(study.id))
    assert states == sorted(FATES[one.fate] for one in players)
    (item,) = workplace.repository.reported_items.of(study.id)
    assert item.skips == 1


async def _played(api: FastAPI, study: int, token: str, right: tuple[str, ...]) -> list[Recruited]:
    transport = httpx.ASGITransport(app=api)
    async with httpx.AsyncClient(transport=transport, timeout=30) as client:
        players = [
            Recruited(
                f"{number:04d}",
                "careful",
                "stays",
                client,
                "http://127.0.0.1",
                np.random.default_rng(number),
                {},
                link=token,
                fate=fate,
                right=right,
                skips=3 if fate == "finishes" else 0,
            )  # fmt: skip
            for number, fate in enumerate(FATES)
        ]
        await asyncio.gather(*(player.take_part(study, 8, 3) for player in players))
    return players
