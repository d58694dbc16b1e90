"""Slices: saved filters over samples, to which every plot and number of an analysis can be limited.

A slice is data, never code: a fixed list of conditions, all of which must hold. A sample does not meet a condition on a
value that it lacks (no score, not rated, not coded).
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

import numpy as np
from pydantic import ConfigDict

from core.analysis.caption_facts import PHRASE_KINDS, CaptionFacts, check_words
from core.analysis.captioners import Captioners
from core.analysis.score_table import Mask
from core.analysis.slice_conditions import Lasso, Number, OwnValue, Parting, Range
from core.arrays import Floats
from core.errors import BadSetting
from core.foreign_values import shaped

LONGEST_NAME = 200


@dataclass(frozen=True, slots=True)
class Slice:
    """A named filter. A sample must meet all of the filter's conditions that are not None."""

    __pydantic_config__ = ConfigDict(extra="forbid")
    name: str
    metric: str | None = None  # name of the column that `score` and `error` filter, see core.analysis.column_names
    score: Range | None = None  # allowed scores, on the metric's scale
    error: Range | None = None  # allowed |score - human|, both on [0, 1]
    words: Range | None = None  # caption length
    human: Range | None = None  # allowed mean human score, [0, 1]
    level: Number | None = None  # allowed median of human judgements, on the data set's own scale
    phrase: str | None = None  # kind of phrase in the caption, one of PHRASE_KINDS
    code: str | None = None  # error code that at least one coder gave the sample, as "codebook/code"
    system: str | None = None  # the captioner
    own: OwnValue | None = None  # value in a column of the researcher's own table
    criterion: str | None = None  # the criterion whose mean rating `rating` filters
    rating: Range | None = None  # allowed mean rating for `criterion`, in points
    caption: str | None = None  # words or phrases separated by commas; the caption has at least one
    explanation: str | None = None  # words, separated by commas, in an explanation by `metric` (None: by any metric)
    truncated: str | None = None  # name of a metric that did not read the whole caption
    parting: Parting | None = None  # condition on the difference between two scores
    lasso: Lasso | None = None  # the samples inside a line that was drawn in a plot

    def __post_init__(self) -> None:
        if not self.name.strip():
            raise BadSetting("A slice needs a name.")
        if (self.score or self.error) and self.metric is None:
            raise BadSetting(f"The slice {self.name} filters by score or error, so it also needs a metric.")
        if (self.rating is None) != (self.criterion is None):
            raise BadSetting(f"The slice {self.name} filters by rating, so it needs both a criterion and a rating.")
        if self.phrase is not None and self.phrase not in PHRASE_KINDS:
            raise BadSetting(f"The kind of phrase must be one of {', '.join(PHRASE_KINDS)}, found {self.phrase!r}")
        for words in (self.caption, self.explanation):
            if words is not None:
                check_words(words)

    @property
    def by_error(self) -> bool:
        """Return whether the slice selects samples by a score's distance from human judgement.

        In such a slice, the agreement of the score with people mainly reflects how the samples were chosen.
        """
        return self.error is not None or any(one is not None and one.by_error for one in (self.parting, self.lasso))

    @property
    def by_human(self) -> bool:
        """Return whether the slice selects samples by human judgement, which restricts the range of judgements."""
        return self.human is not None or self.level is not None

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of all columns that the slice's conditions use."""
        of_parting = (self.parting.first, self.parting.second) if self.parting else ()
        of_lasso = (self.lasso.x, self.lasso.y) if self.lasso else ()
        return tuple(one for one in (self.metric, *of_parting, *of_lasso) if one is not None)


@dataclass(frozen=True, slots=True, eq=False)
class SampleColumns:
    """The values of samples that a slice's conditions test, one entry per sample in every column.

    NaN and () mean that the value is unknown.
    """

    captions: CaptionFacts
    human: Floats  # mean human score, [0, 1]
    levels: Floats  # median judgement on the data set's own scale
    scores: Mapping[str, Floats] = field(default_factory=dict)  # key: metric; value: scores on the metric's own scale
    ratings: Mapping[str, Floats] = field(default_factory=dict)  # key: criterion; value: mean ratings in points
    codes: Sequence[Sequence[str]] = ()  # error codes of each sample; (): no sample is coded
    captioners: Captioners | None = None  # captioner of each sample; None: unknown for all samples
    # key: metric; value: |score - human|, both on [0, 1]. For a metric that is not a key, the error is computed from
    # the score on the metric's own scale.
    errors: Mapping[str, Floats] = field(default_factory=dict)
    truncated: Mask | None = None  # whether the slice's metric truncated the caption; None: no caption was truncated
    explained: Mask | None = None  # whether an explanation contains the words to filter by; None: no explanations
    own: Mask | None = None  # whether the researcher's own column has the value to filter by; None: no such values
    gaps: Floats | None = None  # difference between the two scores that the filter `parting` compares
    drawn: tuple[Floats, Floats] | None = None  # x and y values of the samples in the plot on which the lasso was drawn


def check_name(chosen: Slice) -> None:
    """Raise BadSetting if a slice's name is too long or has invisible characters."""
    if len(chosen.name) > LONGEST_NAME or not chosen.name.isprintable():
        raise BadSetting(f"A slice needs a name of 1 to {LONGEST_NAME} printable characters.")


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
    if chosen.parting is not None:
        mask &= chosen.parting.gap.holds(unknown if columns.gaps is None else columns.gaps)
    if chosen.lasso is not None:
        mask &= chosen.lasso.holds(*(columns.drawn or (unknown, unknown)))
    return mask & _by_text(chosen, columns)


def _by_text(chosen: Slice, columns: SampleColumns) -> Mask:
    mask = np.ones(len(columns.captions), dtype=bool)
    if chosen.words is not None:
        mask &= chosen.words.holds(columns.captions.words)
    if chosen.phrase is not None:
        mask &= columns.captions.have(chosen.phrase)
    if chosen.caption is not None:
        mask &= columns.captions.say(chosen.caption)
    if chosen.explanation is not None:
        mask &= False if columns.explained is None else columns.explained
    if chosen.truncated is not None:
        mask &= False if columns.truncated is None else columns.truncated
    if chosen.system is not None:
        mask &= False if columns.captioners is None else columns.captioners.by(chosen.system)
    if chosen.own is not None:
        mask &= False if columns.own is None else columns.own
    if chosen.code is not None:
        codes = columns.codes or [()] * len(mask)
        mask &= np.array([chosen.code in given for given in codes], dtype=bool)
    return mask


def slice_json(chosen: Slice) -> dict[str, Any]:
    """Return a slice as plain values for JSON, without conditions that are not set."""
    return {name: value for name, value in asdict(chosen).items() if value is not None}


def slice_of(content: object) -> Slice:
    """Return the slice that parsed JSON contains. Raises BadSetting for any unknown or invalid field."""
    return shaped(Slice, content, BadSetting)
