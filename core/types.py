"""The central values: samples, scores and explanations, as frozen dataclasses.

Each field states its units, range and shape. All metrics use the same types.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path, PurePosixPath
from typing import Literal

from core.costs import Seconds, Usage
from core.errors import ErrorKind

LONGEST_TEXT = 20_000  # maximum characters of a caption or reference; longer texts are refused
LONGEST_SYSTEM = 200  # maximum characters of a captioner's name

Mark = Literal["correct", "incorrect", "not judged"]  # verdict on a phrase, based on the picture or on region labels
MatchKind = Literal["words", "sequence"]  # n-gram, longest common word sequence
Claim = Literal["stated", "denied"]  # whether the candidate states or denies a phrase

Components = Mapping[str, float | tuple[float, ...]]


@dataclass(frozen=True, slots=True)
class ImageRegion:
    """A region of a picture as input of a metric: a mask and, if people annotated it, a label."""

    rle: str  # mask as compressed COCO run-length encoding (the "counts" string)
    size: tuple[int, int]  # (height, width) of the mask in px
    label: str | None = None  # the annotation's label
    is_full: bool = False  # True: the region is the whole picture
    is_crowd: bool = False  # True: a group of objects is outlined as one region


@dataclass(frozen=True, slots=True)
class ImageRef:
    """A picture on disk, or only the name of a picture that is missing."""

    name: str  # path or id as in its source
    path: Path | None = None  # path of the picture's file; None: the picture was not found
    sha256: str | None = None  # hash of the file's bytes, 64 hex digits
    width: int | None = None  # px, after EXIF rotation
    height: int | None = None  # px, after EXIF rotation
    regions: tuple[ImageRegion, ...] = ()  # annotated regions, but never the whole picture; empty: no regions stored
    vocabulary: tuple[str, ...] = ()  # labels that annotators looked for; empty: unknown


OwnValues = tuple[tuple[str, str], ...]  # (column, value) of columns that only the researcher's own table has


@dataclass(frozen=True, slots=True)
class Sample:
    """An image with a candidate caption, and the human judgements of this caption for this image."""

    key: str  # unique in its data set; comes from the source, or is made from image and caption
    image: ImageRef
    candidate: str
    references: tuple[str, ...] = ()
    human: float | None = None  # mean human judgement, rescaled to [0, 1]
    judgements: tuple[float, ...] = ()  # individual human judgements on the source's scale (1-4 for Flickr8k-Expert)
    system: str | None = None  # name of the captioner; None: unknown
    own: OwnValues = ()  # values of the researcher's own columns, such as (("split", "test"),)


def sample_identity(image: str, candidate: str) -> tuple[str, str]:
    """Return the identity of a sample that has no key.

    The identity consists of the picture's name without folder and extension, and the caption with single spaces.
    Samples with equal identities count as the same sample.
    """
    return _stem(image), one_line(candidate)


@lru_cache(4_096)
def _stem(image: str) -> str:
    return PurePosixPath(image).stem


def one_line(text: str) -> str:
    """Return the text with single spaces, without spaces at its ends."""
    return " ".join(text.split())


@dataclass(frozen=True, slots=True)
class Thing:
    """A thing that a phrase names, and whether it is in the picture."""

    text: str
    span: tuple[int, int]  # characters of the candidate: start inclusive, end exclusive
    mark: Mark


@dataclass(frozen=True, slots=True)
class Phrase:
    """A phrase of the candidate, and how well the picture supports it."""

    text: str
    span: tuple[int, int]  # characters of the candidate: start inclusive, end exclusive
    support: float  # highest cosine of the phrase with a region, times HICE-S's factor w, [0, w]; used for precision
    region: int | None  # index in Explanation.regions of the best region; None: no region's label matches the phrase
    mark: Mark  # verdict on the phrase: either encoders decide it by `support` and `cut`, or region labels decide it
    things: tuple[Thing, ...] = ()  # things that the phrase names; empty if no labels show what is in the picture
    kind: Claim = "stated"  # "denied": the caption denies the fact; `text` then contains the fact without its "no"
    shown: str = ""  # the judged words of the candidate, such as "no dog"; "" in scores of older versions
    reason: str = ""  # why the phrase has this mark, if region labels decided it; "" if encoders decided it
    regions: tuple[int, ...] = ()  # indices of all regions that the phrase names; if empty, read `linked` instead
    denied: tuple[int, int] | None = None  # (start, end) in the candidate of "no" and what it denies; None: unknown
    compared: bool = True  # False: a phrase that the score does not compare; it does not count for precision

    @property
    def precision(self) -> float | None:
        """Return the phrase's precision: `support`, or None if the score does not compare the phrase.

        The precision of a HICE-S score is the mean of its phrases' precisions.
        """
        return self.support if self.compared else None

    @property
    def linked(self) -> tuple[int, ...]:
        """Return the indices of all regions that belong to the phrase.

        Scores from region encoders and scores of older versions contain only the phrase's best region.
        """
        return self.regions or (() if self.region is None else (self.region,))


@dataclass(frozen=True, slots=True)
class Region:
    """A region of the picture, and how well the candidate caption mentions it."""

    rle: str  # mask as compressed COCO run-length encoding (the "counts" string)
    size: tuple[int, int]  # (height, width) of the mask in px
    label: str | None  # the annotation's label
    is_full: bool  # True: the region is the whole picture
    support: float  # highest cosine of the region with a phrase, times HICE-S's factor w, [0, w]; used for recall
    phrase: int | None  # index of the region's best phrase in Explanation.phrases; None: no linked phrase
    mentioned: bool  # True: the caption mentions the region, judged by `support` and `cut` or by the region's label
    reason: str = ""  # why the region is mentioned or not, if labels decided it; "" if encoders decided it

    @property
    def recall(self) -> float:
        """Return the region's recall.

        The recall of a HICE-S score is the mean over all regions and the whole picture.
        """
        return self.support


@dataclass(frozen=True, slots=True)
class Match:
    """Words that a metric looks for in the candidate and in the references, with all their positions.

    Positions count characters: start inclusive, end exclusive. If other words stand between these words, each group of
    adjacent words has its own position.
    """

    text: str  # the words, joined by spaces; for a fact, a short sentence such as "dog is brown"
    kind: MatchKind
    size: int  # number of words, at least 1
    places: tuple[tuple[int, int], ...]  # (start, end) in the candidate; empty: only references contain the words
    references: tuple[
        tuple[int, int, int], ...
    ]  # (index of the reference, start, end); empty: no reference contains the words
    counted: int | None = None  # number of occurrences that the score counts; None: the metric does not count
    idf: float | None = None  # log(image-caption pairs / pairs with the words), at least 0; None: no corpus was used
    weight: float | None = None  # contribution of the words to the score; None: the score is not a sum


@dataclass(frozen=True, slots=True)
class Explanation:
    """A metric's reasons for its score: text, phrases, regions or matches with references."""

    rationales: Mapping[str, str] = field(default_factory=dict)  # keys: overall, or fluency, relevance, descriptiveness
    phrases: tuple[Phrase, ...] = ()  # in caption order; if only regions exist, the caption does not look English
    regions: tuple[Region, ...] = ()
    cut: float | None = None  # lowest `support` of a correct phrase or mentioned region, [0, factor w]; None: no region
    encoder: str | None = None  # encoder of phrases and regions, named as in signatures; None: no regions
    matches: tuple[Match, ...] = ()  # in the order in which the page lists the matches
    unlisted: int = 0  # number of matches of a long caption that are not in `matches`

    @property
    def is_read(self) -> bool:
        """Return whether the metric compared the caption's words with the regions.

        The result is always True if there are no regions.
        """
        return bool(self.phrases) or not self.regions


@dataclass(frozen=True, slots=True)
class Score:
    """A metric's score of one sample."""

    metric: str
    value: float  # within scale
    signature: str  # text with all settings that can change the value; see core.signature
    scale: tuple[float, float] = (0.0, 1.0)  # lowest and highest possible value
    components: Components = field(default_factory=dict)  # raw score, digit distributions, precision, recall and others
    explanation: Explanation = field(default_factory=Explanation)
    usage: Usage | None = field(default=None, compare=False)  # tokens that the server used; None: no server answered
    seconds: Seconds = field(default_factory=dict, compare=False)  # seconds of each step; empty: not measured


@dataclass(frozen=True, slots=True)
class EvaluationError:
    """An error in place of a score that could not be computed.

    A missing score is never stored as 0, as NaN or by leaving out a row.
    """

    metric: str
    signature: str
    kind: ErrorKind
    message: str  # the error in one sentence for users, with the model's answer if there is one
    usage: Usage | None = field(default=None, compare=False)  # tokens of answers that gave no score; None: no answer
    seconds: Seconds = field(default_factory=dict, compare=False)  # seconds of each step; empty: not measured


Outcome = Score | EvaluationError
OWN = "smoothed"  # the score that a metric reports; the name fits only metrics that smooth their scores
RAW = "raw"  # name of the component that contains the score before smoothing
Variant = str  # names one of a metric's scores: OWN, a component (RAW, "precision"), or "" if nothing is smoothed
ErrorScale = Literal["plain", "rank", "calibrated"]  # scale of errors, see core.statistics.error_scales


@dataclass(frozen=True, slots=True)
class Pair:
    """The pair of captions to which a caption belongs, and its position in the pair.

    People compared the two captions of one image (Pascal-50S, FOIL).
    """

    key: str  # equal for both records of a pair; unique in its benchmark, e.g. "HC#17"
    position: int  # position of this caption in the pair, 0 or 1
    preferred: int | None  # position of the caption that people prefer, 0 or 1; None: unknown
    category: str | None = None  # category of the pair in the benchmark, e.g. "HC", "HI", "HM", "MM"
