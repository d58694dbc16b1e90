"""Ratings as columns are the same as records, whatever raters and managers have done."""

import random
from dataclasses import fields
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from core.studies.results.rating_columns import RatingColumns, columns_of
from storage.rating.rater_quality.quality_settings import RaterQualitySettings
from storage.study_types import Save, Study
from tests.making import import_rows, make_study, reveal, rows
from ui.services.studies import controls
from ui.services.workplace import Workplace

NAMED = {
    "sample": "samples",
    "explanation": "explanations",
    "rater": "raters",
    "criterion": "criteria",
    "left_out": "reasons",
}


def told(columns: RatingColumns) -> dict[str, list[Any]]:
    """Return the columns with names in the place of their places."""
    found = {}
    for one in fields(columns):
        values = getattr(columns, one.name)
        if isinstance(values, np.ndarray):
            names = getattr(columns, NAMED[one.name]) if one.name in NAMED else None
            found[one.name] = [value if names is None else names[value] for value in values.tolist()]
    return found


def play(workplace: Workplace, study: Study, chance: random.Random) -> None:
    """Let four raters answer at random; one is excluded, one leaves, one has tried the study out."""
    repository = workplace.repository
    criteria = study.asks.criteria
    for number in range(4):
        rater = repository.raters.add(f"R{study.id}N{number}")
        if number == 1:
            repository.life.step(study.id, "running")
        for item in repository.desk.queue(study.id, rater, 1, 13).items:
            saves = [reveal(item)] if chance.random() < 0.5 else []
            saves += [
                Save(
                    key=f"{chance.getrandbits(128):032x}",
                    assignment=item.id,
                    kind="rating",
                    age_ms=0,
                    panel=2 if one.compares else panel.place,
                    criterion=one.key,
                    point=chance.choice(one.scale),
                    in_sight_ms=chance.randint(0, 90_000),
                    picture_shown=chance.choice([None, True, False]),
                )
                for one in criteria
                for panel in (item.panels[:1] if one.compares else item.panels)
                if chance.random() < 0.9
            ]
            repository.save(rater, saves)
    repository.life.exclude(study.id, f"R{study.id}N1", "too fast")
    repository.life.release(study.id, f"R{study.id}N2", "returned")


@pytest.mark.parametrize("form", ["expert-single", "expert-side-by-side", "thumb", "pairwise-captions"])
@pytest.mark.parametrize("veil", [True, False])
def test_columns_hold_what_records_hold_in_the_same_order(
    workplace: Workplace, tmp_path: Path, form: str, veil: bool
) -> None:
    chance = random.Random(f"{form}/{veil}")
    samples = [one | {"image": f"secretpicture-{number // 2}.png"} for number, one in enumerate(rows(24))]
    for number in (4, 5):
        samples[number]["image"] = "missing.png"
    import_rows(workplace, tmp_path / "files", samples)
    study = make_study(workplace, form=form, veil=veil, raters_per_item=3)
    with workplace.repository.database.write() as connection:
        connection.exec_driver_sql("UPDATE study_courses SET state = 'pilot', pilot_items = 9")
    if form == "expert-single":
        proposed = controls.proposed(workplace, study, "swapped", 3, 1)
        controls.approve(workplace, study, "gold", proposed, "ada")
        workplace.repository.quality.set_watch(study.id, RaterQualitySettings(gold_every=4, repeat_every=5))
    play(workplace, study, chance)
    records = list(workplace.repository.studies.records(study.id))
    assert len(records) > 10
    columns = workplace.repository.studies.columns(study.id)
    assert told(columns) == told(columns_of(records))
    counted = [record for record in records if not record.left_out]
    assert told(columns.counted()) == told(columns_of(counted))


def test_a_study_that_nobody_has_rated_has_empty_columns(birds: Workplace) -> None:
    columns = birds.repository.studies.columns(make_study(birds).id)
    assert len(columns) == len(columns.counted()) == 0
