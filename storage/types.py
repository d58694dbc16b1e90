"""Define the Repository's results about data sets and samples: frozen values, never database rows."""

from dataclasses import dataclass
from typing import Literal

from core.costs import Seconds, Usage
from core.types import Outcome, Pair, Sample

# Orders of samples: as imported, by a metric's score, by |score - human|, or by |score - other score|, all on [0, 1].
SampleSort = Literal["imported", "score", "error", "disagreement"]


@dataclass(frozen=True, slots=True)
class ImportCounts:
    """Counts of the rows that an import read, and of new rows."""

    samples: int  # read
    scores: int  # scores that were read, including errors
    samples_added: int
    scores_added: int
    images_found: int  # pictures of the read samples that were found, in this import or earlier
    images_missing: int
    annotated: int = 0  # pictures of the read samples that have annotated regions, from this import or earlier
    annotated_added: int = 0  # pictures that got their regions in this import
    regions_added: int = 0


@dataclass(frozen=True, slots=True)
class AnnotationCounts:
    """Counts of regions that were added to a data set's pictures."""

    annotated_added: int  # pictures that got their regions in this step
    regions_added: int
    annotated: int  # pictures of the data set with annotated regions, from this step or earlier
    pictures: int  # pictures of the data set, including missing pictures


@dataclass(frozen=True, slots=True)
class DatasetSummary:
    """A summary of a data set."""

    name: str
    notice: str  # warning for everyone who sees the data set's scores; empty: none
    samples: int
    scores: dict[str, int]  # by metric
    explained: dict[str, int]  # key: metric; value: number of scores with an explanation
    unanimous: int  # samples with two or more human judgements that all agree
    images_found: int
    images_missing: int
    annotated: int  # number of pictures with annotated regions


@dataclass(frozen=True, slots=True)
class StoredSample:
    """A sample with its picture, judgements and outcomes."""

    id: int
    dataset: str
    image_id: int
    sample: Sample
    outcomes: tuple[Outcome, ...]  # sorted by metric, then signature
    score_ids: tuple[int, ...]  # ids of the outcomes
    pair: Pair | None = None  # the pair of captions to which this caption belongs


@dataclass(frozen=True, slots=True)
class StoredCost:
    """The measured cost of an outcome."""

    metric: str
    signature: str
    explained: bool  # True: the outcome has an explanation in words
    characters: int  # length of the caption
    reference_characters: int  # total length of all references
    width: int | None  # px of the picture
    height: int | None
    usage: Usage | None
    seconds: Seconds


@dataclass(frozen=True, slots=True)
class UnscoredSample:
    """A sample that a metric has not scored yet."""

    id: int
    sample: Sample


@dataclass(frozen=True, slots=True)
class ScoredCounts:
    """How many samples of a data set a metric has scored under one signature."""

    samples: int
    known: int  # number of samples that have an outcome


@dataclass(frozen=True, slots=True)
class Search:
    """Conditions of a search for samples. A field with its default value excludes no samples."""

    dataset: str | None = None
    text: str = ""  # text in the caption, key or picture name, ignoring case
    metric: str | None = None  # a metric that has scored the sample
    lowest: float | None = None  # lower limit of the metric's scores, inclusive
    highest: float | None = None  # upper limit of the metric's scores, inclusive
    picture: bool | None = None  # whether the picture was found
    regions: bool | None = None  # whether the picture has annotated regions
    explained: bool | None = None  # whether any score, or the score of `metric`, has an explanation in words
    code: str | None = None  # an error code that any coder gave
    system: str | None = None  # the captioner
    among: tuple[int, ...] | None = None  # only samples with these ids
    sort: SampleSort = "imported"  # import order, the metric's newest score, or its difference from another value
    falling: bool = False  # largest first
    other: str | None = None  # the second metric of a disagreement; its newest score counts


@dataclass(frozen=True, slots=True)
class SamplePage:
    """One page of the samples that a search found."""

    total: int
    offset: int  # position of the first sample of the page among all results
    before: int | None  # id of the sample before this page; None: first page
    after: int | None
    samples: tuple[StoredSample, ...]
