"""What is known of raters at work, as columns, and what is measured of them. Light: numpy alone."""

from dataclasses import dataclass
from typing import Literal, get_args

from core.arrays import Bools, Floats, Ints

Role = Literal["item", "gold", "repeat", "training"]
ROLES: tuple[Role, ...] = get_args(Role)
ITEM, GOLD, REPEAT, TRAINING = range(len(ROLES))


@dataclass(frozen=True, slots=True, eq=False)
class GivenItems:
    """Items as they were given to raters, one entry an item and rater with at least one answer."""

    rater: Ints  # 0, 1, 2 ...
    role: Ints  # place in ROLES
    seconds: Floats  # in sight until the last answer
    words: Ints  # of all explanations to be read there
    counts: Bools  # whether the answers count in the study's results


@dataclass(frozen=True, slots=True, eq=False)
class Answers:
    """Present answers, one entry an answer, each rater's in the order in which the questions stood before them."""

    given: Ints  # place in GivenItems
    unit: Ints  # what is judged: an explanation of an item; a repeat is of the unit that it repeats
    criterion: Ints  # place in the scales
    point: Ints  # 1 and up; 0: abstained; -1: no picture
    lowest: Ints  # what a gold item must be answered with, inclusive; 0 where any answer may be right
    highest: Ints


@dataclass(frozen=True, slots=True, eq=False)
class Verdicts:
    """Verdicts on sentences, one entry per verdict."""

    given: Ints  # place in GivenItems
    unit: Ints  # number of the sentence in the study, from 0
    verdict: Ints  # place in core.studies.results.evidence.Verdict


@dataclass(frozen=True, slots=True)
class RaterQuality:
    """What the answers of one rater look like. None: there is nothing to compute it from.

    Of gold, repeats and training only time counts elsewhere than in their own fields.
    """

    items: int  # with an answer, of the study itself
    answers: int  # to them
    minutes: float  # with items of any kind in sight: time on task
    item_seconds: float | None  # median over items
    word_seconds: float | None  # median over items of time by word of their explanations
    longest_run: int  # of equal answers to one criterion, in the order of the items
    entropy: float | None  # of the answers to a criterion, mean over criteria; 0: always the same, 1: all alike often
    abstained: float | None  # share of the answers, [0, 1]
    gold: int  # answers to gold items that can be wrong
    gold_passed: int
    repeats: int  # answers to repeats whose first answer is a point, too
    repeats_equal: int
    repeats_within_one: int  # at most one point away
    shared: int  # points given where others have given some that count
    correlation: float | None  # of these with the mean of the others' points, within each criterion, [-1, 1]
    alpha_without: float | None  # ordinal alpha of the study without this rater, mean over criteria
    run_chance: float | None = None  # upper bound of the chance of the most improbable run, by colleagues' answers
    unlikely_run: int = 0  # equal answers in that run


@dataclass(frozen=True, slots=True)
class StudyQuality:
    """Every rater's quality, and how far all of them agree."""

    alpha: float | None  # ordinal, of the answers that count, mean over criteria
    raters: tuple[RaterQuality, ...]


@dataclass(frozen=True, slots=True)
class RaterVerdicts:
    """What the verdicts of one rater look like. None: there is nothing to compute it from."""

    sentences: int  # judged, of the study's own items
    wrong: float | None  # share of these that the rater called wrong, [0, 1]
    compared: int  # pairs of one of these verdicts and another rater's verdict that counts on the same sentence
    agreed: float | None  # share of the pairs with equal verdicts, [0, 1]
    alpha_without: float | None  # nominal alpha of the study's verdicts without this rater


@dataclass(frozen=True, slots=True)
class StudyVerdicts:
    """Every rater's verdicts, and how far all raters agree."""

    alpha: float | None  # nominal, of the verdicts that count
    raters: tuple[RaterVerdicts, ...]
