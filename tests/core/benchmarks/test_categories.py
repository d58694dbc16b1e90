import numpy as np
import pytest
import scipy

from core.analysis.caption_facts import CaptionFacts
from core.analysis.score_table import MetricColumn, ScoreTable
from core.benchmarks.categories import categories, figures_within
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
    assert row.interval is row.taus.interval_b is None and "of one image" in row.taus.note
    tau = scipy.stats.kendalltau([0.5, 0.5, 1, 1], [1, 1, 2, 3]).statistic
    assert row.taus.tau_b == pytest.approx(tau)
    [level] = [one for one in categories(table(), CaptionFacts(CAPTIONS), [()] * 5) if one.name == "4"]
    alone = figures_within(level, table(), M, column, Benchmark("b", "c", per_judgement=False))
    assert (alone.n, alone.taus.tau_b) == (1, None) and "fewer than two" in alone.taus.note
    assert figures_within(short, table(), M, column, None).taus is None
    [unjudged] = [one for one in categories(table(), CaptionFacts(CAPTIONS), [()] * 5) if one.name.startswith("17")]
    assert figures_within(unjudged, table(), M, column, None) is None
