"""What the Repository's verbs return: plain frozen values, never rows of the database."""

from dataclasses import dataclass, field
from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, ConfigDict, Field
from pydantic.dataclasses import dataclass as checked_dataclass

from core.costs import Seconds, Usage
from core.json_types import Counts, UtcTime
from core.studies.asking.form import Form, Layout
from core.studies.planning.control_places import Controls, Workload, workload
from core.studies.planning.life_cycle import Stop, StudySchedule
from core.studies.results.evidence import JudgedSentence, Remark
from core.studies.results.export import AnswerFacts
from core.studies.study_design import StudyDesign
from core.types import ImageRegion, Outcome, Pair, Sample, Score

# samples as they were imported, or by a metric's score, |score - human| or |score - another score|, both on [0, 1]
SampleSort = Literal["imported", "score", "error", "disagreement"]
LONGEST_MS = 60 * 24 * 3600 * 1000  # sixty days; longer times are a wrong clock


def _held(milliseconds: int) -> int:
    return max(0, min(milliseconds, LONGEST_MS))


Milliseconds = Annotated[int, AfterValidator(_held)]  # a browser's span of time: a wrong clock refuses no answer


@dataclass(frozen=True, slots=True)
class ImportCounts:
    """What one import read, and what was new in it."""

    samples: int  # read
    scores: int  # read, errors included
    samples_added: int
    scores_added: int
    images_found: int  # pictures of the samples read, found now or earlier
    images_missing: int
    annotated: int = 0  # pictures of the samples read with annotated regions, from now or earlier
    annotated_added: int = 0  # pictures that have got their regions now
    regions_added: int = 0


@dataclass(frozen=True, slots=True)
class AnnotationCounts:
    """What attaching regions to the pictures of a data set did."""

    annotated_added: int  # pictures that have got their regions now
    regions_added: int
    annotated: int  # pictures of the data set with annotated regions, from now or earlier
    pictures: int  # of the data set, missing ones included


@dataclass(frozen=True, slots=True)
class DatasetSummary:
    """A data set at a glance."""

    name: str
    notice: str  # what everybody who sees its scores should know; empty for nothing
    samples: int
    scores: dict[str, int]  # by metric
    explained: dict[str, int]  # by metric: scores with an explanation
    unanimous: int  # samples whose two or more human judgements agree
    images_found: int
    images_missing: int
    annotated: int  # pictures with annotated regions


@dataclass(frozen=True, slots=True)
class StoredSample:
    """A sample with everything that is known of it."""

    id: int
    dataset: str
    image_id: int
    sample: Sample
    outcomes: tuple[Outcome, ...]  # in order of metric, then signature
    score_ids: tuple[int, ...]  # of the outcomes
    pair: Pair | None = None  # of two captions to choose between, this one


@dataclass(frozen=True, slots=True)
class StoredCost:
    """What an outcome cost."""

    metric: str
    signature: str
    explained: bool  # whether it has words to rate
    characters: int  # of the caption
    reference_characters: int  # of all references
    width: int | None  # px of the picture
    height: int | None
    usage: Usage | None
    seconds: Seconds


@dataclass(frozen=True, slots=True)
class UnscoredSample:
    """A sample that a metric has not judged yet."""

    id: int
    sample: Sample


@dataclass(frozen=True, slots=True)
class ScoredCounts:
    """How much of a data set a metric has judged under one signature."""

    samples: int
    known: int  # samples that have an outcome


@dataclass(frozen=True, slots=True)
class Search:
    """What samples are looked for; a field that is left out excludes none."""

    dataset: str | None = None
    text: str = ""  # in the caption, the key or the picture's name, in any case
    metric: str | None = None  # one that has judged the sample
    lowest: float | None = None  # of the metric's scores, inclusive
    highest: float | None = None  # of the metric's scores, inclusive
    picture: bool | None = None  # whether the picture was found
    regions: bool | None = None  # whether the picture has annotated regions
    explained: bool | None = None  # whether a score is explained in words; the metric's, where one is named
    code: str | None = None  # an error code that any coder gave
    among: tuple[int, ...] | None = None  # ids of the samples that may be found
    sort: SampleSort = "imported"  # by the metric's newest score, or by what it is set against
    falling: bool = False  # the largest first
    other: str | None = None  # the metric whose newest score a disagreement is with


@dataclass(frozen=True, slots=True)
class SamplePage:
    """Some of the samples that a search found."""

    total: int
    offset: int  # of the first of them among all that were found
    before: int | None  # id of the sample before these; None: there is none
    after: int | None
    samples: tuple[StoredSample, ...]


@dataclass(frozen=True, slots=True)
class ListedStudy(StudyDesign):
    """What the list of studies shows of each."""

    id: int
    name: str
    dataset: str
    notice: str  # of its data set
    form: Layout
    version: int  # of the form among the texts that studies have had under its key
    strata: Counts  # items drawn, by stratum
    criteria: tuple[str, ...]
    metrics: tuple[str, ...]  # every metric whose explanations are rated
    items: int
    without_picture: int  # items whose picture was not found
    panels: int  # the most explanations side by side
    created_at: UtcTime


@dataclass(frozen=True, slots=True)
class Study(ListedStudy):
    """A study as it was made."""

    asks: Form  # with the criteria that the study asks for
    course: StudySchedule
    stamp: str  # under which the course may be changed

    @property
    def items_for_one(self) -> int:
        """How many items that count one rater gets at most."""
        pilot = self.course.pilot_items if self.course.state == "pilot" else None
        return min(most for most in (self.items, pilot, self.course.items_per_rater) if most is not None)

    def workload(self, controls: Controls) -> Workload:
        """Return what a new rater gets at most, practice, gold and repeats included."""
        most = self.course.items_per_rater if self.course.controls_included else None
        return workload(self.seed, self.items_for_one, controls, most)


@dataclass(frozen=True, slots=True)
class Outlook:
    """What one rater can still meet in a study."""

    left: Workload  # items that the rater holds unfinished, and those to come
    done: int  # items that the rater has finished, practice not counted
    is_most: bool  # other raters may take some of the items first
    pictures: int  # items, finished or left, whose picture is there, practice not counted
    is_most_pictures: bool  # there may be fewer, as it is not known which items come


@dataclass(frozen=True, slots=True)
class RaterProgress:
    """How far a rater has come in a study."""

    id: int  # of the rater
    code: str
    done: int  # items with every question answered
    counted: int  # of these, those that no other rater has got meanwhile
    total: int  # items the rater has been promised
    minutes: float  # time with items in sight
    last_seen: UtcTime | None  # None: no answer yet
    pilot: bool = False  # their ratings are kept apart
    excluded: str | None = None  # why their ratings count for nothing; None: they count
    given_back: int = 0  # items they had and did not finish


@dataclass(frozen=True, slots=True)
class Rater:
    """A rater, known by a short code."""

    id: int
    code: str
    study: int | None = None  # the only one that is open to them here; None: every one

    def may_rate(self, study: int) -> bool:
        """Whether a study is open to them."""
        return self.study in (None, study)


@dataclass(frozen=True, slots=True)
class Panel:
    """One explanation as a rater sees it: anonymous, at its place."""

    place: int  # from 1
    value: float | None  # None: the caption alone is rated
    scale: tuple[float, float]
    rationales: dict[str, str]
    caption: str | None = None  # where captions are compared
    sentences: tuple[JudgedSentence, ...] = ()  # empty unless they are judged one by one
    remark: Remark | None = None  # on the whole, likewise
    answers: dict[str, int] = field(default_factory=dict)  # criterion -> point


@dataclass(frozen=True, slots=True)
class Handout:
    """What an assignment was, in a form that outlives its row: enough to make the assignment again after a restore."""

    assignment: str
    rater: str  # code
    study: int
    item: int
    original: int | None  # the item that this one repeats
    panels: tuple[int, ...]  # numbers of what is rated, first panel first
    slot: int
    given_at: datetime | None
    mark: str  # of what the rater saw: after a restore another item may have this number


@dataclass(frozen=True, slots=True)
class AssignedItem:
    """An item given to a rater, with the answers so far."""

    id: str
    place: int  # in the rater's own order, from 1
    caption: str
    image_size: tuple[int, int] | None  # (width, height) in px; None: the picture is missing
    panels: tuple[Panel, ...]
    open: bool  # its picture may be seen: there is no veil, or what is judged without the picture is answered
    revealed: bool  # its picture has been seen
    finished: bool
    note: str
    references: tuple[str, ...] = ()  # empty unless the form shows them
    practice: bool = False  # it comes before the study's own items, and its rater is told what would have been right
    places: tuple[ImageRegion, ...] = ()  # parts of the picture that evidence may point at; empty under the veil
    overlay: Score | None = None  # whose regions the rater may see; None: none, or the veil is still on
    hints: bool = False  # the rater may ask for hints at sentences that they have judged
    handout: Handout | None = None  # from which the assignment can be made again


@dataclass(frozen=True, slots=True)
class Queue:
    """A rater's place in a study, and some of the items."""

    total: int  # items the rater has been promised; it grows and does not shrink while they rate
    free: int  # more that the rater may get while nobody else takes them, counted up to 20
    ahead: int  # items that the browser may fetch before they are needed
    design: StudyDesign  # of the study
    done: int
    resume: int  # place of the first unfinished item; one past the last given out when there is none
    items: tuple[AssignedItem, ...]
    stopped: Stop | None  # why there is nothing to rate, now or at all
    is_known: bool  # whether the rater has joined
    practice: tuple[int, ...] = ()  # places of practice items, also of those to come


@checked_dataclass(frozen=True, slots=True, config=ConfigDict(strict=True, extra="forbid"))
class Save(AnswerFacts):
    """One thing a rater did, as the browser reports it.

    Making one checks types and bounds, exactly, and that no field stands beside them; raises ValidationError.
    """

    key: Annotated[str, Field(min_length=8, max_length=80)]  # idempotency key: a repeated one does nothing
    assignment: Annotated[str, Field(max_length=200)]  # longer than ours: bundles once brought ids of their own
    kind: Literal["rating", "reveal", "note", "sentence", "whole"]
    age_ms: Milliseconds  # how long ago it happened
    in_sight_ms: Milliseconds = 0  # how long the item had been in sight
    shown_ms: Milliseconds = 0  # how long before it the item was first put before the rater
    panel: int | None = None  # place of the panel, from 1
    criterion: Annotated[str, Field(max_length=80)] | None = None
    point: int | None = None
    text: str | None = None
    sentence: int | None = None  # its number in the explanation, from 1
    said: dict[str, Any] | None = None  # of a sentence or of the whole; core.studies.results.evidence reads it
