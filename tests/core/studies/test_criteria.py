import pytest

from core.errors import BadSetting, InvalidRating, NotFound
from core.studies.asking.criteria import ABSTAIN, NO_PICTURE, Criterion, Guideline, check_point, criterion_named
from core.studies.asking.form_file import form_named
from core.studies.design import StudyDesign

EXPERTS = CONSISTENCY, FACTUALITY, INFORMATIVENESS = form_named("expert-single").criteria


def on_points(*points: int) -> Criterion:
    return Criterion("clarity", "Clarity", "How clear is it?", tuple(Guideline(n, f"Point {n}.") for n in points))


def test_experts_protocol_asks_its_three_criteria_in_both_forms_and_unless_somebody_chooses() -> None:
    assert [criterion.key for criterion in EXPERTS] == ["consistency", "factuality", "informativeness"]
    assert StudyDesign("a study", "birds", seed=1).asked() == form_named("expert-single")
    assert form_named("expert-side-by-side").criteria == EXPERTS


def test_every_question_that_needs_the_picture_takes_no_picture_where_it_is_missing_and_only_there() -> None:
    assert [criterion.bounds for criterion in EXPERTS] == [(1, 4), (-1, 4), (-1, 4)]
    for criterion in (FACTUALITY, INFORMATIVENESS):
        assert check_point(criterion, NO_PICTURE, has_image=False) == NO_PICTURE
        with pytest.raises(InvalidRating):
            check_point(criterion, NO_PICTURE, has_image=True)
    with pytest.raises(InvalidRating):
        check_point(CONSISTENCY, NO_PICTURE, has_image=False)


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


def test_a_criterion_is_found_by_its_key_and_an_unknown_one_names_those_there_are() -> None:
    assert criterion_named("factuality", EXPERTS) is FACTUALITY
    with pytest.raises(NotFound, match="'beauty'. Criteria: consistency, factuality, informativeness"):
        criterion_named("beauty", EXPERTS)
