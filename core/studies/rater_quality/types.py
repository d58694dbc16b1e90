"""Raters' items and answers as columns, and the measures of raters.

This module imports only numpy.
"""

from dataclasses import dataclass
from typing import Literal, get_args

from core.arrays import Bools, Floats, Ints

Role = Literal["item", "gold", "repeat", "training"]
ROLES: tuple[Role, ...] = get_args(Role)
ITEM, GOLD, REPEAT, TRAINING = range(len(ROLES))


@dataclass(frozen=True, slots=True, eq=False)
class GivenItems:
    """Assigned items with at least one answer, one entry per item and rater."""

    rater: Ints  # index of the rater: 0, 1, 2 ...
    role: Ints  # index of the item's role in ROLES
    seconds: Floats  # seconds in which the item was visible before the last answer
    words: Ints  # number of words of all the item's explanations
    counts: Bools  # True: results include the answers


@dataclass(frozen=True, slots=True, eq=False)
class Answers:
    """Current answers, one entry per answer. Each rater's answers are in the order of the questions."""

    given: Ints  # index of the item in GivenItems
    unit: Ints  # index of the judged text (an explanation of an item); the same for an item and its repeat
    criterion: Ints  # index of the criterion in the scales
    point: Ints  # point of the scale, 1 and up; 0: abstained; -1: no picture
    lowest: Ints  # lowest right answer to a gold item, inclusive; 0: any answer may be right
    highest: Ints


@dataclass(frozen=True, slots=True)
class RaterQuality:
    """Measures of one rater's answers. A measure without data is None.

    Gold, repeated and practice items are included only in the fields for such items and in the fields with times.
    """

    items: int  # number of answered items, without control items
    answers: int  # number of answers to items, without control items
    minutes: float  # time on task: time in which items of any kind were visible
    item_seconds: float | None  # median time per item in seconds
    word_seconds: float | None  # median over items of the time per word of the explanations, in seconds
    longest_run: int  # longest run of equal answers to one criterion, in the order of the items
    entropy: float | None  # entropy of the answers, mean over criteria; 0: all equal; 1: all points equally often
    abstained: float | None  # share of answers that are abstentions, [0, 1]
    gold: int  # number of answers to gold items, without questions to which any answer may be right
    gold_passed: int
    repeats: int  # number of repeats for which the first and the second answer are points of the scale
    repeats_equal: int
    repeats_within_one: int  # number of repeats whose second answer differs from the first by at most one point
    shared: int  # number of answers (no abstentions) to questions that other raters with counted answers answered too
    correlation: float | None  # correlation of `shared` answers with the others' means, centred per criterion, [-1, 1]
    alpha_without: float | None  # the study's ordinal alpha without this rater, mean over criteria
    run_chance: float | None = None  # upper bound of the probability of `unlikely_run`, estimated from other raters
    unlikely_run: int = 0  # number of equal answers in the most improbable run


@dataclass(frozen=True, slots=True)
class StudyQuality:
    """The measures of all raters, and how much the raters agree."""

    alpha: float | None  # ordinal alpha of the answers that count in results, mean over criteria
    raters: tuple[RaterQuality, ...]
