"""The central values: samples, scores and explanations, as frozen dataclasses.

Units, ranges and shapes stand beside each field. The same shapes serve every metric.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path, PurePosixPath
from typing import Literal

from core.costs import Seconds, Usage
from core.errors import ErrorKind

LONGEST_TEXT = 20_000  # characters of a caption or a reference; longer ones are none

Mark = Literal["correct", "incorrect", "not judged"]  # what looking at the picture, or at its labels, says of a phrase

Components = Mapping[str, float | tuple[float, ...]]


@dataclass(frozen=True, slots=True)
class ImageRegion:
    """A region of a picture before anything is scored: a mask, with a label where an annotation gives one."""

    rle: str  # mask as compressed COCO run-length encoding (the "counts" string)
    size: tuple[int, int]  # (height, width) of the mask in px
    label: str | None = None  # what an annotation calls it
    is_full: bool = False  # the whole picture rather than a part of it
    is_crowd: bool = False  # a group of objects marked as one


@dataclass(frozen=True, slots=True)
class ImageRef:
    """A picture on disk, or the name of one that was not found."""

    name: str  # file name or id as its source wrote it, without folders
    path: Path | None = None  # None: the picture was not found
    sha256: str | None = None  # of the file's bytes, 64 hex digits
    width: int | None = None  # px, after EXIF rotation
    height: int | None = None  # px, after EXIF rotation
    regions: tuple[ImageRegion, ...] = ()  # annotated parts of the picture, without the whole; empty: none known
    vocabulary: tuple[str, ...] = ()  # labels of all that was looked for when it was annotated; empty: not known


@dataclass(frozen=True, slots=True)
class Sample:
    """An image with a candidate caption, and what people said of the pair."""

    key: str  # unique in its data set, as the source named it or made from image and caption
    image: ImageRef
    candidate: str
    references: tuple[str, ...] = ()
    human: float | None = None  # mean human judgement, rescaled to [0, 1]
    judgements: tuple[float, ...] = ()  # single human judgements on the source's own scale (1-4 for Flickr8k-Expert)


def sample_identity(image: str, candidate: str) -> tuple[str, str]:
    """Return what tells samples without a key apart: the picture's bare name, and the caption in single spaces.

    Samples are the same across files, whatever the folder and the ending of the picture.
    """
    return _stem(image), one_line(candidate)


@lru_cache(4_096)
def _stem(image: str) -> str:
    return PurePosixPath(image).stem


def one_line(text: str) -> str:
    """Return the text with every run of white space as one space, and none at its ends."""
    return " ".join(text.split())


@dataclass(frozen=True, slots=True)
class Thing:
    """A thing that a phrase names, and whether it is in the picture."""

    text: str
    span: tuple[int, int]  # characters of the candidate: start inclusive, end exclusive
    mark: Mark


@dataclass(frozen=True, slots=True)
class Phrase:
    """A phrase of the candidate and how well the picture bears it out."""

    text: str
    span: tuple[int, int]  # characters of the candidate: start inclusive, end exclusive
    support: float  # precision: rescaled cosine to its best region, [0, w]
    region: int | None  # index into Explanation.regions of its best one; None where labels name nothing it is about
    mark: Mark  # by the cut where encoders saw the picture; by what labels can bear out where they stand for it
    things: tuple[Thing, ...] = ()  # that it names, where labels said whether they are there


@dataclass(frozen=True, slots=True)
class Region:
    """A region of the picture and how well the candidate mentions it."""

    rle: str  # mask as compressed COCO run-length encoding (the "counts" string)
    size: tuple[int, int]  # (height, width) of the mask in px
    label: str | None  # what an annotation calls it
    is_full: bool  # the whole picture rather than a part of it
    support: float  # recall: rescaled cosine to its best phrase, [0, w]
    phrase: int | None  # index into Explanation.phrases of its best one; None where labels say that no phrase names it
    mentioned: bool  # by the cut where encoders saw the picture; by name where labels stand for it


@dataclass(frozen=True, slots=True)
class Explanation:
    """Why a metric gave its score, in words, phrases or regions."""

    rationales: Mapping[str, str] = field(default_factory=dict)  # "overall", or fluency, relevance, descriptiveness
    phrases: tuple[Phrase, ...] = ()  # in order of mention
    regions: tuple[Region, ...] = ()
    cut: float | None = None  # support from which phrases and regions count, [0, w]; None: without regions
    encoder: str | None = None  # what compared phrases with regions, as signatures name it; None: without regions


@dataclass(frozen=True, slots=True)
class Score:
    """A metric's judgement of one sample."""

    metric: str
    value: float  # within scale
    signature: str  # everything that can move the value; see core.signature
    scale: tuple[float, float] = (0.0, 1.0)  # lowest and highest possible value
    components: Components = field(default_factory=dict)  # raw score, digit distributions, precision, recall ...
    explanation: Explanation = field(default_factory=Explanation)
    usage: Usage | None = field(default=None, compare=False)  # None: no server answered
    seconds: Seconds = field(default_factory=dict, compare=False)  # empty: not measured


@dataclass(frozen=True, slots=True)
class EvaluationError:
    """A score that could not be made: never 0, NaN or a missing row."""

    metric: str
    signature: str
    kind: ErrorKind
    message: str  # one sentence for people, with the model's words where there are some
    usage: Usage | None = field(default=None, compare=False)  # of answers without a score; None: no server answered
    seconds: Seconds = field(default_factory=dict, compare=False)  # empty: not measured


Outcome = Score | EvaluationError
# a metric's own score, smoothed; its score before smoothing, component "raw"; "": the score of one without smoothing
Variant = Literal["smoothed", "raw", ""]
ErrorScale = Literal["plain", "rank", "calibrated"]  # on which a score is from people, see core.statistics.error_scales
# how far apart two scores are, or their ranks; where only the first of the two is right, where only the second
Parted = Literal["scores", "ranks", "first right", "second right"]


@dataclass(frozen=True, slots=True)
class Pair:
    """One of two captions of an image between which people chose (Pascal-50S, FOIL)."""

    key: str  # both records of a pair carry it; unique in its benchmark, e.g. "HC#17"
    position: int  # 0 or 1: which of the two captions this record is
    preferred: int | None  # 0 or 1: position of the caption that people prefer; None: not said
    category: str | None = None  # the benchmark's own division, e.g. "HC", "HI", "HM", "MM"
