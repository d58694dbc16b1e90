"""Where wrong sentences are, and what they name, worked out by hand on two items of one metric."""

from datetime import UTC, datetime
from typing import Any

import numpy as np
import pytest

from core.captions.explanation_hints import Hint
from core.regions import masks
from core.studies.results.error_map import CELLS, error_maps, of_box
from core.studies.results.evidence_export import EvidenceRecord
from core.studies.results.evidence_shares import BY_NAMED_AREA, evidence_shares, wrong_beside_ratings
from core.studies.results.hint_changes import CHANGED, hint_changes
from core.studies.results.named_parts import absence_rates, named_parts
from core.types import ImageRegion

AT = datetime(2026, 1, 1, tzinfo=UTC)
SIZE = (20, 40)  # height, width


def said(item: int, sentence: int, verdict: str, **more: Any) -> EvidenceRecord:
    values: dict[str, Any] = {
        **dict.fromkeys(("words_start", "words_end", "kind", "severity", "place", "region", "label", "area", "box")),
        **{"study": "s", "sample": "k", "image": "i", "caption": "c", "human": None, "metric": "M", "signature": "M|1"},
        **{
            "score": 0.5,
            "score_rescaled": 0.5,
            "rater": "K7",
            "aspect": "overall",
            "sentences": 3,
            "start": 0,
            "end": 9,
        },
        **{
            "text": "sentence.",
            "splitter": "marks-1",
            "not_given": "",
            "hint_shown": False,
            "before_hint": None,
            "no_fault": False,
        },
        **{"overlooked": 0, "started_at": AT, "submitted_at": AT, "duration_ms": 1, "left_out": ""},
        **{"item": item, "sentence": sentence, "verdict": verdict},
    }
    return EvidenceRecord(**values | more)


def hint(where: Any, stance: Any = "said", *regions: int) -> Hint:
    return Hint(0, 3, stance, where, regions)


def test_rates_count_what_is_said_to_be_there_and_nothing_else() -> None:
    areas = [0.3, 0.02]
    first = named_parts(1, "M", "M|1", 1, [hint("picture", "said", 0, 1), hint("nowhere"), hint("unknown")], areas)
    second = named_parts(1, "M", "M|1", 2, [hint("caption", "denied"), hint("caption", "reported")], areas)
    third = named_parts(2, "M", "M|1", 1, [hint("picture", "lacking", 0), hint("picture", "denied", 1)], areas)
    assert [(p.things, p.absent, p.area) for p in (first, second, third)] == [(2, 1, 0.02), (0, 0, None), (1, 0, 0.02)]
    (row,) = absence_rates([first, second, third])
    assert (row.explanations, row.things, row.absent, row.share) == (2, 3, 1, pytest.approx(1 / 3))
    assert (row.with_absent, row.share_with) == (1, 0.5)
    assert row.ci_low is not None and row.ci_high is not None and row.ci_low <= 1 / 3 <= row.ci_high
    (alone,) = absence_rates([second])
    assert (alone.things, alone.share, alone.ci_low, alone.share_with) == (0, None, None, 0.0)


def test_wrong_sentences_stand_by_the_smallest_region_that_they_name() -> None:
    records = [said(1, 1, "wrong"), said(1, 2, "right"), said(2, 1, "right"), said(2, 2, "wrong")]
    areas = {(1, "M|1", 1): 0.02, (1, "M|1", 2): 0.02, (2, "M|1", 1): 0.5}  # the last one names nothing
    rows = [(row.group, row.count, row.n) for row in evidence_shares(records, areas) if row.by == BY_NAMED_AREA]
    assert rows == [("1 to 5 %", 1, 2), ("20 % and more", 0, 1)]


def test_a_box_is_spread_over_the_cells_that_it_covers() -> None:
    grid = of_box(0.0, 0.0, 0.15, 0.1)  # one and a half cells of the top row
    assert grid[0, :2].tolist() == pytest.approx([2 / 3, 1 / 3]) and grid.sum() == pytest.approx(1)


def test_a_map_lays_errors_over_each_other_and_regions_beside_them() -> None:
    left = masks.encode(np.tile(np.arange(SIZE[1]) < 4, (SIZE[0], 1)))  # the left tenth
    whole = masks.full(SIZE)
    regions = {1: (ImageRegion(left, SIZE, "pole"), ImageRegion(whole, SIZE, "street"))}
    records = [
        said(1, 1, "wrong", place="region", region=0),
        said(1, 2, "wrong", place="box", box="0.9000 0.0000 1.0000 1.0000"),
        said(1, 3, "wrong", place="nowhere"),
        said(2, 1, "right"),
    ]
    (found,) = error_maps(records, lambda item: regions.get(item, ()))
    cells, around = np.array(found.cells), np.array(found.regions)
    assert found.n == 2 and cells.sum() == pytest.approx(1) and around.sum() == pytest.approx(1)
    assert cells[:, 0].tolist() == pytest.approx([0.5 / CELLS] * CELLS) == cells[:, -1].tolist()
    assert cells[:, 1:-1].sum() == 0
    assert around[0].tolist() == pytest.approx([(0.1 + 0.01) / 2, *[0.01 / 2] * 9])
    assert error_maps(records[2:], lambda item: ()) == ()


def test_mean_ratings_stand_beside_the_share_of_wrong_sentences_of_the_same_explanation() -> None:
    class Rating:
        def __init__(self, item: int, rating: int, signature: str = "M|1") -> None:
            self.item, self.rating, self.signature, self.criterion = item, rating, signature, "factuality"

    records = [said(1, 1, "wrong"), said(1, 2, "right"), said(1, 3, "beside"), said(2, 1, "right")]
    ratings = [Rating(1, 2), Rating(1, 3), Rating(1, 0), Rating(2, 4), Rating(2, 4, "N|1"), Rating(3, 1)]
    found = [(one.criterion, one.rating, one.error) for one in wrong_beside_ratings(records, ratings)]  # type: ignore[arg-type]
    assert found == [("factuality", 2.5, 0.5), ("factuality", 4.0, 0.0)]


def test_changes_after_hints_are_shares_of_the_sentences_with_one() -> None:
    records = [
        said(1, 1, "wrong", hint_shown=True, before_hint="right"),
        said(1, 2, "right", hint_shown=True, before_hint="right"),
        said(2, 1, "wrong", hint_shown=True, before_hint="right"),
        said(2, 2, "right", hint_shown=True, before_hint="wrong"),
        said(2, 3, "right"),
    ]
    rows = [(row.what, row.count, row.n) for row in hint_changes(records)]
    assert rows == [(CHANGED, 3, 4), ("right → wrong", 2, 4), ("wrong → right", 1, 4)]
    assert hint_changes(records[-1:]) == ()
