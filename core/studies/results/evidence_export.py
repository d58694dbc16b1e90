"""Exported evidence: one record per sentence and rater, with the rater's remark on the whole explanation."""

from collections.abc import Callable
from dataclasses import dataclass, fields
from datetime import datetime
from operator import attrgetter
from typing import Any, get_type_hints

from core.studies.results.dictionary import EVIDENCE_MEANINGS
from core.studies.results.export import Shape


@dataclass(frozen=True, slots=True, kw_only=True)
class EvidenceRecord:
    """One rater's judgement of one sentence."""

    study: str
    item: int  # number of the item in the study, from 1
    sample: str  # the sample's key in its data set
    image: str  # name of the picture in its source
    caption: str
    human: float | None  # mean human judgement of the caption, [0, 1]
    metric: str
    signature: str
    score: float
    score_rescaled: float  # the score's position in its metric's scale, [0, 1]
    rater: str  # the rater's code
    aspect: str
    sentence: int  # number of the sentence in the explanation, from 1
    sentences: int  # number of sentences of the explanation
    start: int  # index of the sentence's first character in the displayed text of its aspect (such as fluency)
    end: int  # exclusive
    text: str  # text of the sentence
    splitter: str  # name of the rules that split the explanation into sentences
    verdict: str  # right, wrong, unclear (the rater cannot tell) or beside (not about the picture)
    words_start: int | None  # first wrong character in the sentence; None: no words marked, or verdict not "wrong"
    words_end: int | None  # exclusive
    kind: str | None  # kind of error
    severity: str | None  # minor, major
    place: str | None  # where the error is: region, box or nowhere; None: the rater did not say
    region: int | None  # index among the displayed regions
    label: str | None  # label of the region
    area: float | None  # size of region or box, share of the picture, [0, 1]
    box: str | None  # left, top, right and bottom edge as shares of the picture, separated by spaces
    not_given: str  # missing details of a wrong sentence: "words", "place", "words, place"; else empty
    hint_shown: bool  # True: after the first answer, a hint showed where the things named in the sentence are
    before_hint: str | None  # the verdict before the hint; None: no hint was shown
    no_fault: bool  # the whole explanation is true but names no fault of the caption
    overlooked: int  # number of places in the picture that the explanation, in all its sentences, overlooks
    started_at: datetime  # UTC; when the item was shown to the rater
    submitted_at: datetime  # UTC; when the judgement was given
    duration_ms: int  # milliseconds for which the item was visible before the judgement
    left_out: str  # why results exclude this judgement; empty: included
    picture_shown: bool | None = None  # whether the page had shown the picture before the judgement; None: unknown
    picture_missing: bool = False  # True: the item's picture was not found, so raters saw none
    late: bool = False  # True: the answer reached the server after the study had closed
    decided: str | None = None  # the adjudicator's verdict on this sentence; None: no decision
    decided_kind: str | None = None  # kind of error, if the adjudicator's verdict is "wrong"
    decided_severity: str | None = None  # severity of the error, if the adjudicator's verdict is "wrong"


_NAMES = tuple(field.name for field in fields(EvidenceRecord))
_values: Callable[[Any], tuple[Any, ...]] = attrgetter(*_NAMES)
EVIDENCE = Shape(_NAMES, _values, get_type_hints(EvidenceRecord), EVIDENCE_MEANINGS)
