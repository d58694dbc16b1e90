from pathlib import Path
from typing import Any

import pytest

from core.analysis.score_table import ScoreTable
from core.benchmarks.figures import correlated, rule_of
from core.benchmarks.matching import join
from core.datasets.base import Record
from core.errors import BadData
from core.types import EvaluationError, Pair, Score

CAPTIONS = ("a dog runs", "a cat sits", "two men play", "a red car")


def score(value: float, raw: float | None = None, metric: str = "M", signature: str = "") -> Score:
    return Score(metric, value, signature or metric, components={} if raw is None else {"raw": raw})


def record(image: str, caption: str, *scores: Score | EvaluationError, pair: Pair | None = None, **judged) -> Record:  # type: ignore[no-untyped-def]
    return Record(Path("f"), 1, image, caption, scores=scores, pair=pair, **judged)


def joined_columns(judgements: list[Record], *files: list[Record]) -> ScoreTable:
    return join(judgements, *files).table


def figures_of(name: str, table: ScoreTable) -> Any:
    found = correlated(name, table, tuple(table.metrics))
    return found.taus, list(found.accuracies)


def values(joined: Any) -> list[float]:
    return list(joined.table.metric("M").value)


def judged(*humans: float) -> list[Record]:
    return [record(f"{i}.jpg", CAPTIONS[i], human=h, judgements=(h, h)) for i, h in enumerate(humans)]


def test_scores_find_their_judgements_by_picture_and_caption_in_any_order() -> None:
    scored = [record("x/2.png", "two  men play", score(0.3)), record("0.jpg", "a dog runs", score(0.1))]
    joined = join(judged(1, 2, 3), scored)
    assert (joined.table["human"].tolist(), values(joined)) == ([1, 3], [0.1, 0.3])
    assert (joined.without_score, joined.without_judgement) == (1, 0)


def test_a_missing_score_does_not_shift_the_ones_after_it() -> None:
    scored = [record(f"{i}.jpg", CAPTIONS[i], score(i / 10)) for i in (0, 2, 3)]
    assert values(join(judged(1, 2, 3, 4), scored)) == [0.0, 0.2, 0.3]


def test_samples_alike_take_their_scores_in_order_and_share_the_last() -> None:
    alike = [record("0.jpg", "a dog runs", human=h) for h in (0.1, 0.5, 0.9)]
    scored = [record("0.jpg", "a dog runs", score(v)) for v in (0.3, 0.4)]
    assert values(join(alike, scored)) == [0.3, 0.4, 0.4]


def test_a_score_that_could_not_be_made_is_counted_and_never_a_number() -> None:
    error = EvaluationError("M", "M", "no_score", "no number in the answer")
    joined = join(judged(1, 2), [record("0.jpg", "a dog runs", error), record("1.jpg", "a cat sits", score(0.2))])
    assert (len(joined.table), joined.errors) == (1, 1)


def test_every_metric_and_variant_has_a_figure_and_raw_only_where_there_is_a_raw_score() -> None:
    scored = [
        record(f"{i}.jpg", CAPTIONS[i], score(i / 10, raw=round(i / 20, 1)), score(1 - i / 10, metric="CLIPScore"))
        for i in range(4)
    ]
    taus, accuracies = figures_of("flickr8k-expert", joined_columns(judged(1, 2, 3, 4), scored))
    found = {one: (row.n, row.tau("b")) for one, row in taus.items()}
    assert set(found) == {("M", "smoothed"), ("M", "raw"), ("CLIPScore", "")}
    assert found["M", "smoothed"][0] == 8
    assert found["CLIPScore", ""][1] == pytest.approx(-(found["M", "smoothed"][1] or 0))
    assert accuracies == []


def test_a_metric_with_two_settings_is_named_by_its_signatures() -> None:
    scored = [
        record(f"{i}.jpg", CAPTIONS[i], score(i / 10, signature="M|a"), score(i / 9, signature="M|b")) for i in range(3)
    ]
    taus, _ = figures_of("composite", joined_columns(judged(1, 2, 3), scored))
    assert [metric for metric, _ in taus] == ["M|a", "M|b"]


def pairs(preferred: int | None, first: float, second: float, key: str = "HC#1") -> list[Record]:
    return [
        record("0.jpg", caption, score(value, raw=0.5), pair=Pair(key, position, preferred, "HC"))
        for position, (caption, value) in enumerate((("a dog", first), ("a cat", second)))
    ]


def test_pairs_are_counted_a_category_with_the_label_of_the_scores_file() -> None:
    scored = pairs(0, 0.9, 0.1, "HC#1") + pairs(1, 0.9, 0.1, "HC#2")
    taus, rows = figures_of("pascal50s", joined_columns([], scored))
    assert taus == {}
    assert [(r.category, r.variant, r.n, r.accuracy, r.ties) for r in rows] == [
        ("HC", "smoothed", 2, 0.5, 0),
        ("HC", "raw", 2, 0.0, 2),
    ]


def test_a_pair_takes_its_label_from_its_scores_or_else_from_the_judgements() -> None:
    labels = [record("0.jpg", c, pair=Pair("HC#1", i, 1, "HC")) for i, c in enumerate(("a dog", "a cat"))]
    for preferred, accuracy in ((0, 1.0), (None, 0.0)):
        _, (row, _) = figures_of("pascal50s", joined_columns(labels, pairs(preferred, 0.9, 0.1)))
        assert (row.n, row.accuracy) == (1, accuracy)
    _, (alone, _) = figures_of("pascal50s", joined_columns([], pairs(0, 0.9, 0.1)[:1]))
    assert (alone.n, alone.accuracy) == (0, None)  # a pair with one score is no pair


def test_a_mean_stands_beneath_the_whole_categories_of_a_benchmark_only() -> None:
    def of(*categories: str) -> list[Record]:
        return [
            record("0.jpg", f"{category} {n}", score(0.9 - n), pair=Pair(f"{category}#1", n, 0, category))
            for category in categories
            for n in (0, 1)
        ]

    _, every = figures_of("pascal50s", joined_columns([], of("HC", "HI", "HM", "MM")))
    assert [(row.category, row.n) for row in every][3:] == [("MM", 1), ("mean", 4)]
    for some in (("HC", "HI", "HM"), ("HC", "HI", "HM", "MM", "XX")):
        assert "mean" not in {row.category for row in figures_of("pascal50s", joined_columns([], of(*some)))[1]}


def test_captions_of_own_data_count_once_with_their_mean() -> None:
    single = joined_columns([], [record("0.jpg", "a", score(0.1), human=0.5, judgements=(1, 2))])
    rule = rule_of("mine", single)
    assert rule is not None and not rule.per_judgement
    assert rule_of("mine", joined_columns([], pairs(0, 1, 0))) is None


def test_metrics_are_compared_on_the_samples_that_both_scored() -> None:
    scored = [
        record(f"{i}.jpg", CAPTIONS[i], score(i / 10), *([score(1 - i / 10, metric="N")] if i else []))
        for i in range(4)
    ]
    differences = correlated("flickr8k-expert", joined_columns(judged(1, 2, 3, 4), scored), ("M", "N")).differences
    assert [found.quantity for found in differences] == ["tau_b", "tau_c"]
    for found in differences:
        assert (found.first, found.second, found.n) == (("M", ""), ("N", ""), 6)
        assert found.difference == pytest.approx(2)  # one in the people's order, one in the reverse


def test_the_same_file_twice_counts_once_and_a_contradiction_is_refused() -> None:
    file = [record("0.jpg", "a dog runs", score(0.1))]
    assert len(join(judged(1), file, file).table) == 1
    with pytest.raises(BadData, match=r"0\.1 and 0\.2"):
        join(judged(1), file, [record("0.jpg", "a dog runs", score(0.2))])


def test_the_same_caption_in_two_categories_is_two_pairs() -> None:
    other = [
        record("0.jpg", caption, score(value), pair=Pair("MM#1", position, 0, "MM"))
        for position, (caption, value) in enumerate((("a dog", 0.9), ("a bird", 0.1)))
    ]
    _, rows = figures_of("pascal50s", joined_columns([], pairs(0, 0.9, 0.1), other))
    assert {(row.category, row.n) for row in rows} == {("HC", 1), ("MM", 1)}


def test_captions_whose_judgements_the_rule_cannot_count_are_told_and_not_dropped() -> None:
    some = judged(1, 2, 3)
    some[1] = record("1.jpg", CAPTIONS[1], judgements=(2, 3))  # no scale is known, so it has no mean
    scored = [record(f"{i}.jpg", CAPTIONS[i], score(i / 10)) for i in range(3)]
    (row,) = figures_of("mine", joined_columns(some, scored))[0].values()
    assert row.tau("c") is None and row.note.startswith("1 judged captions have only single judgements")
