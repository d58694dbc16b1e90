import numpy as np
import pytest

from core.analysis.caption_facts import CaptionFacts
from core.analysis.slices import Range, SampleColumns, Slice, select, slice_of
from core.errors import BadSetting

NAN = float("nan")
COLUMNS = SampleColumns(
    captions=CaptionFacts(("Two dogs run", "A red car in front of a house", "it is a man", "no")),
    human=np.array([0.0, 0.5, 1.0, NAN]),
    levels=np.array([1.0, 2.0, 4.0, NAN]),
    scores={"FLEUR": np.array([0.1, 0.33, 0.66, 0.9])},
    ratings={"factuality": np.array([4.0, 2.0, NAN, 1.0])},
    codes=(("others",), (), ("others", "grammar"), ()),
)


def chosen(**conditions: object) -> list[int]:
    return np.flatnonzero(select(Slice("s", **conditions), COLUMNS)).tolist()  # type: ignore[arg-type]


def test_a_range_includes_both_of_its_ends() -> None:
    parts = [Range(0, 0.33), Range(0.33, 0.66), Range(0.66)]
    assert [chosen(metric="FLEUR", score=part) for part in parts] == [[0, 1], [1, 2], [2, 3]]


def test_an_unknown_metric_criterion_or_code_selects_nothing() -> None:
    assert chosen(metric="EXPERT", score=Range()) == []
    assert chosen(criterion="fluency", rating=Range()) == []
    empty = SampleColumns(CaptionFacts(("a",)), np.array([1.0]), np.array([1.0]))
    assert not select(Slice("s", code="others"), empty).any()


@pytest.mark.parametrize(
    ("conditions", "message"),
    [
        ({"score": Range(0, 1)}, "also needs a metric"),
        ({"criterion": "factuality"}, "both a criterion and a rating"),
        ({"phrase": "verb"}, "kind of phrase must be"),
    ],
)
def test_a_half_said_slice_is_refused(conditions: dict[str, object], message: str) -> None:
    with pytest.raises(BadSetting, match=message):
        Slice("s", **conditions)  # type: ignore[arg-type]


def test_an_empty_range_and_a_blank_name_are_refused() -> None:
    with pytest.raises(BadSetting, match="low end of a range must not be above"):
        Range(2, 1)
    with pytest.raises(BadSetting, match="name"):
        Slice(" ")


@pytest.mark.parametrize(
    "content",
    [
        [],
        {},
        {"name": "s", "where": "1=1"},
        {"name": 3},
        {"name": "s", "words": [1, 2]},
        {"name": "s", "words": {"low": "1"}},
        {"name": "s", "words": {"low": True}},
        {"name": "s", "words": {"least": 1}},
        {"name": "s", "level": "4"},
        {"name": "s", "level": NAN},
    ],
)
def test_anything_that_is_not_on_the_list_is_refused(content: object) -> None:
    with pytest.raises(BadSetting):
        slice_of(content)
