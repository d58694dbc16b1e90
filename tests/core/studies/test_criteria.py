from decimal import Decimal

import numpy as np
import pytest

from core.errors import InvalidRating, NotFound
from core.studies.criteria import (
    ABSTAIN,
    CONSISTENCY,
    CRITERIA,
    FACTUALITY,
    INFORMATIVENESS,
    check_point,
    criterion_named,
)


@pytest.mark.parametrize("criterion", CRITERIA, ids=lambda criterion: criterion.key)
@pytest.mark.parametrize("point", [1, 2, 3, 4])
def test_one_to_four_is_a_rating_of_every_criterion(criterion, point) -> None:
    assert check_point(criterion, point) == point


@pytest.mark.parametrize("criterion", CRITERIA, ids=lambda criterion: criterion.key)
@pytest.mark.parametrize(
    "point", [True, False, 2.0, None, "2", 2.5, -1, 5, float("nan"), Decimal(2), np.int64(2), [2], b"2", 2 + 0j]
)
def test_anything_but_a_whole_number_among_the_points_is_refused(criterion, point) -> None:
    with pytest.raises(InvalidRating, match=rf"^{criterion.name}: expected one of the whole numbers 1, 2, 3, 4"):
        check_point(criterion, point)


def test_zero_is_taken_only_where_there_is_an_abstain_option() -> None:
    assert [criterion.key for criterion in CRITERIA if criterion.allows_abstain] == ["informativeness"]
    assert check_point(INFORMATIVENESS, ABSTAIN) == 0
    for criterion in (CONSISTENCY, FACTUALITY):
        with pytest.raises(InvalidRating, match="found 0"):
            check_point(criterion, 0)


@pytest.mark.parametrize("criterion", CRITERIA, ids=lambda criterion: criterion.key)
def test_every_point_has_a_guideline_in_ascending_order_with_abstention_last(criterion) -> None:
    points = [guideline.point for guideline in criterion.guidelines]
    assert points[:4] == [1, 2, 3, 4]
    assert points[4:] == ([0] if criterion.allows_abstain else [])
    assert (criterion.lowest, criterion.highest) == (min(points), 4)
    assert all(guideline.text.endswith(".") for guideline in criterion.guidelines)


def test_only_consistency_is_judged_without_the_picture() -> None:
    assert [criterion.key for criterion in CRITERIA if criterion.without_image] == ["consistency"]
    assert "without referencing the image" in CONSISTENCY.question


def test_a_criterion_is_found_by_its_key_and_an_unknown_one_names_those_there_are() -> None:
    assert criterion_named("factuality") is FACTUALITY
    with pytest.raises(NotFound, match="'beauty'; there are consistency, factuality, informativeness"):
        criterion_named("beauty")
