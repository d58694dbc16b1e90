"""Captioners beside each other: by hand, and against pandas and scipy."""

import gzip
import json
from pathlib import Path

import numpy as np
import pytest

from core.benchmarks.systems import Ranking, agreement, ranking
from core.datasets import format_named
from core.datasets.base import Source

NAN = np.nan


def rankings(captioner: np.ndarray, image: np.ndarray, scores: dict, captioners: int) -> dict[str, Ranking]:
    return {name: ranking(captioner, image, values, captioners, (-np.inf, np.inf)) for name, values in scores.items()}


def grid(captioners: int, images: int) -> tuple[np.ndarray, np.ndarray]:
    """Every captioner captioned every image once."""
    return np.tile(np.arange(captioners), images), np.repeat(np.arange(images), captioners)


def test_means_and_ranks_are_those_worked_out_by_hand() -> None:
    captioner = np.array([0, 1, 0, 1, 0, 1, -1])
    image = np.array([5, 5, 7, 7, 9, 9, 9])
    (found,) = rankings(captioner, image, {"M": np.array([0.1, 0.4, 0.2, 0.4, 0.3, 0.7, 9.0])}, 2).values()
    assert found.means == pytest.approx([0.2, 0.5])
    assert (found.ranks.tolist(), found.images, found.is_shared) == ([2, 1], 3, True)
    low_high = found.interval(0)
    assert low_high is not None and low_high.low < 0.2 < low_high.high


def test_captioners_are_compared_on_shared_images_unless_too_few_are_shared() -> None:
    captioner, image = np.array([0, 1, 0, 1, 0]), np.array([1, 1, 2, 2, 3])
    shared = ranking(captioner, image, np.array([0.1, 0.2, 0.3, 0.4, 9.0]), 2, (0, 9))
    assert (shared.images, shared.is_shared) == (2, True) and shared.means == pytest.approx([0.2, 0.3])
    captioner, image = np.array([0, 0, 0, 1, 1, 1]), np.array([1, 2, 3, 3, 4, 5])
    own = ranking(captioner, image, np.array([0.1, 0.2, 0.3, 0.6, 0.7, 0.8]), 2, (0, 1))
    assert (own.images, own.is_shared) == (5, False) and own.means == pytest.approx([0.2, 0.7])
    captioner, image = grid(3, 4)
    score = np.tile([0.2, 0.4, NAN], 4)
    score[0] = NAN
    missing = ranking(captioner, image, score, 3, (0, 1))  # a missing score takes its image out
    assert (missing.images, missing.ranks.tolist()) == (3, [2, 1, 0])


def test_one_image_and_no_captioner_give_no_interval() -> None:
    (one,) = rankings(np.array([0, 1]), np.array([1, 1]), {"M": np.array([0.1, 0.2])}, 2).values()
    assert one.interval(0) is None and "at least 3" in agreement(one, one).note
    (none,) = rankings(np.array([-1]), np.array([1]), {"M": np.array([0.1])}, 1).values()
    assert np.isnan(none.means).all()


@pytest.fixture
def path(shared_dir: Path) -> Path:
    return shared_dir / "data/ratings/thumb/mscoco_THumB-1.0.jsonl.gz"


class TestThumb:
    """THumB's five captioners, against an independent script."""

    def found(self, path: Path) -> tuple[list[str], dict[str, Ranking]]:
        records = [*format_named("thumb").read(Source(path))]
        names = sorted({record.system or "" for record in records})
        captioner = np.array([names.index(record.system or "") for record in records])
        image = np.unique([record.image for record in records], return_inverse=True)[1]
        scores = {"people": np.array([record.human or 0 for record in records])}
        for number, name in enumerate(("P", "R")):
            scores[name] = np.array([record.scores[number].value for record in records])  # type: ignore[union-attr]
        scores["words"] = np.array([len(record.candidate.split()) for record in records], dtype=float)
        return names, rankings(captioner, image, scores, len(names))

    def test_the_table_is_that_of_pandas(self, path: Path) -> None:
        pandas = pytest.importorskip("pandas")
        with gzip.open(path, "rt", encoding="utf-8") as file:
            frame = pandas.DataFrame([json.loads(line) for line in file])
        frame["people"] = frame["human_score"] / 5
        frame["words"] = frame["hyp"].str.split().str.len()
        columns = ["people", "P", "R", "words"]
        expected, ranks = (
            frame.groupby("SYS")[columns].mean(),
            frame.groupby("SYS")[columns].mean().rank(ascending=False),
        )
        names, found = self.found(path)
        rng, pictures = np.random.default_rng(5), frame["seg_id"].unique()
        by_picture = {name: frame.pivot(index="seg_id", columns="SYS", values=name).loc[pictures] for name in columns}
        draws = rng.integers(len(pictures), size=(2_000, len(pictures)))
        for name, one in found.items():
            assert one.means == pytest.approx(expected[name].loc[names].to_numpy())
            assert one.ranks.tolist() == ranks[name].loc[names].astype(int).tolist()
            drawn = by_picture[name].to_numpy()[draws].mean(axis=1)
            for place, captioner in enumerate(names):
                column = drawn[:, by_picture[name].columns.get_loc(captioner)]
                interval = one.interval(place)
                assert interval is not None
                width = interval.high - interval.low
                assert [interval.low, interval.high] == pytest.approx(
                    np.percentile(column, [2.5, 97.5]), abs=width / 12
                )
            if name != "people":
                agreed = agreement(one, found["people"])
                for method in ("pearson", "spearman", "kendall"):
                    assert getattr(agreed, method) == pytest.approx(
                        expected[name].corr(expected["people"], method=method)
                    )
        assert expected["P"].round(2).to_dict() == {
            "Human": 4.82, "Unified-VLP": 4.35, "Up-Down": 4.29, "VinVL-base": 4.47, "VinVL-large": 4.54,
        }  # fmt: skip
