"""Exported evidence: one record a sentence that a rater judged, with what they said of the whole explanation."""

from collections.abc import Callable
from dataclasses import dataclass, fields
from datetime import datetime
from operator import attrgetter
from typing import Any, get_type_hints

from core.studies.results.dictionary import EVIDENCE_MEANINGS
from core.studies.results.export import Shape


@dataclass(frozen=True, slots=True, kw_only=True)
class EvidenceRecord:
    """What one rater said of one sentence."""

    study: str
    item: int  # number of the item in the study's drawn order, from 1
    sample: str  # the sample's key in its data set
    image: str  # as its source names it
    caption: str
    human: float | None  # mean human judgement of the caption, [0, 1]
    metric: str
    signature: str
    score: float
    score_rescaled: float  # the score's place in its metric's scale, [0, 1]
    rater: str  # code
    aspect: str
    sentence: int  # its number in the explanation, from 1
    sentences: int  # how many the explanation has
    start: int  # of the sentence, in characters of the aspect's text as raters saw it
    end: int  # exclusive
    text: str  # of the sentence
    splitter: str  # what cut it
    verdict: str  # right, wrong, unclear, beside
    words_start: int | None  # of the wrong words, in characters of the sentence; None: not marked, or not wrong
    words_end: int | None  # exclusive
    kind: str | None  # of the error
    severity: str | None  # minor, major
    place: str | None  # region, box, nowhere; None: not said
    region: int | None  # index among the regions shown
    label: str | None  # of that region
    area: float | None  # of region or box, share of the picture, [0, 1]
    box: str | None  # left, top, right, bottom as shares of the picture, with spaces between
    not_given: str  # what the rater did not say of a wrong sentence: "words", "place", "words, place"; else empty
    hint_shown: bool  # the rater has seen, after the first answer, where the things are that the sentence names
    before_hint: str | None  # the verdict that stood then; None: no hint was shown
    no_fault: bool  # of the whole explanation: true, but no fault of the caption
    overlooked: int  # places that the whole explanation overlooks
    started_at: datetime  # UTC; when the item was put before the rater
    submitted_at: datetime  # UTC; when this was said
    duration_ms: int  # time with the item in sight until then
    left_out: str  # why this counts for nothing; empty where it counts
    picture_shown: bool | None = None  # whether the picture was on the page by then; None: not known
    picture_missing: bool = False  # the item's picture was not found, so raters saw none
    late: bool = False  # the answer reached the server after the study had closed
    decided: str | None = None  # the verdict that an adjudicator has decided on for this sentence; None: none
    decided_kind: str | None = None  # of the error, where that is wrong
    decided_severity: str | None = None  # likewise


_NAMES = tuple(field.name for field in fields(EvidenceRecord))
_values: Callable[[Any], tuple[Any, ...]] = attrgetter(*_NAMES)
EVIDENCE = Shape(_NAMES, _values, get_type_hints(EvidenceRecord), EVIDENCE_MEANINGS)
