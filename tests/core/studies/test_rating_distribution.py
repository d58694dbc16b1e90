from core.studies.results.report import rating_distribution as distribution
from tests.core.studies.frames import RatingRow, rows_table


def rating_distribution(rows, points):
    return distribution(rows_table(rows), points)


def test_every_point_is_counted_unused_ones_too_and_abstentions_are_a_share() -> None:
    rows = [RatingRow(n, "A", "r", "c", point) for n, point in enumerate([4, 4, 0, 2])]
    found = rating_distribution(rows, {"c": [0, 1, 2, 3, 4]})
    assert [(one.point, one.count, one.share) for one in found] == [
        (0, 1, 0.25), (1, 0, 0.0), (2, 1, 0.25), (3, 0, 0.0), (4, 2, 0.5),
    ]  # fmt: skip


def test_metrics_and_criteria_stay_in_order_of_first_appearance() -> None:
    rows = [RatingRow(1, metric, "r", criterion, 5) for metric, criterion in (("B", "x"), ("A", "x"), ("B", "y"))]
    assert [(one.metric, one.criterion, one.point) for one in rating_distribution(rows, {})] == [
        ("B", "x", 5), ("A", "x", 5), ("B", "y", 5),
    ]  # fmt: skip
