"""Define tables for judgements of explanations and of their sentences."""

from datetime import datetime
from typing import Any

from sqlalchemy import (
    JSON,
    CheckConstraint,
    ForeignKeyConstraint,
    Index,
    false,
)
from sqlalchemy.orm import Mapped, mapped_column

from storage.tables.base import LONG, Table


class ItemSentenceRow(Table):
    """A sentence of an explanation. It was split when the study was made, and is never split again."""

    __tablename__ = "item_sentences"
    __table_args__ = (
        ForeignKeyConstraint(["item_id", "score_id"], ["item_scores.item_id", "item_scores.score_id"]),
        CheckConstraint("number > 0", name="number"),
        CheckConstraint('start >= 0 AND start < "end"', name="span"),
    )
    item_id: Mapped[int] = mapped_column(primary_key=True)
    score_id: Mapped[int] = mapped_column(primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True)  # sentence's number in the whole explanation: 1, 2, 3 ...
    aspect: Mapped[str]
    start: Mapped[int]  # index of the sentence's first character in the aspect's displayed text
    end: Mapped[int]  # exclusive
    text: Mapped[str]
    splitter: Mapped[str]  # name and version of the splitter


class SentenceJudgementRow(Table):
    """A rater's current judgement of a sentence."""

    __tablename__ = "sentence_judgements"
    __table_args__ = (
        ForeignKeyConstraint(
            ["item_id", "score_id", "number"],
            ["item_sentences.item_id", "item_sentences.score_id", "item_sentences.number"],
        ),
        ForeignKeyConstraint(["item_id", "rater_id"], ["assignments.item_id", "assignments.rater_id"]),
        CheckConstraint("verdict IN ('right', 'wrong', 'unclear', 'beside')", name="verdict"),
        CheckConstraint(
            "kind IN ('object', 'attribute', 'number', 'spatial_relation', 'text', 'named_entity')", name="kind"
        ),
        CheckConstraint("severity IN ('minor', 'major')", name="severity"),
        CheckConstraint("verdict = 'wrong' OR (kind IS NULL AND severity IS NULL AND start IS NULL)", name="wrong"),
        CheckConstraint(
            '(start IS NULL) = ("end" IS NULL) AND (start IS NULL OR (start >= 0 AND start < "end"))', name="span"
        ),
        CheckConstraint("duration_ms >= 0", name="duration"),
    )
    item_id: Mapped[int] = mapped_column(primary_key=True)
    score_id: Mapped[int] = mapped_column(primary_key=True)
    rater_id: Mapped[int] = mapped_column(primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True)  # number of the sentence
    study_id: Mapped[int] = mapped_column(index=True)
    verdict: Mapped[str]
    start: Mapped[int | None]  # index of the first wrong character in the sentence; NULL: the whole sentence
    end: Mapped[int | None]  # exclusive
    kind: Mapped[str | None]
    severity: Mapped[str | None]
    # Place of the error on the picture (core.studies.results.evidence.Place); NULL: the rater marked no place.
    place: Mapped[dict[str, Any] | None] = mapped_column(JSON(none_as_null=True))
    hint_shown: Mapped[bool]  # True: the rater had seen the hint before this judgement
    started_at: Mapped[datetime]  # when the rater first saw the item
    submitted_at: Mapped[datetime]
    duration_ms: Mapped[int] = mapped_column(LONG)  # milliseconds for which the item was in view until this judgement
    picture_shown: Mapped[bool | None]  # True: the picture was shown before this judgement; NULL: not reported
    late: Mapped[bool] = mapped_column(server_default=false())  # True: the answer arrived after the study had closed


class ExplanationRemarkRow(Table):
    """A rater's current judgement of a whole explanation."""

    __tablename__ = "explanation_remarks"
    __table_args__ = (
        ForeignKeyConstraint(["item_id", "score_id"], ["item_scores.item_id", "item_scores.score_id"]),
        ForeignKeyConstraint(["item_id", "rater_id"], ["assignments.item_id", "assignments.rater_id"]),
    )
    item_id: Mapped[int] = mapped_column(primary_key=True)
    score_id: Mapped[int] = mapped_column(primary_key=True)
    rater_id: Mapped[int] = mapped_column(primary_key=True)
    study_id: Mapped[int] = mapped_column(index=True)
    overlooked: Mapped[list[Any]]  # places on the picture that the explanation does not mention
    no_fault: Mapped[bool]  # True: the explanation's statement is true, but describes no fault of the caption
    submitted_at: Mapped[datetime]


class SentenceAdjudicationRow(Table):
    """A decision about a sentence on which raters disagree. Rows are only added; the newest row counts."""

    __tablename__ = "sentence_adjudications"
    __table_args__ = (
        ForeignKeyConstraint(
            ["item_id", "score_id", "number"],
            ["item_sentences.item_id", "item_sentences.score_id", "item_sentences.number"],
        ),
        ForeignKeyConstraint(["study_id", "item_id"], ["items.study_id", "items.id"]),
        CheckConstraint("verdict IN ('right', 'wrong', 'unclear', 'beside')", name="verdict"),
        CheckConstraint(
            "kind IN ('object', 'attribute', 'number', 'spatial_relation', 'text', 'named_entity')", name="kind"
        ),
        CheckConstraint("severity IN ('minor', 'major')", name="severity"),
        CheckConstraint(
            "(verdict = 'wrong') = (kind IS NOT NULL) AND (verdict = 'wrong') = (severity IS NOT NULL)", name="wrong"
        ),
        CheckConstraint("reason IN ('ambiguous', 'guideline', 'careless', 'subjective')", name="reason"),
        CheckConstraint("length(adjudicator) > 0", name="adjudicator"),
        Index(None, "study_id", "item_id"),
    )
    id: Mapped[int] = mapped_column(primary_key=True)
    study_id: Mapped[int]
    item_id: Mapped[int]
    score_id: Mapped[int]
    number: Mapped[int]  # number of the sentence
    verdict: Mapped[str]  # core.studies.results.evidence.Verdict
    kind: Mapped[str | None]  # kind of error in a wrong sentence; NULL: the sentence is not wrong
    severity: Mapped[str | None]  # severity of the error in a wrong sentence; NULL: the sentence is not wrong
    reason: Mapped[str]  # reason why raters disagree, one of core.studies.results.disputes.Reason
    words: Mapped[str]  # the adjudicator's comment
    adjudicator: Mapped[str]  # account name; "this machine" if nobody signs in
    at: Mapped[datetime]
