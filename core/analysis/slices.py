"""Slices: saved filters over samples, by which every figure of the analysis can be cut.

A slice is data and never code: a fixed list of conditions, all of which must hold. A sample of which nothing
is known under a condition (no score, not rated, not coded) does not meet it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.analysis.caption_facts import PHRASE_KINDS, CaptionFacts
from core.arrays import Floats
from core.errors import BadSetting

LARGEST_NUMBER = 1e15  # of a condition; larger ones would lose digits
LONGEST_NAME = 200
Mask = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Range:
    """Numbers from `low`, included, up to `high`, left out; None leaves that side open."""

    low: float | None = None
    high: float | None = None

    def __post_init__(self) -> None:
        if self.low is not None and self.high is not None and not self.low < self.high:
            raise BadSetting(f"expected a range whose low end is below its high end, found {self.low} to {self.high}")

    def holds(self, values: Floats) -> Mask:
        """Return where values lie in the range; an unknown value (NaN) never does."""
        low = -np.inf if self.low is None else self.low
        high = np.inf if self.high is None else self.high
        known = ~np.isnan(values)
        return np.asarray(known & (values >= low) & ((values < high) | np.isinf(high)))


@dataclass(frozen=True, slots=True)
class Slice:
    """A named filter; every condition that is not None must hold."""

    name: str
    metric: str | None = None  # whose score `score` and `error` are about
    score: Range | None = None  # on the metric's scale
    error: Range | None = None  # |score - human|, both on [0, 1]
    words: Range | None = None  # caption length
    human: Range | None = None  # mean human score, [0, 1]
    level: float | None = None  # human level: median judgement on the source's own scale
    phrase: str | None = None  # one of PHRASE_KINDS
    code: str | None = None  # an error code given by any coder
    criterion: str | None = None  # whose rating `rating` is about
    rating: Range | None = None  # mean point on that criterion

    def __post_init__(self) -> None:
        if not self.name.strip():
            raise BadSetting("expected a slice with a name")
        if (self.score or self.error) and self.metric is None:
            raise BadSetting(f"the slice {self.name} filters by score or error: expected a metric as well")
        if (self.rating is None) != (self.criterion is None):
            raise BadSetting(f"the slice {self.name} filters by rating: expected both criterion and rating")
        if self.phrase is not None and self.phrase not in PHRASE_KINDS:
            raise BadSetting(f"expected a phrase kind of {', '.join(PHRASE_KINDS)}, found {self.phrase!r}")


@dataclass(frozen=True, slots=True, eq=False)
class SampleColumns:
    """What is known of samples, one entry a sample in every column; NaN and () stand for unknown."""

    captions: CaptionFacts
    human: Floats  # mean human score, [0, 1]
    levels: Floats  # median judgement on the source's own scale
    scores: Mapping[str, Floats] = field(default_factory=dict)  # by metric, on its own scale
    ratings: Mapping[str, Floats] = field(default_factory=dict)  # mean point, by criterion
    codes: Sequence[Sequence[str]] = ()  # error codes given; () where nothing is coded at all
    # |score - human| by metric, both on [0, 1]; by default of the scores as they are
    errors: Mapping[str, Floats] = field(default_factory=dict)


def check_name(chosen: Slice) -> None:
    """Raise BadSetting for a slice whose name nobody could choose from a list: endless, or not to be seen."""
    if len(chosen.name) > LONGEST_NAME or not chosen.name.isprintable():
        raise BadSetting(f"expected a slice with a name of 1 to {LONGEST_NAME} printable characters")


def select(chosen: Slice, columns: SampleColumns) -> Mask:
    """Return which samples belong to the slice, shape (samples,)."""
    size = len(columns.captions)
    unknown = np.full(size, np.nan)
    score = columns.scores.get(chosen.metric or "", unknown)
    error = columns.errors.get(chosen.metric or "", np.abs(score - columns.human))
    rating = columns.ratings.get(chosen.criterion or "", unknown)
    ranges = (
        (chosen.score, score),
        (chosen.error, error),
        (chosen.human, columns.human),
        (chosen.rating, rating),
    )
    mask = np.ones(size, dtype=bool)
    for condition, values in ranges:
        if condition is not None:
            mask &= condition.holds(values)
    if chosen.level is not None:
        mask &= columns.levels == chosen.level
    return mask & _by_text(chosen, columns)


def _by_text(chosen: Slice, columns: SampleColumns) -> Mask:
    mask = np.ones(len(columns.captions), dtype=bool)
    if chosen.words is not None:
        mask &= chosen.words.holds(columns.captions.words)
    if chosen.phrase is not None:
        mask &= columns.captions.have(chosen.phrase)
    if chosen.code is not None:
        codes = columns.codes or [()] * len(mask)
        mask &= np.array([chosen.code in given for given in codes], dtype=bool)
    return mask


def slice_json(chosen: Slice) -> dict[str, Any]:
    """Return a slice as plain values, conditions that are not set left out."""
    return {name: value for name, value in asdict(chosen).items() if value is not None}


def slice_of(content: object) -> Slice:
    """Return the slice that parsed JSON describes. Raises BadSetting for anything that is not on the list."""
    known = {f.name for f in fields(Slice)}
    if not isinstance(content, dict) or not known >= content.keys() or "name" not in content:
        raise BadSetting(f"expected a slice with a name and only {', '.join(sorted(known))}, found {content!r}")
    values = {name: _value(name, value) for name, value in content.items() if value is not None}
    return Slice(**values)


_RANGES = ("score", "error", "words", "human", "rating")


def _value(name: str, value: object) -> Any:
    if name in _RANGES:
        if not isinstance(value, dict) or not value.keys() <= {"low", "high"}:
            raise BadSetting(f"expected {name} as low and high, found {value!r}")
        return Range(**{end: _number(name, number) for end, number in value.items() if number is not None})
    if name == "level":
        return _number(name, value)
    if not isinstance(value, str):
        raise BadSetting(f"expected {name} as a text, found {value!r}")
    return value


def _number(name: str, value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not abs(value) <= LARGEST_NUMBER:
        raise BadSetting(f"expected {name} as a number, found {value!r:.40}")
    return float(value)
