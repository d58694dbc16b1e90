"""Read a study's ratings for exports and reports: one record per answer."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from sqlalchemy import Connection, case, func, select
from sqlalchemy.orm import aliased

from core.studies.results.export import FACTS, AnswerFacts, RatingRecord
from storage.rating.content.hidden_picture import was_shown
from storage.rating.results.excluded_ratings import reason
from storage.tables import (
    AssignmentRow,
    ControlRow,
    EventRow,
    ExclusionRow,
    ImageRow,
    ItemRow,
    ItemScoreRow,
    ParticipationRow,
    RaterRow,
    RatingRow,
    SampleRow,
    ScoreRow,
    StudyRow,
)

NUMBERED = aliased(ItemRow)  # the item, or the original if the item is a repeat
SHOWN_VALUE = case((ControlRow.turned, ScoreRow.scale_low + ScoreRow.scale_high - ScoreRow.value), else_=ScoreRow.value)
_DESCRIBED = 14  # the first 14 columns of _records_query are in the order of RatingRecord's fields


def rating_records(connection: Connection, study_id: int) -> Iterator[RatingRecord]:
    """Yield every rating of a study.

    The ratings are sorted by item, rater, panel (explanation or caption) and criterion. Control items (practice, gold
    and repeated items) come first.
    """
    changed = _changed_after_image(connection, study_id)
    for row in connection.execution_options(yield_per=5_000).execute(_records_query(study_id)):
        yield _record(row, changed)


def _changed_after_image(connection: Connection, study_id: int) -> frozenset[tuple[str, int | None, str]]:
    """Return the answers that raters changed after they saw the picture.

    Each answer is (assignment, score or None, criterion). The change and the first view of the picture are two events.
    Their numbers show which came first. Their times are not compared, because the times also depend on the connection
    to the server.
    """
    revealed = aliased(EventRow)
    query = (
        select(EventRow.assignment_id, EventRow.score_id, EventRow.criterion)
        .join(AssignmentRow, AssignmentRow.id == EventRow.assignment_id)
        .join(revealed, (revealed.assignment_id == EventRow.assignment_id) & (revealed.kind == "reveal"))
        .where(
            AssignmentRow.study_id == study_id,
            EventRow.kind == "rating",
            EventRow.old_point.is_not(None),
            EventRow.old_point != EventRow.new_point,
            EventRow.id > revealed.id,
        )
    )
    return frozenset((row.assignment_id, row.score_id, row.criterion) for row in connection.execute(query))


# Stands for the metric's name if two captions are compared, because a caption without a score has no metric.
CAPTION = case((ItemScoreRow.place == 0, "caption 1"), else_="caption 2")


def _records_query(study_id: int) -> Any:
    of_caption = ItemScoreRow.caption.is_not(None)
    return (
        select(
            StudyRow.name,
            StudyRow.form,
            case((NUMBERED.place >= 0, NUMBERED.place + 1), else_=NUMBERED.place),
            ItemRow.stratum,
            SampleRow.key,
            ImageRow.name,
            SampleRow.candidate,
            SampleRow.human,
            case((of_caption, case((StudyRow.form == "single", "caption"), else_=CAPTION)), else_=ScoreRow.metric),
            func.coalesce(ScoreRow.signature, ""),
            SHOWN_VALUE,
            RaterRow.code,
            RatingRow.criterion,
            RatingRow.point,  # the columns up to here are in RatingRecord's order
            RatingRow.item_id,
            RatingRow.score_id,
            AssignmentRow.panels,
            RatingRow.started_at,
            RatingRow.submitted_at,
            RatingRow.duration_ms,
            AssignmentRow.revealed_at,
            AssignmentRow.id,
            AssignmentRow.note,
            AssignmentRow.released_at,
            ParticipationRow.pilot,
            ExclusionRow.reason,
            func.coalesce(ControlRow.role, "item"),
            StudyRow.veil,
            ImageRow.width,
            RatingRow.late,
            *(getattr(RatingRow, name) for name in FACTS),
        )
        .join_from(RatingRow, StudyRow, StudyRow.id == RatingRow.study_id)
        .join(ItemRow, ItemRow.id == RatingRow.item_id)
        .outerjoin(ControlRow, ControlRow.item_id == RatingRow.item_id)
        .join(NUMBERED, NUMBERED.id == func.coalesce(ControlRow.original_id, ItemRow.id))
        .join(ItemScoreRow, (ItemScoreRow.item_id == RatingRow.item_id) & (ItemScoreRow.score_id == RatingRow.score_id))
        .join(SampleRow, SampleRow.id == func.coalesce(ItemScoreRow.caption, ItemRow.sample_id))
        .join(ImageRow, ImageRow.id == SampleRow.image_id)
        .outerjoin(ScoreRow, ScoreRow.id == ItemScoreRow.score)
        .join(RaterRow, RaterRow.id == RatingRow.rater_id)
        .join(
            AssignmentRow,
            (AssignmentRow.item_id == RatingRow.item_id) & (AssignmentRow.rater_id == RatingRow.rater_id),
        )
        .join(
            ParticipationRow,
            (ParticipationRow.study_id == RatingRow.study_id) & (ParticipationRow.rater_id == RatingRow.rater_id),
        )
        .outerjoin(
            ExclusionRow,
            (ExclusionRow.study_id == RatingRow.study_id) & (ExclusionRow.rater_id == RatingRow.rater_id),
        )
        .where(RatingRow.study_id == study_id)
        .order_by(ItemRow.place, RatingRow.rater_id, RatingRow.score_id, RatingRow.criterion)
    )


def _record(row: Any, changed: frozenset[tuple[str, int | None, str]]) -> RatingRecord:
    # Columns are read by position, because reading by name took half of the time.
    described, rest = row[:_DESCRIBED], row[_DESCRIBED:]
    _, score_id, panels, started, submitted, duration_ms, revealed, assignment, note, *rest = rest
    released, pilot, why, role, veil, width, late, *overlay_facts = rest
    criterion = described[-2]
    was_changed = (assignment, score_id if score_id > 0 else None, criterion) in changed
    times = (started, submitted, duration_ms, revealed)
    facts = AnswerFacts(**dict(zip(FACTS, overlay_facts, strict=True)))
    if facts.picture_shown is None or width is None:
        facts = replace(facts, picture_shown=was_shown(facts.picture_shown, width, veil, revealed, submitted))
    values: tuple[Any, ...] = (*described, panels.index(score_id) + 1, *times, was_changed, facts, note)
    values += (reason(pilot, why, released is not None, role), role)
    values += (width is None, late)
    return RatingRecord(*values)
