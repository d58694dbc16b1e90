from pathlib import Path
from typing import Any

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from core.analysis.score_table import MetricColumn, ScoreTable
from core.benchmarks.columns import JudgedColumn, by_metric, judged_column, with_scores
from core.benchmarks.figures import observed, shared
from core.benchmarks.matching import join
from core.benchmarks.pairwise import accuracies
from core.datasets import Benchmark, benchmark_named
from core.datasets.base import Record
from core.types import Pair, Score

EXPERT, CF = benchmark_named("flickr8k-expert"), benchmark_named("flickr8k-cf")
NAN = float("nan")
Sample = tuple[str, float | None, tuple[float, ...], float | None]  # image, mean judgement, judgements, score


def column(*samples: Sample, ids: list[int] | None = None) -> JudgedColumn:
    images, human, judgements, scores = zip(*samples, strict=True) if samples else ((), (), (), ())
    table = _table({"M": np.array(scores, dtype=float)}, ids or list(range(len(samples))))
    return with_scores(judged_column(table.ids, images, human, judgements, [None] * len(samples)), table)["M"]


def _table(scores: dict[str, Any], ids: list[int]) -> ScoreTable:
    size = len(ids)
    metrics = {
        name: MetricColumn(name, name, name, (0, 1), value, np.full(size, np.nan)) for name, value in scores.items()
    }
    empty = np.full(size, np.nan)
    numbers = np.array(ids, dtype=np.int64)
    return ScoreTable(numbers, ["k"] * size, ["c"] * size, empty, empty, metrics, numbers)


def naive(samples: list[Sample], per_judgement: bool) -> list[tuple[float, float, str]]:
    """Return (score, judgement, image) of every observation, sample by sample."""
    found = []
    for image, human, judgements, score in samples:
        said = judgements if per_judgement else () if human is None else (human,)
        found += [(score, one, image) for one in said if score is not None and not np.isnan(one)]
    return found


POINT = st.sampled_from([0.0, 0.25, 0.5, 1.0])
SAMPLES = st.lists(
    st.tuples(
        st.sampled_from("abc"),
        st.none() | POINT,
        st.lists(POINT | st.just(NAN), max_size=3).map(tuple),
        st.none() | POINT,
    ),
    max_size=8,
)


@given(SAMPLES, st.booleans(), st.randoms(use_true_random=False))
def test_columns_hold_the_observations_of_a_reading_sample_by_sample(
    samples: list[Sample], per_judgement: bool, random: Any
) -> None:
    rule = Benchmark("mine", "b", per_judgement)
    kept = [random.random() < 0.5 for _ in samples]
    names = sorted({image for image, *_ in samples})
    for mask in ([True] * len(samples), kept):
        found = observed(column(*samples).where(np.array(mask, dtype=bool)), rule, "smoothed")
        rows = zip(found.score.tolist(), found.human.tolist(), [names[i] for i in found.image], strict=True)
        assert list(rows) == naive([s for s, keep in zip(samples, mask, strict=True) if keep], per_judgement)


def test_two_metrics_share_the_samples_that_both_scored_in_one_order() -> None:
    first = column(("x", 0.1, (), 0.1), ("y", 0.2, (), None), ("z", 0.3, (), 0.3), ids=[4, 5, 6])
    second = column(("x", 0.1, (), 0.9), ("y", 0.2, (), 0.8), ("z", 0.3, (), 0.7), ids=[4, 5, 6])
    reverse = second.at(np.array([2, 1, 0]))
    one, other = shared((first, "smoothed"), (reverse, "smoothed"))
    assert (one.sample.tolist(), other.sample.tolist()) == ([4, 6], [4, 6])
    assert (one.smoothed.tolist(), other.smoothed.tolist()) == ([0.1, 0.3], [0.9, 0.7])


def test_samples_that_came_after_the_table_was_read_are_left_out() -> None:
    judged = judged_column([1, 2, 3], ["a", "b", "c"], [0.1, 0.2, 0.3], [(), (), ()], [None] * 3)
    found = with_scores(judged, _table({"M": np.array([0.5, 0.6])}, [1, 3]))["M"]
    assert (found.human.tolist(), found.smoothed.tolist()) == ([0.1, 0.3], [0.5, 0.6])


def test_joined_scores_keep_raw_scores_and_number_images_by_name() -> None:
    scores = (Score("M", 0.4, "M", components={"raw": 0.5}), Score("N", 0.3, "N"))
    files = [
        Record(Path("f"), n, image, "a dog", human=0.5, scores=scores) for n, image in enumerate(("b.png", "a.png"))
    ]
    found = by_metric(join([], files).rows)
    assert {name: (of.image.tolist(), of.smoothed.tolist()) for name, of in found.items()} == {
        "M": ([1, 0], [0.4, 0.4]),
        "N": ([1, 0], [0.3, 0.3]),
    }
    assert (found["M"].raw.tolist(), found["N"].variants) == ([0.5, 0.5], ("",))


def test_what_nobody_judged_says_so() -> None:
    assert not column(("x", None, (), 0.5)).is_judged
    assert column(("x", None, (2,), 0.5)).is_judged and column(("x", 0.5, (), 0.5)).is_judged
    pair = judged_column([1], ["x"], [None], [()], [Pair("HC#1", 0, 0, "HC")])
    assert pair.is_judged and pair.has_pairs
    assert accuracies(pair, "pascal50s", "M", "smoothed") == []
