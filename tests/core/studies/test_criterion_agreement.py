import json
from dataclasses import asdict

from core.statistics.rater_agreement import agreement
from core.studies.results.report import study_agreement as agreement_of
from tests.core.studies.frames import RatingRow, rows_table


def study_agreement(ratings, *more, **named):
    return agreement_of(rows_table(ratings), *more, **named)


FOUR = {"factuality": (1, 2, 3, 4)}


def rated(metric: str, item: int, *points: int) -> list[RatingRow]:
    return [RatingRow(item, metric, f"r{k}", "factuality", point) for k, point in enumerate(points)]


def test_the_same_item_under_two_metrics_is_two_units() -> None:
    ratings = rated("A", 1, 4, 4) + rated("B", 1, 1, 1) + rated("A", 2, 3, 2) + rated("B", 2, 2, 2)
    together, a, b = study_agreement(ratings, FOUR, draws=20)
    assert [(x.metric, x.agreement.units) for x in (together, a, b)] == [(None, 4), ("A", 2), ("B", 2)]
    expected = agreement([0, 0, 1, 1], ["r0", "r1"] * 2, [4, 4, 3, 2], scale=(1, 2, 3, 4), draws=20)
    assert a.agreement == expected


def test_unused_points_of_the_scale_count_for_gwets_coefficients() -> None:
    ratings = rated("A", 1, 4, 4) + rated("A", 2, 3, 4)
    (scaled,) = study_agreement(ratings, FOUR, draws=5)
    (observed,) = study_agreement(ratings, {}, draws=5)
    values = [{c.name: c.value for c in x.agreement.coefficients}["AC1"] for x in (scaled, observed)]
    assert values[0] > values[1]


def test_nothing_rated_gives_nothing_and_json_never_holds_nan() -> None:
    assert study_agreement([], FOUR) == ()
    (found,) = study_agreement(rated("A", 1, 4), FOUR)
    assert json.loads(json.dumps(asdict(found), allow_nan=False))["criterion"] == "factuality"
