"""Figures that are computed on arrays are the same, to the last digit, as those computed answer by answer."""

from datetime import datetime, timedelta

from hypothesis import given, settings
from hypothesis import strategies as st

from core.studies.results.criterion_agreement import study_agreement
from core.studies.results.export import AnswerFacts, RatingRecord
from core.studies.results.rater_effects import position_effects, rater_summaries
from core.studies.results.rating_columns import columns_of
from core.studies.results.report import RatingRow, rating_distribution
from tests.core.studies import plain_figures as plain

SCALES = {"clear": (1, 2, 3, 4), "short": (1, 2, 3, 4, 5, 6, 7)}
POINTS = {"clear": (0, 1, 2, 3, 4), "short": (1, 2, 3, 4, 5, 6, 7)}
START = datetime(2026, 2, 1, 9)


@st.composite
def studies(draw: st.DrawFn) -> list[RatingRecord]:
    """Draw the ratings of a study: up to three explanations on a page, some questions unanswered."""
    chance, metrics = draw(st.randoms(use_true_random=False)), draw(st.integers(1, 3))
    found = []
    for item in range(draw(st.integers(1, 9))):
        for rater in draw(st.lists(st.sampled_from("ABCD"), min_size=1, max_size=4, unique=True)):
            for metric in range(metrics):
                for criterion, points in POINTS.items():
                    if chance.random() < 0.9:
                        facts = AnswerFacts(picture_shown=True)
                        told = ("s", "side_by_side", item + 1, "all", f"key{9 - item}", "a.png", "A dog.", 0.5)
                        told += (f"M{metric}", f"M{metric}|1", 0.5, rater, criterion, chance.choice(points), metric + 1)
                        times = (START, START + timedelta(hours=item), chance.randint(0, 99_999), None, False)
                        found.append(RatingRecord(*told, *times, facts, ""))
    return found


def as_rows(records: list[RatingRecord]) -> list[RatingRow]:
    return [RatingRow(one.sample, one.metric, one.rater, one.criterion, one.rating) for one in records]


@settings(max_examples=40)
@given(studies())
def test_what_each_rater_did_is_the_same_as_answer_by_answer(records: list[RatingRecord]) -> None:
    assert rater_summaries(columns_of(records), SCALES) == plain.rater_summaries(records, SCALES)


@settings(max_examples=40)
@given(studies())
def test_effects_of_places_are_the_same_as_answer_by_answer(records: list[RatingRecord]) -> None:
    assert position_effects(columns_of(records), SCALES) == plain.position_effects(records, SCALES)


@settings(max_examples=40)
@given(studies())
def test_shares_of_points_are_the_same_as_answer_by_answer(records: list[RatingRecord]) -> None:
    assert rating_distribution(as_rows(records), POINTS) == plain.rating_distribution(as_rows(records), POINTS)


@settings(max_examples=15)
@given(studies())
def test_agreement_is_the_same_as_answer_by_answer(records: list[RatingRecord]) -> None:
    found, expected = study_agreement(as_rows(records), SCALES, 50), plain.study_agreement(as_rows(records), SCALES, 50)
    assert repr(found) == repr(expected)
