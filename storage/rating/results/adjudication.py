"""List questions on which raters disagree, and store decisions about them."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from sqlalchemy import BindParameter, ColumnElement, Connection, bindparam, func, insert, select

from core.errors import InvalidRating, NotFound
from core.json_types import Rationales, UtcTime
from core.studies.asking.criteria import ABSTAIN, check_point, criterion_named
from core.studies.results.disputes import FEWEST_POINTS_APART, LONGEST_WORDS, Reason
from storage.engine.database import Database, utc_now
from storage.rating.content.study_forms import study_form
from storage.rating.results.excluded_ratings import counted
from storage.tables import (
    AdjudicationRow,
    AssignmentRow,
    ImageRow,
    ItemRow,
    ItemScoreRow,
    RatingRow,
    SampleRow,
    ScoreRow,
    StudyCriterionRow,
)

Question = tuple[int, int, str]  # (item, score, criterion)


@dataclass(frozen=True, slots=True)
class Decision:
    """A stored decision about a question."""

    point: int
    reason: Reason
    words: str
    adjudicator: str
    at: UtcTime


@dataclass(frozen=True, slots=True)
class Dispute:
    """A question on which raters disagree, with their answers. It contains no names of raters or metrics."""

    item: int
    score: int
    criterion: str
    place: int  # position of the item in the study, from 1
    image: int | None  # number of the picture; None: it is missing
    caption: str
    value: float | None  # score; None: a caption without a score is rated
    scale: tuple[float, float]
    rationales: Rationales
    points: tuple[int, ...]  # points that raters gave, ascending, abstentions first
    notes: tuple[str, ...]  # raters' notes on the item, in alphabetical order
    decision: Decision | None


class Adjudications:
    """Operations on disputed questions."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def disputes(self, study_id: int) -> tuple[Dispute, ...]:
        """Return a study's disputed questions, undecided ones first.

        Within both groups, the questions whose answers differ most come first. Only answers that count in results are
        compared.
        """
        with self._database.read() as connection:
            counts = counted(connection, study_id)
            questions = connection.execute(_apart(counts), {"study": study_id}).all()
            disputed = _disputes(connection, study_id, questions, counts)
        return tuple(sorted(disputed, key=lambda one: (one.decision is not None, -_spread(one), one.place)))

    def decide(self, study_id: int, question: Question, point: int, reason: Reason, words: str, by: str) -> None:
        """Store a decision about a question that a rater has answered. Raises NotFound, InvalidRating."""
        item, score, key = question
        this = (RatingRow.study_id == study_id, RatingRow.item_id == item, RatingRow.score_id == score)
        if len(words) > LONGEST_WORDS:
            raise InvalidRating(f"Use at most {LONGEST_WORDS} characters.")
        with self._database.write() as connection:
            bounds = connection.execute(_BOUNDS, {"study": study_id, "criterion": key}).first()
            rated = select(RatingRow.item_id).where(*this, RatingRow.criterion == key).limit(1)
            if bounds is None or connection.scalar(rated) is None:
                raise NotFound("No rater has answered this question in this study.")
            criterion = criterion_named(key, study_form(connection, study_id).criteria)
            check_point(criterion, point)
            row = {"study_id": study_id, "item_id": item, "score_id": score, "criterion": key, **bounds._asdict()}
            row |= {"point": point, "reason": reason, "words": words, "adjudicator": by, "at": utc_now()}
            connection.execute(insert(AdjudicationRow).values(row))


def decided_points(connection: Connection, study_id: int) -> dict[Question, int]:
    """Return the latest decision about each disputed question of a study."""
    return {question: decision.point for question, decision in _decisions(connection, study_id).items()}


def _spread(dispute: Dispute) -> int:
    given = [point for point in dispute.points if point > ABSTAIN]
    return max(given) - min(given)


def _decisions(connection: Connection, study_id: int) -> dict[Question, Decision]:
    rows = connection.execute(_DECISIONS, {"study": study_id})
    return {
        (row.item_id, row.score_id, row.criterion): Decision(row.point, row.reason, row.words, row.adjudicator, row.at)
        for row in rows  # the newest decision comes last, so it replaces earlier decisions
    }


def _disputes(
    connection: Connection, study_id: int, questions: Any, counts: Iterable[ColumnElement[bool]]
) -> list[Dispute]:
    items = {question.item_id for question in questions}
    values = {"study": study_id, "items": items}
    points: dict[Question, list[int]] = defaultdict(list)
    for row in connection.execute(_POINTS.where(*counts), values):
        points[row.item_id, row.score_id, row.criterion].append(row.point)
    notes: dict[int, list[str]] = defaultdict(list)
    for item, note in connection.execute(NOTES, values):
        notes[item].append(note)
    decisions = _decisions(connection, study_id)
    return [
        Dispute(
            item=row.item_id,
            score=row.score_id,
            criterion=row.criterion,
            place=row.place + 1,
            image=None if row.width is None else row.image_id,
            caption=row.candidate,
            value=row.value,
            scale=(0.0, 1.0) if row.value is None else (row.scale_low, row.scale_high),
            rationales=row.rationales or {},
            points=tuple(sorted(points[row.item_id, row.score_id, row.criterion])),
            notes=tuple(sorted(notes[row.item_id])),
            decision=decisions.get((row.item_id, row.score_id, row.criterion)),
        )
        for row in questions
    ]


_STUDY: BindParameter[int] = bindparam("study")
_ITEMS: BindParameter[Any] = bindparam("items", expanding=True)
_OF_QUESTION = (RatingRow.item_id, RatingRow.score_id, RatingRow.criterion)


def _apart(counts: Iterable[ColumnElement[bool]]) -> Any:
    """Return a query for questions on which raters' answers disagree.

    counts: the conditions for answers that count in results. Other answers are not compared.
    """
    far = (
        select(*_OF_QUESTION)
        .join(ItemRow, ItemRow.id == RatingRow.item_id)
        .where(RatingRow.study_id == _STUDY, RatingRow.point > ABSTAIN, ItemRow.place >= 0, *counts)
        .group_by(*_OF_QUESTION)
        .having(func.max(RatingRow.point) - func.min(RatingRow.point) >= FEWEST_POINTS_APART)
        .subquery()
    )
    return (
        select(*far.c, ItemRow.place, SampleRow.candidate, SampleRow.image_id, ImageRow.width)
        .add_columns(ScoreRow.value, ScoreRow.scale_low, ScoreRow.scale_high, ScoreRow.rationales)
        .join(ItemRow, ItemRow.id == far.c.item_id)
        .join(ItemScoreRow, (ItemScoreRow.item_id == far.c.item_id) & (ItemScoreRow.score_id == far.c.score_id))
        .join(SampleRow, SampleRow.id == func.coalesce(ItemScoreRow.caption, ItemRow.sample_id))
        .join(ImageRow, ImageRow.id == SampleRow.image_id)
        .outerjoin(ScoreRow, ScoreRow.id == ItemScoreRow.score)
    )


_POINTS = select(*_OF_QUESTION, RatingRow.point).where(RatingRow.study_id == _STUDY, RatingRow.item_id.in_(_ITEMS))
NOTES = select(AssignmentRow.item_id, AssignmentRow.note).where(
    AssignmentRow.study_id == _STUDY, AssignmentRow.item_id.in_(_ITEMS), AssignmentRow.note != ""
)
_DECISIONS = (
    select(*AdjudicationRow.__table__.columns).where(AdjudicationRow.study_id == _STUDY).order_by(AdjudicationRow.id)
)
_BOUNDS = select(StudyCriterionRow.lowest, StudyCriterionRow.highest).where(
    StudyCriterionRow.study_id == _STUDY, StudyCriterionRow.criterion == bindparam("criterion")
)
