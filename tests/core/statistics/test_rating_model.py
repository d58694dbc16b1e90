"""Simulated ratings have the spread and the agreement that were asked for, and are learnt again from ratings."""

import gzip
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from core.errors import BadSetting
from core.statistics.rating_model import RatingModel, fitted
from core.studies.planning.published_ratings import TYPICAL

SKEWED = RatingModel((0.02, 0.05, 0.2, 0.73), 0.3, 0.1)
EVEN = RatingModel((0.2, 0.2, 0.2, 0.2, 0.2), 0.6, 0.25)
SHARED = Path(__file__).parents[4] / "shared" / "data"


@pytest.mark.parametrize("model", [SKEWED, EVEN])
def test_drawn_points_have_the_shares_and_correlations_that_were_asked_for(model: RatingModel) -> None:
    points = model.points([0.0, 0.0], items=4000, raters=2, draws=5, seed=3)
    shares = np.bincount(points.ravel(), minlength=len(model.shares) + 1)[1:] / points.size
    assert shares == pytest.approx(model.shares, abs=0.01)  # 80,000 draws, in clusters: standard error below 0.003
    of_one = np.corrcoef(points[:, :, 0, 0].ravel(), points[:, :, 0, 1].ravel())[0, 1]
    of_sample = np.corrcoef(points[:, :, 0, 0].ravel(), points[:, :, 1, 1].ravel())[0, 1]
    assert of_one == pytest.approx(model.same_explanation, abs=0.02)  # 20,000 pairs: standard error 0.007
    assert of_sample == pytest.approx(model.same_sample, abs=0.02)


@pytest.mark.parametrize("difference", [-0.8, -0.1, 0.1, 0.25])
def test_a_shift_moves_the_mean_by_the_difference(difference: float) -> None:
    points = SKEWED.points([SKEWED.shift(difference)], items=20_000, raters=1, draws=1, seed=1)
    assert points.mean() - SKEWED.mean == pytest.approx(difference, abs=0.02)  # standard error 0.005


def test_a_difference_that_the_scale_has_no_room_for_is_refused_with_the_room() -> None:
    with pytest.raises(BadSetting, match=r"must be below 0\.36"):
        SKEWED.shift(0.5)


@pytest.mark.parametrize("model", [SKEWED, EVEN])
def test_a_model_is_learnt_again_from_its_own_ratings(model: RatingModel) -> None:
    points = model.points([0.0, 0.0], items=5000, raters=3, draws=1, seed=8)[0]
    items = np.arange(5000).repeat(6)
    metrics = np.tile([0, 0, 0, 1, 1, 1], 5000)
    found = fitted(items, metrics, points.ravel(), len(model.shares))
    assert found is not None
    assert found.shares == pytest.approx(model.shares, abs=0.02)
    assert found.same_explanation == pytest.approx(model.same_explanation, abs=0.03)
    assert found.same_sample == pytest.approx(model.same_sample, abs=0.03)


def test_correlations_worked_by_hand_are_found() -> None:
    # Two explanations of one metric; raters agree wholly: 1, 1 and 3, 3, and so on. Centred products: all equal.
    items, metrics = np.arange(6).repeat(2), np.zeros(12, dtype=int)
    points = np.array([1, 1, 3, 3, 1, 1, 3, 3, 1, 1, 3, 3])
    found = fitted(items, metrics, points, 3)
    assert found is not None
    assert (found.shares, found.same_explanation) == ((0.5, 0.0, 0.5), 0.99)


def test_equal_or_single_ratings_teach_nothing() -> None:
    every = np.arange(10)
    assert fitted(every, every, np.full(10, 4), 4) is None
    assert fitted(every, every * 0, np.tile([1, 4], 5), 4) is None  # no explanation has two ratings


@pytest.mark.parametrize(("shares", "same"), [((1.0,), 0.1), ((0.5, 0.6), 0.1), ((0.0, 1.0), 0.1), ((0.5, 0.5), 1.0)])
def test_impossible_models_are_refused(shares: tuple[float, ...], same: float) -> None:
    with pytest.raises(BadSetting):
        RatingModel(shares, same)


def test_typical_points_of_explanations_have_the_published_mean_and_deviation() -> None:
    model = TYPICAL[0].model
    # the published figures have two decimals
    assert (model.mean, model.variance**0.5) == (pytest.approx(3.72, abs=0.005), pytest.approx(0.52, abs=0.005))


@pytest.mark.skipif(not (SHARED / "ratings").exists(), reason="../shared/data is not here")
def test_typical_agreement_is_the_median_of_the_published_judgements() -> None:
    found = []
    for path in sorted((SHARED / "ratings" / "few_shot_explanations" / "fine_grained").glob("*/*.csv.gz")):
        with gzip.open(path) as file:
            table = pd.read_csv(file)
        for question in ("supports_label", "new_info", "amount_info", "grammar"):
            points = table[["Input.id", f"Answer.{question}"]].dropna().set_axis(["item", "point"], axis=1)
            away = points["point"] - points["point"].mean()
            sums, squares = away.groupby(points["item"]).sum(), (away**2).groupby(points["item"]).sum()
            counts = points.groupby("item").size()
            found.append((sums**2 - squares).sum() / (counts * (counts - 1)).sum() / away.pow(2).mean())
    assert len(found) == 20
    assert TYPICAL[0].model.same_explanation == pytest.approx(np.median(found), abs=0.005)
