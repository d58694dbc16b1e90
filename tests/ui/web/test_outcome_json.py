import json
from dataclasses import asdict, replace

import numpy as np
import pytest

from core.captions.english import NOTICE
from core.metrics import METRICS
from core.regions import masks
from core.types import Explanation, Phrase, Region, Score
from tests.svg_path import mask_of
from ui.web.json.outcomes import ScoreJson, explanation_json, full_outcome_json


@pytest.mark.parametrize(
    ("encoder", "by_labels"), [("labels/any@1", True), ("alpha-clip/labels@2", False), ("crops@3", False)]
)
def test_the_page_learns_of_the_outcome_whether_labels_were_compared(encoder: str, by_labels: bool) -> None:
    part = Region(masks.full((4, 6)), (4, 6), None, True, 0.7, None, False)
    explanation = Explanation({}, (), (part,), 0.8, encoder)
    shown = full_outcome_json(Score("HICE-S", 0.6, "HICE-S|cut:0.1|encoder:labels/x", explanation=explanation), METRICS)
    assert isinstance(shown, ScoreJson) and shown.links is not None
    assert (shown.by_labels, shown.links.notice) == (by_labels, NOTICE)


def test_an_encoder_links_a_phrase_and_a_region_only_from_the_cut_on() -> None:
    part = Region(masks.full((4, 6)), (4, 6), "dog", False, 0.4, 0, False)
    explanation = Explanation({}, (Phrase("a cat", (0, 5), 0.4, 0, "incorrect"),), (part,), 0.5, "crops@3")
    weak, strong = explanation_json(explanation), explanation_json(replace(explanation, cut=0.4))
    assert weak is not None and strong is not None
    assert (weak.phrases[0].regions, weak.regions[0].phrase) == ((), None)
    assert (strong.phrases[0].regions, strong.regions[0].phrase) == ((0,), 0)


def test_the_page_gets_an_outline_and_an_area_for_every_part_and_none_for_the_whole_picture() -> None:
    mask = np.zeros((4, 6), bool)
    mask[1:3, 2:5] = True
    part, whole = masks.encode(mask), masks.full((4, 6))
    regions = (Region(part, (4, 6), "dog", False, 0.2, 0, False), Region(whole, (4, 6), None, True, 0.7, 0, True))
    phrases = (Phrase("a dog", (0, 5), 0.5, 0, "correct"),)
    explained = explanation_json(Explanation({}, phrases, regions, 0.4, "encoder"))
    assert explained is not None
    json.dumps(asdict(explained), allow_nan=False)
    dog, picture = explained.regions
    assert (explained.size, dog.name, dog.look) == ((4, 6), "dog", "unmentioned")
    assert (mask_of(dog.path, (4, 6)) == mask).all()
    assert (dog.area, picture.area, picture.path) == (6, 24, "")
    assert "rle" not in asdict(dog)
