"""What outcomes cost, stored and written."""

import json
from dataclasses import replace
from pathlib import Path

from core.costs import Usage
from core.types import EvaluationError, Outcome, Score
from storage.types import Search
from ui.services.transfer.dataset_export import export_dataset
from ui.services.workplace import Workplace

USAGE = Usage(10**9, 20)
SECONDS = {"picture": 0.25, "model": 1e-7}
COSTED = (
    Score("FLEUR", 0.5, "FLEUR|v:1", usage=USAGE, seconds=SECONDS),
    EvaluationError("FLEUR", "FLEUR|v:2", "refused", "No.", None, {"model": 3.0}),
)
FREE = (Score("Polos", 0.5, "Polos|v:1"), EvaluationError("Polos", "Polos|v:2", "missing_image", "None."))


def costs(workplace: Workplace, outcomes: tuple[Outcome, ...]) -> list[tuple[object, object]]:
    (first, *_) = workplace.repository.samples.many(workplace.repository.samples.ids(Search("birds")))
    found = {one.signature: one for one in first.outcomes}
    return [(found[one.signature].usage, dict(found[one.signature].seconds)) for one in outcomes]


def test_tokens_and_seconds_come_back_as_they_were(birds: Workplace) -> None:
    for outcome in (*COSTED, *FREE):
        birds.repository.scores.save(1, outcome)
    assert costs(birds, (*COSTED, *FREE)) == [(one.usage, dict(one.seconds)) for one in (*COSTED, *FREE)]


def test_an_outcome_that_takes_an_errors_place_brings_its_own_cost(birds: Workplace) -> None:
    scored = replace(COSTED[0], signature=COSTED[1].signature)
    for outcome in (COSTED[1], scored, replace(scored, usage=None)):  # a score that is there stays
        birds.repository.scores.save(1, outcome)
    assert costs(birds, (scored,)) == [(USAGE, SECONDS)]


def test_a_data_set_that_is_written_says_what_it_cost(birds: Workplace, tmp_path: Path) -> None:
    for outcome in (*COSTED, *FREE):
        birds.repository.scores.save(1, outcome)
    export_dataset(birds, "birds", "jsonl", tmp_path / "out")
    (file,) = (tmp_path / "out").glob("*.jsonl")
    row = json.loads(file.read_text().splitlines()[0])
    told = {one["signature"]: one for one in row["scores"]}
    assert told["FLEUR|v:1"]["usage"] == {"prompt": 10**9, "completion": 20}
    assert "usage" not in told["FLEUR|v:2"] and told["FLEUR|v:2"]["seconds"] == {"model": 3.0}
    assert not {"usage", "seconds"} & {*told["Polos|v:1"], *told["Polos|v:2"]}
