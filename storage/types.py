"""Define the Repository's results about data sets and samples: frozen values, never database rows."""

from dataclasses import dataclass
from typing import Literal

from core.types import Outcome, Pair, Sample

# Orders of samples: order of import, a metric's score, |score - human|, or |score - other score|. All scores and human
# judgements are on [0, 1].
SampleSort = Literal["imported", "score", "error"]


@dataclass(frozen=True, slots=True)
class ImportCounts:
    """Counts of the rows that an import read, and of new rows."""

    samples: int  # read
    scores: int  # number of scores read, including errors
    samples_added: int
    scores_added: int
    images_found: int  # number of the read samples' pictures that were found, in this or an earlier import
    images_missing: int


@dataclass(frozen=True, slots=True)
class AnnotationCounts:
    """Counts of regions that were added to a data set's pictures."""

    annotated_added: int  # number of pictures that had no regions before and were given regions now
    regions_added: int
    annotated: int  # number of the data set's pictures with annotated regions, whether added now or earlier
    pictures: int  # number of the data set's pictures, including missing pictures


@dataclass(frozen=True, slots=True)
class DatasetSummary:
    """A summary of a data set."""

    name: str
    notice: str  # warning for everyone who sees the data set's scores; empty: none
    samples: int
    scores: dict[str, int]  # by metric
    explained: dict[str, int]  # key: metric; value: number of scores with an explanation
    images_found: int
    images_missing: int
    annotated: int  # number of pictures with annotated regions


@dataclass(frozen=True, slots=True)
class StoredSample:
    """A sample with its picture, human judgements, scores and errors."""

    id: int
    dataset: str
    image_id: int
    sample: Sample
    outcomes: tuple[Outcome, ...]  # outcomes sorted by metric, then by signature
    score_ids: tuple[int, ...]  # ids of the outcomes, in the same order
    pair: Pair | None = None  # the pair of captions to which this caption belongs


@dataclass(frozen=True, slots=True)
class Search:
    """Conditions of a search for samples. A field with its default value restricts nothing."""

    dataset: str | None = None
    text: str = ""  # text to find in the caption, key or picture name, in upper or lower case
    metric: str | None = None  # return only samples that this metric has scored
    lowest: float | None = None  # lowest allowed score of the metric, inclusive
    highest: float | None = None  # highest allowed score of the metric, inclusive
    code: str | None = None  # error code that at least one coder gave
    system: str | None = None  # the captioner
    among: tuple[int, ...] | None = None  # ids of the only samples to return; None: all samples
    sort: SampleSort = "imported"  # order of the samples; orders by score or difference use `metric`'s newest score
    falling: bool = False  # largest first


@dataclass(frozen=True, slots=True)
class SamplePage:
    """One page of the samples that a search found."""

    total: int
    offset: int  # position of the first sample of the page among all results
    before: int | None  # id of the sample before this page; None: first page
    after: int | None
    samples: tuple[StoredSample, ...]
