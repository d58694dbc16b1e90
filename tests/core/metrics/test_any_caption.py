"""HICE-S gives an outcome for a caption of any characters."""

import json
import unicodedata

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from core.metrics.hice import HICE
from core.models import ModelSettings
from core.types import ImageRef, Sample, Score

NUMERALS = [chr(code) for code in range(0x110000) if unicodedata.category(chr(code)) in ("Nd", "Nl", "No")]
FRAMES = ["A photo of {} cats.", "No more than {} dogs on {} couches", "a pair of {}", "{} of the {} dogs"]
CHARACTERS = st.text(st.one_of(st.characters(), st.characters(categories=["Cs"])), min_size=1, max_size=80)


@pytest.fixture(scope="module")
def metric(tmp_path_factory: pytest.TempPathFactory) -> HICE:
    shape = {"image_id": 1, "category_id": 1, "segmentation": [[2, 2, 12, 2, 12, 12, 2, 12]]}
    picture = {"id": 1, "file_name": "pets.png", "height": 30, "width": 40}
    file = tmp_path_factory.mktemp("any") / "instances.json"
    file.write_text(json.dumps({"images": [picture], "categories": [{"id": 1, "name": "cat"}], "annotations": [shape]}))
    return HICE.load(ModelSettings(options={"regions": str(file)}))


def is_scored(metric: HICE, captions: list[str]) -> bool:
    image = ImageRef("pets.png", width=40, height=30)
    outcomes = metric.score([Sample(str(n), image, caption) for n, caption in enumerate(captions)])
    return all(isinstance(outcome, Score) for outcome in outcomes)


@settings(max_examples=60, deadline=None)
@given(CHARACTERS, st.sampled_from(FRAMES))
@example("²", FRAMES[0])
@example("9" * 5000, FRAMES[1])
def test_a_caption_of_any_characters_gets_a_score(metric: HICE, text: str, frame: str) -> None:
    assert is_scored(metric, [text, frame.replace("{}", text)])


def test_a_caption_with_a_numeral_of_any_script_gets_a_score(metric: HICE) -> None:
    assert is_scored(metric, [f"A photo of {numeral} cats." for numeral in NUMERALS[::12]])
