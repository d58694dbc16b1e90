"""The demo's captions and explanations: captions are read rightly, and one in three is wrong on purpose."""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

import pytest

from core.metrics.evaluator import Evaluator
from core.metrics.hice import HICE
from core.models import ModelSettings
from core.types import Sample, Score
from ui.demo_copy.recording import edits
from ui.region_words import contradicts
from ui.services import demo
from ui.services.demo import demo_samples, ensure_demo
from ui.services.scoring.reading import hints_of_text
from ui.services.scoring.scoring_plan import with_own_regions
from ui.services.workplace import open_workplace
from ui.settings import Settings

pytestmark = pytest.mark.skipif(len(demo.pictures()) < len(demo.LICENCES), reason="a demo photograph is absent")

WRONG = {"bus-d", "tower-b", "tower-c", "portrait-b", "flower-b", "pagoda-b"}  # captions that make something up
FAULTY = {"bus-d": "horse", "lion-b": "two elephants", "flower-a": "bee"}  # what an explanation makes up


@pytest.fixture(scope="module")
def samples(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Sample]:
    """The demo's samples by key."""
    workplace = open_workplace(Settings(data_dir=tmp_path_factory.mktemp("demo")))
    ensure_demo(workplace)
    found = {sample.key: sample for sample in demo_samples(workplace)}
    workplace.repository.close()
    return found


def judged(samples: list[Sample]) -> list[Score]:
    settings = with_own_regions(HICE, ModelSettings(explain=True))
    scores = [outcome for outcome in Evaluator((HICE,)).evaluate(HICE.name, samples, settings)]
    assert len(scores) == len(samples)
    return [score for score in scores if isinstance(score, Score)]


@pytest.fixture(scope="module")
def scores(samples: dict[str, Sample]) -> dict[str, Score]:
    """The HICE-S scores of the captions by key."""
    return dict(zip(samples, judged(list(samples.values())), strict=True))


def lines() -> Iterator[Mapping[str, Any]]:
    with demo._FILE.open(encoding="utf-8") as file:
        yield from map(json.loads, file)


def things(score: Score) -> dict[str, str]:
    return {thing.text: thing.mark for phrase in score.explanation.phrases for thing in phrase.things}


def test_one_sample_in_three_shows_something_made_up_and_the_others_nothing(scores: dict[str, Score]) -> None:
    wrong = {key for key, score in scores.items() if "incorrect" in {p.mark for p in score.explanation.phrases}}
    assert wrong == WRONG and len(scores) == 3 * len(wrong)
    places = [place for place, line in enumerate(lines()) if line["id"] in WRONG]
    assert places == list(range(2, len(scores), 3))


def test_every_thing_that_a_caption_names_is_found_or_absent_and_none_is_unknown(scores: dict[str, Score]) -> None:
    assert {key: things(score) for key, score in scores.items() if "not judged" in things(score).values()} == {}


def test_an_edit_that_makes_something_up_is_contradicted_and_one_that_mends_all_is_not(
    samples: dict[str, Sample],
) -> None:
    listed = [(key, edit["words"], edit["caption"]) for key, edits_of in edits().items() for edit in edits_of]
    scores = judged([replace(samples[key], candidate=caption) for key, _, caption in listed])
    for (key, words, caption), score in zip(listed, scores, strict=True):
        wrong = "incorrect" in {phrase.mark for phrase in score.explanation.phrases}
        if re.match(r"count wrongly|a wrong|another|add (an umbrella|people|a flag)", words):
            assert wrong, (key, caption)
        elif key not in WRONG or words == "mend both":
            assert not wrong, (key, caption)


def test_explanations_make_something_up_only_where_that_is_meant_and_evidence_shows_it(
    samples: dict[str, Sample],
) -> None:
    found = {}
    for line in lines():
        for score in line["scores"]:
            for text in score["rationales"].values():
                for start, end, hints in hints_of_text(text, samples[line["id"]]):
                    for hint in hints:
                        if contradicts(hint):
                            found[line["id"]] = text[start:end][hint.start : hint.end].removeprefix("A ")
    assert found == FAULTY
