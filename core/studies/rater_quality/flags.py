"""Compare a rater's measures with thresholds.

A flag is a reason to look at the rater, not a reason to delete ratings.
"""

from collections.abc import Callable
from dataclasses import asdict, dataclass, fields
from typing import Any

from core.errors import BadSetting
from core.studies.rater_quality.types import RaterQuality


@dataclass(frozen=True, slots=True)
class Thresholds:
    """Limits beyond which a rater gets a flag.

    The defaults come from simulated raters, see docs/decisions.
    """

    item_seconds: float = 4.0  # lower limit of the median time per item, in seconds
    word_seconds: float = 0.1  # lower limit of the median time per word in seconds; silent readers need 0.25 s
    run_chance: float = 0.01  # lower limit of the probability of a run of equal answers, estimated from other raters
    longest_run: int = 30  # upper limit of a run of equal answers to one criterion, if no other raters answered
    entropy: float = 0.2  # lower limit
    abstained: float = 0.3  # upper limit of the share of abstentions
    gold_passed: float = 0.6  # lower limit of the share of gold items answered correctly
    repeats_within_one: float = 0.65  # lower limit of the share of repeated items rated as before or one point off
    correlation: float = 0.2  # lower limit
    fewest_items: int = 5  # with fewer answered items than this, the rater's times are not judged
    fewest_run: int = 5  # with fewer equal answers in a row than this, the run's probability is not judged
    fewest_answers: int = 30  # with fewer answers than this, the distribution of the answers is not judged
    fewest_gold: int = 2  # with fewer answers to gold items than this, a rater is not judged by gold items
    fewest_repeats: int = 6  # with fewer answers to repeats than this, a rater is not judged by repeats

    def __post_init__(self) -> None:
        """Check the ranges. Raises BadSetting."""
        for field in fields(self):
            value, most = getattr(self, field.name), _MOST[field.name]
            lowest = 1 if isinstance(value, int) and not isinstance(field.default, float) else 0
            lowest = -1 if field.name == "correlation" else lowest
            if not lowest <= value <= most:
                raise BadSetting(f"The threshold {field.name} must be from {lowest} to {most}, found {value}.")


_MOST = {
    **{
        "item_seconds": 3600,
        "word_seconds": 60,
        "longest_run": 1_000_000,
        "run_chance": 1,
        "entropy": 1,
        "abstained": 1,
    },
    **{"gold_passed": 1, "repeats_within_one": 1, "correlation": 1},
    **dict.fromkeys(("fewest_items", "fewest_run", "fewest_answers", "fewest_gold", "fewest_repeats"), 1_000_000),
}


@dataclass(frozen=True, slots=True)
class Flag:
    """A measure of a rater that is beyond its threshold."""

    measure: str  # name of the threshold field that the value was compared with
    value: float
    threshold: float
    words: str  # text that the page shows about the value


@dataclass(frozen=True, slots=True)
class _Check:
    measure: str
    words: str  # template of the text, with a placeholder for the value
    value: Callable[[RaterQuality], float | None]
    number: Callable[[RaterQuality], int]  # returns how many answers or items the measure is computed from
    fewest: str  # name of the threshold field that is the minimum for `number`
    too_high: bool = False  # True: high values are flagged; False: low values are flagged

    def flag(self, quality: RaterQuality, thresholds: Thresholds) -> Flag | None:
        value, threshold = self.value(quality), getattr(thresholds, self.measure)
        if value is None or self.number(quality) < getattr(thresholds, self.fewest):
            return None
        if not (value >= threshold if self.too_high else value < threshold):
            return None
        words = self.words.format(value=value, share=100 * value, one_in=_one_in(value), quality=quality)
        return Flag(self.measure, value, threshold, words.replace("-", "−"))


def _one_in(chance: float) -> str:
    return f"{1 / chance:,.0f}" if chance > 1e-6 else "1,000,000"


def _share(part: int, whole: int) -> float | None:
    return part / whole if whole else None


_CHECKS = (
    _Check("item_seconds", "{value:.1f} s per item", lambda q: q.item_seconds, lambda q: q.items, "fewest_items"),
    _Check("word_seconds", "{value:.2f} s a word", lambda q: q.word_seconds, lambda q: q.items, "fewest_items"),
    _Check(
        "run_chance",
        (
            "{quality.unlikely_run} equal answers in a row; given the other raters' answers, the probability of "
            "this is at most 1 in {one_in}"
        ),
        lambda q: q.run_chance,
        lambda q: q.unlikely_run,
        "fewest_run",
    ),
    _Check(
        "longest_run",
        "{value} equal answers in a row",
        lambda q: q.longest_run if q.run_chance is None else None,
        lambda q: q.answers,
        "fewest_answers",
        too_high=True,
    ),
    _Check(
        "entropy",
        ("answers hardly differ from each other (entropy {value:.2f} of at most 1)"),
        lambda q: q.entropy,
        lambda q: q.answers,
        "fewest_answers",
    ),
    _Check(
        "abstained",
        "{share:.0f} % abstained",
        lambda q: q.abstained,
        lambda q: q.answers,
        "fewest_answers",
        too_high=True,
    ),
    _Check(
        "gold_passed",
        "{share:.0f} % of gold items answered right",
        lambda q: _share(q.gold_passed, q.gold),
        lambda q: q.gold,
        "fewest_gold",
    ),
    _Check(
        "repeats_within_one",
        "{share:.0f} % of repeated items answered with at most one point difference",
        lambda q: _share(q.repeats_within_one, q.repeats),
        lambda q: q.repeats,
        "fewest_repeats",
    ),
    _Check(
        "correlation",
        "hardly correlates with the other raters (r = {value:.2f})",
        lambda q: q.correlation,
        lambda q: q.shared,
        "fewest_answers",
    ),
)


def flags(quality: RaterQuality, thresholds: Thresholds) -> tuple[Flag, ...]:
    """Return a rater's measures that are beyond their thresholds.

    Measures that are based on too few data are skipped.
    """
    flagged = (check.flag(quality, thresholds) for check in _CHECKS)
    return tuple(flag for flag in flagged if flag is not None)


def thresholds_json(thresholds: Thresholds) -> dict[str, Any]:
    """Return all thresholds as plain values."""
    return asdict(thresholds)


def thresholds_of(stored: dict[str, Any]) -> Thresholds:
    """Return thresholds from plain values. Missing names keep their defaults. Raises BadSetting."""
    unknown = set(stored) - {field.name for field in fields(Thresholds)}
    if unknown:
        raise BadSetting(f"There is no threshold named {', '.join(sorted(unknown))}.")
    return Thresholds(**stored)
