from decimal import Decimal

import numpy as np
import pytest

from core.errors import BadSetting, InvalidRating, NotFound
from core.studies.asking.criteria import ABSTAIN, NO_PICTURE, Criterion, Guideline, check_point, criterion_named
from core.studies.asking.form_file import form_named, shipped_forms
from core.studies.design import StudyDesign

EXPERTS = CONSISTENCY, FACTUALITY, INFORMATIVENESS = form_named("expert-single").criteria
CRITERIA = [criterion for form in shipped_forms() for criterion in form.criteria]
experts = pytest.mark.parametrize("criterion", EXPERTS, ids=lambda criterion: criterion.key)


def on_points(*points: int) -> Criterion:
    return Criterion("clarity", "Clarity", "How clear is it?", tuple(Guideline(n, f"Point {n}.") for n in points))


@experts
@pytest.mark.parametrize("point", [1, 2, 3, 4])
def test_one_to_four_is_a_rating_of_experts_criteria(criterion, point) -> None:
    assert check_point(criterion, point) == point


def test_experts_protocol_asks_its_three_criteria_in_both_forms_and_unless_somebody_chooses() -> None:
    assert [criterion.key for criterion in EXPERTS] == ["consistency", "factuality", "informativeness"]
    assert StudyDesign("a study", "birds", seed=1).asked() == form_named("expert-single")
    assert form_named("expert-side-by-side").criteria == EXPERTS


@experts
@pytest.mark.parametrize(
    "point", [True, False, 2.0, None, "2", 2.5, -1, 5, float("nan"), Decimal(2), np.int64(2), [2], b"2", 2 + 0j]
)
def test_anything_but_a_whole_number_among_the_points_is_refused(criterion, point) -> None:
    with pytest.raises(InvalidRating, match=rf"^{criterion.name}: the rating must be one of 1, 2, 3, 4"):
        check_point(criterion, point)


def test_zero_is_taken_only_where_there_is_an_abstain_option() -> None:
    assert [criterion.key for criterion in EXPERTS if ABSTAIN in criterion.points] == ["informativeness"]
    assert check_point(INFORMATIVENESS, ABSTAIN) == 0
    for criterion in (CONSISTENCY, FACTUALITY):
        with pytest.raises(InvalidRating, match="found 0"):
            check_point(criterion, 0)


@experts
def test_experts_criteria_have_four_points_whose_lower_half_ends_at_two(criterion) -> None:
    assert criterion.scale == (1, 2, 3, 4)
    assert (criterion.scale_name, criterion.low) == ("1–4", 2)


@pytest.mark.parametrize("criterion", CRITERIA, ids=lambda criterion: criterion.key)
def test_every_point_has_a_guideline_that_is_a_sentence(criterion) -> None:
    assert criterion.points in (criterion.scale, (*criterion.scale, ABSTAIN))
    assert all(guideline.text.endswith(".") for guideline in criterion.guidelines)


@pytest.mark.parametrize("criterion", CRITERIA, ids=lambda criterion: criterion.key)
def test_the_short_words_of_a_point_are_the_guidelines_own(criterion) -> None:
    guidelines = [*criterion.guidelines, *filter(None, [criterion.unseen])]
    assert all(guideline.short and guideline.short in guideline.text for guideline in guidelines)
    assert len({guideline.short for guideline in guidelines}) == len(guidelines)


def test_every_question_that_needs_the_picture_takes_no_picture_where_it_is_missing_and_only_there() -> None:
    assert [criterion.bounds for criterion in EXPERTS] == [(1, 4), (-1, 4), (-1, 4)]
    for criterion in (FACTUALITY, INFORMATIVENESS):
        assert check_point(criterion, NO_PICTURE, has_image=False) == NO_PICTURE
        with pytest.raises(InvalidRating):
            check_point(criterion, NO_PICTURE, has_image=True)
    with pytest.raises(InvalidRating):
        check_point(CONSISTENCY, NO_PICTURE, has_image=False)


def test_no_picture_is_another_answer_than_abstaining() -> None:
    assert check_point(INFORMATIVENESS, ABSTAIN, has_image=False) == ABSTAIN != NO_PICTURE
    assert INFORMATIVENESS.mirrored(NO_PICTURE) == NO_PICTURE


def test_a_nought_that_an_older_page_sends_for_a_missing_picture_is_kept_as_no_picture() -> None:
    assert check_point(FACTUALITY, ABSTAIN, has_image=False) == NO_PICTURE
    for criterion, has_image in ((FACTUALITY, True), (CONSISTENCY, False)):
        with pytest.raises(InvalidRating):
            check_point(criterion, ABSTAIN, has_image)


def test_a_missing_picture_has_no_point_that_means_something_else_already() -> None:
    both = tuple(Guideline(point, f"Point {point}.") for point in (1, 2, ABSTAIN))
    for guidelines, point in ((both, ABSTAIN), (both[:2], 3)):
        with pytest.raises(BadSetting, match="missing picture"):
            Criterion("clarity", "Clarity", "How?", guidelines, unseen=Guideline(point, "No picture."))


@pytest.mark.parametrize(("points", "low"), [(2, 1), (3, 1), (5, 2), (7, 3), (10, 5)])
def test_a_scale_may_have_two_to_ten_points_with_abstention_or_without(points: int, low: int) -> None:
    scale = tuple(range(1, points + 1))
    for criterion in (on_points(*scale), on_points(*scale, ABSTAIN)):
        assert (criterion.scale, criterion.low) == (scale, low)
        assert [check_point(criterion, point) for point in criterion.points] == list(criterion.points)
        with pytest.raises(InvalidRating):
            check_point(criterion, points + 1)


@pytest.mark.parametrize("points", [(), (1,), (1, 0), (2, 3), (1, 3), (2, 1), (0, 1, 2), (1, 2, 0, 0), range(1, 12)])
def test_points_that_are_no_scale_are_refused(points) -> None:
    with pytest.raises(BadSetting, match="The criterion 'clarity' (needs|must)"):
        on_points(*points)


def test_only_consistency_is_judged_without_the_picture() -> None:
    assert [criterion.key for criterion in EXPERTS if criterion.without_image] == ["consistency"]
    assert "without referencing the image" in CONSISTENCY.question


def test_a_criterion_is_found_by_its_key_and_an_unknown_one_names_those_there_are() -> None:
    assert criterion_named("factuality", EXPERTS) is FACTUALITY
    with pytest.raises(NotFound, match="'beauty'. Criteria: consistency, factuality, informativeness"):
        criterion_named("beauty", EXPERTS)


def test_a_comparisons_point_mirrored_twice_is_the_same_and_abstaining_stays() -> None:
    criterion = on_points(1, 2, 3, ABSTAIN)
    assert [criterion.mirrored(point) for point in (1, 2, 3, ABSTAIN)] == [3, 2, 1, ABSTAIN]
