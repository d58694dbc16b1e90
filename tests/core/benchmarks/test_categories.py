import numpy as np
import pytest
import scipy

from core.analysis.caption_facts import CaptionFacts
from core.analysis.score_table import MetricColumn, ScoreTable
from core.benchmarks.categories import MANY, categories, figures_within
from core.benchmarks.columns import judged_column, with_scores
from core.datasets.benchmark import Benchmark

NAN = float("nan")
M = "M"
CAPTIONS = [
    "a red dog",
    "two dogs run",
    "one two three four five six seven",
    "a dog",
    "a b c d e f g h i j k l m n o p q",
]
HUMAN = [0.0, 0.5, 1.0, 0.5, NAN]
SCORES = [0.5, 1.0, 2.0, NAN, 1.0]  # on a scale from 0 to 2


def table() -> ScoreTable:
    column = MetricColumn("M", "M", "M", (0.0, 2.0), np.array(SCORES), np.full(5, NAN))
    levels, ids = np.array([1.0, 2, 4, 2, NAN]), np.arange(5)
    return ScoreTable(ids, ["k"] * 5, CAPTIONS, np.array(HUMAN), levels, {"M": column}, np.array([0, 0, 1, 1, 1]))


def found(within: list[bool] | None = None) -> dict[tuple[str, str], list[int]]:
    codes = [("others",), (), ("grammar", "others"), (), ()]
    every = categories(table(), CaptionFacts(CAPTIONS), codes, None if within is None else np.array(within))
    return {(one.facet, one.name): np.flatnonzero(one.mask).tolist() for one in every}


def test_samples_are_cut_by_level_length_words_and_code() -> None:
    assert found() == {
        ("human level", "1"): [0],
        ("human level", "2"): [1, 3],
        ("human level", "4"): [2],
        ("caption length", "1–6 words"): [0, 1, 3],
        ("caption length", "7–9 words"): [2],
        ("caption length", "17 or more words"): [4],
        ("kind of words", "number"): [1, 2],
        ("kind of words", "colour"): [0],
        ("kind of words", "none of these"): [3, 4],
        ("error code", "grammar"): [2],
        ("error code", "others"): [0, 2],
    }
    assert found([True, False, False, False, False]).keys() == {
        ("human level", "1"),
        ("caption length", "1–6 words"),
        ("kind of words", "colour"),
        ("error code", "others"),
    }


def test_figures_within_a_category_by_hand() -> None:
    judged = judged_column(range(5), list("aabbb"), [*HUMAN[:4], None], [(1, 1), (2, 3), (4,), (2,), ()], [None] * 5)
    column = with_scores(judged, table())["M"]
    [short] = [one for one in categories(table(), CaptionFacts(CAPTIONS), [()] * 5) if one.name == "1–6 words"]
    row = figures_within(short, table(), M, column, Benchmark("b", "c", per_judgement=True))
    # two samples have both: scores 0.25 and 0.5, judgements 0 and 0.5
    assert (row.n, row.human, row.score, row.offset, row.mean_error) == (2, 0.25, 0.375, 0.125, 0.125)
    assert (
        row.interval is row.interval_b is None and row.note == "no interval, because all observations are of one image"
    )
    tau = scipy.stats.kendalltau([0.5, 0.5, 1, 1], [1, 1, 2, 3]).statistic
    assert row.tau_b == pytest.approx(tau)
    [level] = [one for one in categories(table(), CaptionFacts(CAPTIONS), [()] * 5) if one.name == "4"]
    alone = figures_within(level, table(), M, column, Benchmark("b", "c", per_judgement=False))
    assert (alone.n, alone.tau_b, alone.note) == (1, None, "fewer than two scored judgements")
    assert (
        figures_within(short, table(), M, column, None).note
        == "no tau, because the benchmark compares pairs of captions"
    )
    [unjudged] = [one for one in categories(table(), CaptionFacts(CAPTIONS), [()] * 5) if one.name.startswith("17")]
    assert figures_within(unjudged, table(), M, column, None).n == 0


def test_a_category_of_very_many_judgements_has_taus_and_says_why_they_have_no_interval(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    judged = judged_column(range(5), list("abbcd"), [*HUMAN[:4], None], [(1, 1), (2, 3), (4,), (2,), ()], [None] * 5)
    column = with_scores(judged, table())["M"]
    [short] = [one for one in categories(table(), CaptionFacts(CAPTIONS), [()] * 5) if one.name == "1–6 words"]
    monkeypatch.setattr("core.benchmarks.categories.MOST_DRAWN", 3)
    row = figures_within(short, table(), M, column, Benchmark("b", "c", per_judgement=True))
    assert row.tau_b is not None and row.interval_b is None and row.note == MANY


def test_the_taus_of_a_category_of_thousands_of_images_have_intervals(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("core.benchmarks.categories.MOST_DRAWN", 3)
    size = 6_000
    human = np.arange(size) % 11 / 10
    score = human + np.random.default_rng(4).random(size)
    column = MetricColumn("M", "M", "M", (0.0, 2.0), score, np.full(size, NAN))
    keys, captions = [str(one) for one in range(size)], ["a dog"] * size
    large = ScoreTable(np.arange(size), keys, captions, human, human, {"M": column}, np.arange(size))
    judged = with_scores(judged_column(range(size), keys, human, [()] * size, [None] * size), large)["M"]
    [short] = [one for one in categories(large, CaptionFacts(captions), [()] * size) if one.name == "1–6 words"]
    row = figures_within(short, large, M, judged, Benchmark("b", "c", per_judgement=False))
    for tau, interval in ((row.tau_b, row.interval_b), (row.tau_c, row.interval_c)):
        assert tau is not None and interval is not None and interval.low < tau < interval.high
    assert row.note == ""
