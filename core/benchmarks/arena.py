"""Battles of captioners (CapArena): Elo ratings, and how often a metric agrees with people.

A battle is a pair of two captioners' captions of one image. Elo ratings are computed as in CapArena (Cheng et al. 2025,
cal_ranking.py): K = 4, start at 1000. A difference of 400 points means odds of 10 to 1. A tie is half a win. An Elo
rating depends on the order of the battles. So the battles are drawn at random many times, with replacement. Ratings are
computed for each draw, and the median rating is reported.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from core.arrays import Floats, Ints
from core.benchmarks.columns import JudgedColumn
from core.datasets.caparena import UNCOUNTED
from core.long_work.progress import report
from core.statistics.bootstrap import SEED, Interval, percentile_interval
from core.statistics.drawn_shares import drawn_shares

K, START, SCALE = 4.0, 1000.0, 400.0
ODDS = np.log(10) / SCALE  # log odds of winning for each point of rating difference
DRAWS = 1000
LEAST_DRAWS = 100
MOST_STEPS = 7_000_000  # limit for bootstrap draws times battles; with many battles, fewer draws are made
RATING = "Resampling battles between captioners for Elo ratings"
HUMAN = "human"  # CapArena's name for the captioner that wrote the references
OVERALL = "overall"


@dataclass(frozen=True, slots=True, eq=False)
class Battles:
    """Battles between captioners, all arrays of shape (battles,)."""

    first: Ints  # for each battle: index of the captioner of its first caption
    second: Ints
    image: Ints
    places: tuple[Ints, Ints]  # indices of captions in a column of scores: (first captions, second captions)
    outcome: Floats  # 1: people prefer the first caption, 0: the second, 0.5: neither; NaN: not judged
    level: tuple[str, ...]  # each battle's `cluster` in CapArena's file, such as "level 2"; "": no level

    def __len__(self) -> int:
        return len(self.first)

    def by_score(self, scores: Floats) -> Floats:
        """Return who wins each battle by a metric's scores, shape (battles,).

        1: the first caption wins, 0.5: a tie, 0: the second wins; NaN: a score is missing.
        """
        one, other = (scores[places] for places in self.places)
        return np.where(np.isfinite(one + other), (np.sign(one - other) + 1) / 2, np.nan)


@dataclass(frozen=True, slots=True, eq=False)
class Elo:
    """Elo ratings of captioners. A captioner without battles has NaN."""

    ratings: Floats  # (captioners,) medians of the ratings over the bootstrap draws
    drawn: Floats  # (draws, captioners)
    battles: Ints  # (captioners,)

    def interval(self, place: int) -> Interval | None:
        """Return the 95 % interval of a captioner's rating.

        place: the captioner's index in `ratings`.
        """
        return percentile_interval(self.drawn[:, place])


@dataclass(frozen=True, slots=True)
class LevelAgreement:
    """How often a metric prefers the caption that people prefer, over the battles of one level.

    A battle is a pair of captions of one image. CapArena's authors assigned levels, such as "level 2", to the battles.
    """

    level: str
    n: int  # number of battles with a human decision and scores of both captions
    accuracy: float  # share of battles that the score decides as people did, [0, 1]; equal scores count as wrong
    interval: Interval | None  # 95 % interval of the accuracy, bootstrap over images


def battles_of(column: JudgedColumn, captioner: Ints) -> Battles:
    """Return the battles among the samples of a column.

    A battle is a pair of captions of one image by two captioners. captioner: (samples,), the index of each caption's
    captioner; -1: unknown. A pair of captions is skipped if a captioner is unknown, or if one captioner wrote both
    captions.
    """
    found: tuple[dict[tuple[str | None, str], int], ...] = ({}, {})
    for place in np.flatnonzero(captioner >= 0).tolist():
        pair = column.pair[place]
        if pair is not None:
            found[pair.position][pair.category, pair.key] = place
    both = [
        (one, found[1][of])
        for of, one in found[0].items()
        if of in found[1] and captioner[one] != captioner[found[1][of]]
    ]
    one, other = np.array(both, dtype=np.int64).reshape(-1, 2).T
    pairs = [column.pair[place] for place in one.tolist()]
    outcome = [
        np.nan if pair.category in UNCOUNTED else 0.5 if pair.preferred is None else 1.0 - pair.preferred
        for pair in pairs
    ]
    level = tuple("" if pair.category in (None, *UNCOUNTED) else pair.category for pair in pairs)
    return Battles(captioner[one], captioner[other], column.image[one], (one, other), np.array(outcome), level)


def elo(battles: Battles, outcomes: Mapping[str, Floats], captioners: int, seed: int = SEED) -> dict[str, Elo]:
    """Return Elo ratings of the captioners, separately for each name in `outcomes`.

    outcomes: the results of the battles, (battles,), for each name (people or a metric). A battle with NaN is not
    counted. captioners: the number of captioners. All ratings use the same random draws of battles. The computation
    takes 0.1 to 0.2 ms for each battle.
    """
    each = np.array([*outcomes.values()]).reshape(len(outcomes), len(battles)).T
    draws = int(np.clip(MOST_STEPS // max(1, len(battles)), LEAST_DRAWS, DRAWS))
    rating, generator = np.full((draws * captioners, len(outcomes)), START), np.random.default_rng(seed)
    rows = np.arange(draws) * captioners
    for step in range(len(battles)):
        if step % 1000 == 0:
            report(RATING, step, len(battles))
        drawn = generator.integers(len(battles), size=draws, dtype=np.int32)
        first, second = rows + battles.first[drawn], rows + battles.second[drawn]
        one, other = rating.take(first, axis=0), rating.take(second, axis=0)
        change = np.nan_to_num(K * (each.take(drawn, axis=0) - 1 / (1 + np.exp((other - one) * ODDS))))
        rating[first] = one + change
        rating[second] = other - change
    of_outcome = rating.reshape(draws, captioners, len(outcomes))
    return {name: _elo(battles, of, of_outcome[..., at]) for at, (name, of) in enumerate(outcomes.items())}


def _elo(battles: Battles, outcome: Floats, drawn: Floats) -> Elo:
    counted, captioners = np.isfinite(outcome), drawn.shape[1]
    sides = (battles.first[counted], battles.second[counted])
    number = np.bincount(np.concatenate(sides), minlength=captioners)
    known = np.where(number > 0, drawn, np.nan)
    return Elo(np.where(number > 0, np.median(drawn, axis=0), np.nan), known, number)


def level_agreement(battles: Battles, outcome: Floats) -> list[LevelAgreement]:
    """Return how often a metric decides battles as people do, by level.

    The level of a battle is the one that CapArena's authors gave. outcome: (battles,), the metric's results. The first
    row of the result is for all levels together. Each further row is for one level.
    """
    decided = np.flatnonzero(np.isfinite(battles.outcome) & (battles.outcome != 0.5) & np.isfinite(outcome))
    if not len(decided):
        return []
    right = (outcome[decided] == battles.outcome[decided]).astype(float)
    image, level = battles.image[decided], [battles.level[place] for place in decided.tolist()]
    names = sorted({*level} - {""})
    levels = [_level(OVERALL, right, image)]
    for name in names:
        here = np.array([one == name for one in level])
        levels.append(_level(name, right[here], image[here]))
    return levels


def _level(name: str, right: Floats, image: Ints) -> LevelAgreement:
    drawn = drawn_shares(right, np.zeros(len(right), dtype=np.int64), 1, image)
    interval = None if drawn is None else percentile_interval(drawn[:, 0])
    return LevelAgreement(name, len(right), float(right.mean()), interval)
