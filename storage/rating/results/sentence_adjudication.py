"""List sentences on which raters' verdicts differ, and store decisions about them."""

from collections import defaultdict
from dataclasses import dataclass
from typing import Any

from sqlalchemy import BindParameter, Connection, bindparam, func, insert, select

from core.errors import InvalidRating, NotFound
from core.json_types import Rationales, UtcTime
from core.studies.asking.verdicts import Verdict
from core.studies.results.disputes import LONGEST_WORDS, Reason
from core.studies.results.evidence import ErrorKind, Judgement, Severity
from storage.engine.database import Database, utc_now
from storage.rating.results.adjudication import NOTES
from storage.rating.results.excluded_ratings import counted
from storage.tables import (
    ImageRow,
    ItemRow,
    ItemSentenceRow,
    SampleRow,
    ScoreRow,
    SentenceAdjudicationRow,
    SentenceJudgementRow,
)

Sentence = tuple[int, int, int]  # (item, score, number of the sentence)


@dataclass(frozen=True, slots=True)
class SentenceDecision:
    """A stored decision about a sentence."""

    verdict: Verdict
    kind: ErrorKind | None  # kind of error, for a wrong sentence
    severity: Severity | None  # severity of the error, for a wrong sentence
    reason: Reason
    words: str
    adjudicator: str
    at: UtcTime


@dataclass(frozen=True, slots=True)
class SentenceDispute:
    """A sentence on which raters' verdicts differ, with their judgements. It contains no names of raters."""

    item: int
    score: int
    number: int  # number of the sentence, from 1
    place: int  # position of the item in the study, from 1
    image: int | None  # number of the picture; None: it is missing
    caption: str
    value: float
    scale: tuple[float, float]
    rationales: Rationales
    text: str
    said: tuple[Judgement, ...]  # raters' judgements without marked places and words; verdict "right" comes first
    notes: tuple[str, ...]  # raters' notes on the item, in alphabetical order
    decision: SentenceDecision | None


class SentenceAdjudications:
    """Operations on disputed sentences."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def disputes(self, study_id: int) -> tuple[SentenceDispute, ...]:
        """Return the sentences on which raters' verdicts differ.

        Only verdicts that count in results are compared. Sentences without a decision come first. Within both groups,
        the sentences are in the study's order.
        """
        with self._database.read() as connection:
            disputed = _disputes(connection, study_id)
        return tuple(sorted(disputed, key=lambda one: (one.decision is not None, one.place, one.score, one.number)))

    def decide(
        self, study_id: int, sentence: Sentence, judgement: Judgement, reason: Reason, words: str, by: str
    ) -> None:
        """Store a decision about a sentence that a rater has judged.

        judgement: a complete judgement, but without a marked place in the picture and without marked words. Raises
        NotFound, InvalidRating.
        """
        if len(words) > LONGEST_WORDS:
            raise InvalidRating(f"Use at most {LONGEST_WORDS} characters.")
        if not judgement.is_complete:
            raise InvalidRating("A wrong sentence needs a kind of error and a severity.")
        item, score, number = sentence
        judged = SentenceJudgementRow
        this = (judged.study_id == study_id, judged.item_id == item, judged.score_id == score, judged.number == number)
        with self._database.write() as connection:
            if connection.scalar(select(judged.number).where(*this).limit(1)) is None:
                raise NotFound("No rater has judged this sentence in this study.")
            row: dict[str, Any] = {"study_id": study_id, "item_id": item, "score_id": score, "number": number}
            row |= {"verdict": judgement.verdict, "kind": judgement.kind, "severity": judgement.severity}
            row |= {"reason": reason, "words": words, "adjudicator": by, "at": utc_now()}
            connection.execute(insert(SentenceAdjudicationRow).values(row))


def decided_sentences(connection: Connection, study_id: int) -> dict[Sentence, SentenceDecision]:
    """Return the latest decision about each disputed sentence of a study."""
    return {
        (row.item_id, row.score_id, row.number): SentenceDecision(
            row.verdict, row.kind, row.severity, row.reason, row.words, row.adjudicator, row.at
        )
        for row in connection.execute(_DECISIONS, {"study": study_id})  # the newest row replaces the older ones
    }


def _disputes(connection: Connection, study_id: int) -> list[SentenceDispute]:
    apart = _apart(counted(connection, study_id, SentenceJudgementRow))
    rows = connection.execute(apart, {"study": study_id}).all()
    judgements: dict[Sentence, list[Judgement]] = defaultdict(list)
    about: dict[Sentence, Any] = {}
    for row in rows:
        sentence = (row.item_id, row.score_id, row.number)
        judgements[sentence].append(Judgement(row.verdict, kind=row.kind, severity=row.severity))
        about[sentence] = row
    notes: dict[int, list[str]] = defaultdict(list)
    for item, note in connection.execute(NOTES, {"study": study_id, "items": {item for item, _, _ in about}}):
        notes[item].append(note)
    decisions = decided_sentences(connection, study_id)
    return [
        SentenceDispute(
            *sentence,
            place=row.place + 1,
            image=None if row.width is None else row.image_id,
            caption=row.candidate,
            value=row.value,
            scale=(row.scale_low, row.scale_high),
            rationales=row.rationales or {},
            text=row.text,
            said=tuple(sorted(judgements[sentence], key=_order)),
            notes=tuple(sorted(notes[row.item_id])),
            decision=decisions.get(sentence),
        )
        for sentence, row in about.items()
    ]


def _order(judgement: Judgement) -> tuple[int, str, str]:
    return (
        ("right", "wrong", "unclear", "beside").index(judgement.verdict),
        judgement.kind or "",
        judgement.severity or "",
    )


_STUDY: BindParameter[int] = bindparam("study")


def _apart(counts: Any) -> Any:
    """Return a query for judgements of sentences on which verdicts differ.

    counts: the conditions for judgements that count in results. Other judgements are not compared.
    """
    judged, sentence = SentenceJudgementRow, ItemSentenceRow
    key = (judged.item_id, judged.score_id, judged.number)
    apart = (
        select(*key)
        .join(ItemRow, ItemRow.id == judged.item_id)
        .where(judged.study_id == _STUDY, ItemRow.place >= 0, *counts)
        .group_by(*key)
        .having(func.min(judged.verdict) != func.max(judged.verdict))
        .subquery()
    )
    same = (judged.item_id == apart.c.item_id) & (judged.score_id == apart.c.score_id)
    text = (sentence.item_id == judged.item_id) & (sentence.score_id == judged.score_id)
    return (
        select(*key, judged.verdict, judged.kind, judged.severity, sentence.text)
        .add_columns(ItemRow.place, SampleRow.candidate, SampleRow.image_id, ImageRow.width)
        .add_columns(ScoreRow.value, ScoreRow.scale_low, ScoreRow.scale_high, ScoreRow.rationales)
        .join(apart, same & (judged.number == apart.c.number))
        .join(sentence, text & (sentence.number == judged.number))
        .join(ItemRow, ItemRow.id == judged.item_id)
        .join(SampleRow, SampleRow.id == ItemRow.sample_id)
        .join(ImageRow, ImageRow.id == SampleRow.image_id)
        .join(ScoreRow, ScoreRow.id == judged.score_id)
        .where(judged.study_id == _STUDY, *counts)
    )


_DECISIONS = (
    select(*SentenceAdjudicationRow.__table__.columns)
    .where(SentenceAdjudicationRow.study_id == _STUDY)
    .order_by(SentenceAdjudicationRow.id)
)
