"""Figures that are computed on arrays are the same, to the last digit, as those computed answer by answer."""

from dataclasses import asdict
from types import SimpleNamespace
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from core.studies.results.raters import rater_summaries
from core.studies.results.report import study_agreement
from tests.core.studies import plain_figures as plain
from tests.core.studies.frames import RatingRow, answer, rows_table, table

SCALES = {"clear": (1, 2, 3, 4), "short": (1, 2, 3, 4, 5, 6, 7)}
POINTS = {"clear": (0, 1, 2, 3, 4), "short": (1, 2, 3, 4, 5, 6, 7)}


@st.composite
def studies(draw: st.DrawFn) -> list[dict[str, Any]]:
    """Draw the ratings of a study: up to three explanations on a page, some questions unanswered."""
    chance, metrics = draw(st.randoms(use_true_random=False)), draw(st.integers(1, 3))
    found = []
    for item in range(draw(st.integers(1, 9))):
        for rater in draw(st.lists(st.sampled_from("ABCD"), min_size=1, max_size=4, unique=True)):
            for metric in range(metrics):
                for criterion, points in POINTS.items():
                    if chance.random() < 0.9:
                        own = {
                            "criterion": criterion,
                            "duration_ms": chance.randint(0, 99_999),
                            "sample": f"key{9 - item}",
                        }
                        found.append(answer(rater, item + 1, chance.choice(points), f"M{metric}", metric + 1, **own))
    return found


def as_rows(records: list[dict[str, Any]]) -> list[RatingRow]:
    return [RatingRow(one["sample"], one["metric"], one["rater"], one["criterion"], one["rating"]) for one in records]


def plainly(records: list[dict[str, Any]]) -> list[Any]:
    return [SimpleNamespace(**one) for one in records]


@settings(max_examples=40)
@given(studies())
def test_what_each_rater_did_is_the_same_as_answer_by_answer(records: list[dict[str, Any]]) -> None:
    found = [asdict(one) for one in rater_summaries(table(records), SCALES)]
    expected = plain.rater_summaries(plainly(records), SCALES)
    assert [{name: one[name] for name in other} for one, other in zip(found, expected, strict=True)] == list(expected)


@settings(max_examples=15)
@given(studies())
def test_agreement_is_the_same_as_answer_by_answer(records: list[dict[str, Any]]) -> None:
    rows = as_rows(records)
    found, expected = study_agreement(rows_table(rows), SCALES, 50), plain.study_agreement(rows, SCALES, 50)
    assert repr(found) == repr(expected)
