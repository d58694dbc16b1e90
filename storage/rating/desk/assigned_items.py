"""The items assigned to a rater, with their panels (explanations or captions to rate) and the answers so far."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import BindParameter, Connection, and_, bindparam, select

from core.studies.asking.form import Form
from core.studies.asking.item_report import ItemReport
from core.types import Score
from storage.rating.assignment.joining import own
from storage.rating.content.hidden_picture import answers_to, is_open, judged_without_image
from storage.rating.content.overlays import overlays
from storage.rating.content.study_forms import study_form
from storage.rating.rater_quality.controls import shown_value
from storage.study_types import AssignedItem, Panel, Rater
from storage.tables import (
    AssignmentRow,
    ControlRow,
    ImageRow,
    ItemReportRow,
    ItemRow,
    SampleRow,
    ScoreRow,
    StudyRow,
)

RATER: BindParameter[int] = bindparam("rater")
_ITEMS = (
    select(
        *AssignmentRow.__table__.columns,
        SampleRow.candidate,
        SampleRow.references,
        ImageRow.width,
        ImageRow.height,
        ImageRow.vocabulary,
    )
    .add_columns(StudyRow.veil, StudyRow.overlay, ControlRow.role, ControlRow.turned)
    .add_columns(ItemReportRow.reason, ItemReportRow.words, ItemReportRow.skipped)
    .outerjoin(
        ItemReportRow,
        and_(ItemReportRow.item_id == AssignmentRow.item_id, ItemReportRow.rater_id == AssignmentRow.rater_id),
    )
    .join(StudyRow, StudyRow.id == AssignmentRow.study_id)
    .join(ItemRow, ItemRow.id == AssignmentRow.item_id)
    .outerjoin(ControlRow, ControlRow.item_id == AssignmentRow.item_id)
    .join(SampleRow, SampleRow.id == ItemRow.sample_id)
    .join(ImageRow, ImageRow.id == SampleRow.image_id)
    .where(AssignmentRow.study_id == bindparam("study"), AssignmentRow.rater_id == RATER)
    .where(AssignmentRow.place >= bindparam("first"), AssignmentRow.place < bindparam("end"))
    .order_by(AssignmentRow.place)
)
_SCORES = select(ScoreRow.id, ScoreRow.value, ScoreRow.scale_low, ScoreRow.scale_high, ScoreRow.rationales).where(
    ScoreRow.id.in_(bindparam("ids", expanding=True))
)
_CAPTIONS = select(SampleRow.id, SampleRow.candidate).where(SampleRow.id.in_(bindparam("ids", expanding=True)))


def read_items(connection: Connection, study_id: int, rater: Rater, first: int, count: int) -> tuple[AssignedItem, ...]:
    between = {"first": max(first, 1), "end": first + count}
    rows = connection.execute(_ITEMS, own(study_id, rater) | between).all()
    form = study_form(connection, study_id)
    rated = rated_panels(connection, form, [number for row in rows for number in row.panels])
    answers = answers_to(connection, [row.item_id for row in rows], rater)
    blind = judged_without_image(connection, study_id)
    opened = {row.item_id for row in rows if is_open(row, blind, answers)}
    seen = overlays(connection, rows, opened)
    return tuple(_item(row, form, rated, answers, row.item_id in opened, seen.get(row.item_id)) for row in rows)


def rated_panels(connection: Connection, form: Form, numbers: Sequence[int]) -> dict[int, dict[str, Any]]:
    """Return what raters see of each panel.

    A panel is a score with its explanation, or a caption without a score.
    """
    scores = [number for number in numbers if number > 0]
    by_item: dict[int, dict[str, Any]] = {}
    for row in connection.execute(_SCORES, {"ids": scores}) if scores else ():
        value = row.value if form.shows.score else None
        rationales = row.rationales if form.shows.explanation else {}
        by_item[row.id] = {"value": value, "scale": (row.scale_low, row.scale_high), "rationales": rationales}
    captions = [-number for number in numbers if number < 0]
    for row in connection.execute(_CAPTIONS, {"ids": captions}) if captions else ():
        caption = row.candidate if form.compares else None  # None: the page shows the only caption next to the picture
        by_item[-row.id] = {"value": None, "scale": (0.0, 1.0), "rationales": {}, "caption": caption}
    return by_item


def _turned(rated: dict[str, Any], is_turned: bool | None) -> dict[str, Any]:
    """Return what raters see of a panel.

    If `is_turned`, the score is mirrored within its scale.
    """
    if not is_turned or rated["value"] is None:
        return rated
    low, high = rated["scale"]
    return rated | {"value": shown_value(rated["value"], low, high, True)}


def _item(
    row: Any,
    form: Form,
    rated: dict[int, dict[str, Any]],
    answers: dict[tuple[int, int], dict[str, int]],
    is_open: bool,
    overlay: Score | None,
) -> AssignedItem:
    panels = tuple(
        Panel(
            place=place,
            answers=answers.get((row.item_id, number), {}),
            **_turned(rated[number], row.turned),
        )
        for place, number in enumerate(row.panels, 1)
    )
    are_compared = form.compares and form.rates == "caption"
    return AssignedItem(
        id=row.id,
        place=row.place,
        caption="" if are_compared else row.candidate,
        image_size=None if row.width is None else (row.width, row.height),
        panels=panels,
        open=is_open,
        revealed=row.revealed_at is not None,
        finished=row.finished_at is not None,
        note=row.note,
        report=None if row.reason is None else ItemReport(row.reason, row.words, row.skipped),
        references=tuple(row.references) if form.shows.references else (),
        overlay=overlay,
        practice=row.role == "training",
    )
