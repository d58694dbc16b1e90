"""A sample's outlines: each path is in the answer once, with the score's regions or with the sample's own."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient

from core.datasets.base import Record
from core.regions import masks, outlines
from core.types import Explanation, ImageRef, ImageRegion, Phrase, Region, Score
from tests.ui.conftest import ADDRESS, WRITE
from ui.services.scoring.judging import Judge
from ui.services.workplace import Workplace

SIZE = (20, 30)


def mask(left: int, right: int) -> str:
    drawn = np.zeros(SIZE, bool)
    drawn[4:16, left:right] = True
    return masks.encode(drawn)


DOG, CAT = ImageRegion(mask(1, 9), SIZE, "dog"), ImageRegion(mask(12, 25), SIZE, "cat")
WHOLE = ImageRegion(masks.full(SIZE), SIZE, None, True)


def score(*regions: ImageRegion) -> Score:
    phrases = (Phrase("dog", (2, 5), 0.9, 0, "correct"),)
    seen = tuple(Region(r.rle, r.size, r.label, r.is_full, 0.9, 0, True) for r in regions)
    return Score("HICE-S", 0.5, "HICE-S", explanation=Explanation({}, phrases, seen, 0.5, "labels/x"))


@pytest.fixture
def sample_of(workplace: Workplace, api_of: Callable[[Workplace, Judge], FastAPI]) -> Callable[..., dict]:
    client = TestClient(api_of(workplace, Judge(workplace)), base_url=ADDRESS, headers=WRITE)

    def made(*scores: Score) -> dict:
        record = Record(Path("f"), 1, "1.jpg", "A dog.", key="s", scores=scores)
        image = ImageRef("1.jpg", Path("1.jpg"), "0" * 64, SIZE[1], SIZE[0], (DOG, CAT))
        workplace.repository.add_records("regions", [record], {"1.jpg": image}, pytest.fail)
        listed = client.get("/api/samples", params={"dataset": "regions"}).json()
        found: dict = client.get(f"/api/samples/{listed['samples'][0]['id']}").json()
        return found

    return made


def paths(found: dict) -> tuple[list[str], list[str]]:
    """Return the paths of the sample's own outlines, and those of its score's regions."""
    links = [score["links"] for score in found["scores"] if score["links"]]
    return [one["path"] for one in found["outlines"]], [one["path"] for one in links[0]["regions"]] if links else []


def path(region: ImageRegion) -> str:
    return outlines.svg_path(region.rle, region.size)


def test_outlines_that_a_score_has_too_come_with_the_score_alone(sample_of: Callable[..., dict]) -> None:
    own, of_score = paths(sample_of(score(DOG, CAT, WHOLE)))
    assert own == ["", ""]
    assert of_score == [path(DOG), path(CAT), ""]


@pytest.mark.parametrize("regions", [(CAT, DOG, WHOLE), (DOG, WHOLE)], ids=["another order", "fewer regions"])
def test_outlines_that_differ_from_the_scores_regions_are_sent(
    sample_of: Callable[..., dict], regions: tuple[ImageRegion, ...]
) -> None:
    own, of_score = paths(sample_of(score(*regions)))
    assert own == [path(DOG), path(CAT)]
    assert of_score == [path(region) if not region.is_full else "" for region in regions]


def test_without_a_score_of_regions_the_sample_sends_its_own_outlines(sample_of: Callable[..., dict]) -> None:
    assert paths(sample_of()) == ([path(DOG), path(CAT)], [])
