"""Battles of captioners: Elo ratings against CapArena's procedure, and agreement by level, worked out by hand."""

import numpy as np
import pytest

from core.benchmarks.arena import Battles, battles_of, elo, level_agreement
from core.benchmarks.columns import JudgedColumn, judged_column
from core.types import Pair

NAN = np.nan


def column(pairs: list[Pair | None]) -> JudgedColumn:
    size = len(pairs)
    return judged_column(range(size), [f"{n // 2}.jpg" for n in range(size)], [None] * size, [()] * size, pairs)


def both(key: str, preferred: int | None, category: str | None = None) -> list[Pair | None]:
    return [Pair(key, 0, preferred, category), Pair(key, 1, preferred, category)]


def battles(first: list[int], second: list[int], outcome: list[float]) -> Battles:
    size = len(first)
    places = np.arange(size), np.arange(size, 2 * size)
    return Battles(np.array(first), np.array(second), np.arange(size), places, np.array(outcome), ("",) * size)


def sequential(first: list[int], second: list[int], outcome: list[float], order: list[int]) -> list[float]:
    """CapArena's procedure for battles in one order."""
    rating = [1000.0] * (1 + max(*first, *second))
    for n in order:
        expected = 1 / (1 + 10 ** ((rating[second[n]] - rating[first[n]]) / 400))
        rating[first[n]] += 4 * (outcome[n] - expected)
        rating[second[n]] -= 4 * (outcome[n] - expected)
    return rating


def test_a_pair_of_two_captioners_is_a_battle() -> None:
    pairs = both("1", 1) + both("2", None) + both("3", None, "skip") + both("4", 0, "level 2") + both("5", 0) + [None]
    pairs.append(Pair("6", 0, 0))  # its other caption is missing
    captioner = np.array([0, 1, 1, 2, 0, 2, 2, 0, 1, 1, 0, 0])
    found = battles_of(column(pairs), captioner)
    assert list(zip(found.first.tolist(), found.second.tolist(), strict=True)) == [(0, 1), (1, 2), (0, 2), (2, 0)]
    assert found.outcome == pytest.approx([0, 0.5, NAN, 1], nan_ok=True)
    assert found.level == ("", "", "", "level 2")


def test_captions_without_a_captioner_fight_no_battle() -> None:
    assert len(battles_of(column(both("1", 1)), np.array([0, -1]))) == 0


def test_a_metric_decides_battles_by_its_scores() -> None:
    found = battles_of(column(both("1", 1) + both("2", 0) + both("3", 0)), np.array([0, 1, 0, 1, 0, 1]))
    assert found.by_score(np.array([0.1, 0.2, 0.3, 0.3, 0.5, NAN])) == pytest.approx([0, 0.5, NAN], nan_ok=True)


def test_one_battle_moves_both_ratings_by_two() -> None:
    found = elo(battles([0], [1], [1.0]), {"people": np.array([1.0])}, 3)["people"]
    assert found.ratings == pytest.approx([1002, 998, NAN], nan_ok=True)
    assert found.battles.tolist() == [1, 1, 0]


def test_ratings_are_the_medians_of_battles_drawn_as_caparena_draws_them() -> None:
    rng = np.random.default_rng(0)
    first = rng.integers(3, size=200).tolist()
    second = [(one + 1 + int(rng.integers(2))) % 3 for one in first]
    outcome = [float(rng.random() < 0.5 + 0.15 * (b - a)) for a, b in zip(first, second, strict=True)]
    found = elo(battles(first, second, outcome), {"people": np.array(outcome)}, 3)["people"]
    drawn = [sequential(first, second, outcome, rng.integers(200, size=200).tolist()) for _ in range(1_000)]
    assert found.ratings == pytest.approx(np.median(drawn, axis=0), abs=6)  # the medians' own error is about 2
    assert np.std(found.drawn, axis=0) == pytest.approx(np.std(drawn, axis=0), rel=0.1)
    assert found.drawn.sum(axis=1) == pytest.approx(np.full(len(found.drawn), 3_000))


def test_battles_without_an_outcome_move_no_rating() -> None:
    one = battles([0, 0], [1, 2], [1.0, NAN])
    found = elo(one, {"people": one.outcome}, 3)["people"]
    assert np.isnan(found.ratings[2]) and found.battles.tolist() == [1, 1, 0]


def test_agreement_counts_battles_that_people_decided_overall_and_by_level() -> None:
    pairs = both("1", 0, "level 1") + both("2", 0, "level 1") + both("3", 1, "level 2") + both("4", None, "level 2")
    found = battles_of(column(pairs), np.array([0, 1] * 4))
    outcome = found.by_score(np.array([0.9, 0.1, 0.5, 0.5, 0.1, 0.9, 0.9, 0.1]))
    levels = level_agreement(found, outcome)
    assert [(one.level, one.n) for one in levels] == [("overall", 3), ("level 1", 2), ("level 2", 1)]
    assert [one.accuracy for one in levels] == pytest.approx([2 / 3, 1 / 2, 1])
    assert level_agreement(found, np.full(4, NAN)) == []
