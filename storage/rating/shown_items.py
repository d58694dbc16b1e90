"""What a rater sees of an item: its panels (explanations or captions to rate), the answers so far, and its regions.

If the study hides the picture at first (veil), the server neither sends the picture nor its regions, and accepts no
answers to questions that need it, until the questions about the text alone are answered.
"""

from collections.abc import Collection, Container, Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, and_, bindparam, func, select

from core.errors import Veiled
from core.studies.asking.form import Form
from core.studies.asking.item_report import ItemReport
from core.types import Score
from storage.data.outcome_columns import outcome_of
from storage.rating.gold import shown_value
from storage.rating.rules import Rules
from storage.study_types import AssignedItem, Panel, Rater
from storage.tables import (
    AssignmentRow,
    GoldRow,
    ImageRow,
    ItemReportRow,
    ItemRow,
    RatingRow,
    SampleRow,
    ScoreRow,
    as_text,
)

Answers = Mapping[tuple[int, int], Mapping[str, int]]  # key: (item, score); value: criterion -> point

# Statements are built once, because SQLAlchemy builds a statement more slowly than SQLite runs it.
_ITEMS = (
    select(
        *AssignmentRow.__table__.columns,
        SampleRow.candidate,
        SampleRow.references,
        ImageRow.width,
        ImageRow.height,
        ImageRow.vocabulary,
    )
    .add_columns(ItemRow.role, GoldRow.turned, ItemReportRow.reason, ItemReportRow.words, ItemReportRow.skipped)
    .outerjoin(
        ItemReportRow,
        and_(ItemReportRow.item_id == AssignmentRow.item_id, ItemReportRow.rater_id == AssignmentRow.rater_id),
    )
    .join(ItemRow, ItemRow.id == AssignmentRow.item_id)
    .outerjoin(GoldRow, GoldRow.item_id == AssignmentRow.item_id)
    .join(SampleRow, SampleRow.id == ItemRow.sample_id)
    .join(ImageRow, ImageRow.id == SampleRow.image_id)
    .where(AssignmentRow.study_id == bindparam("study"), AssignmentRow.rater_id == bindparam("rater"))
    .where(AssignmentRow.place >= bindparam("first"), AssignmentRow.place < bindparam("end"))
    .order_by(AssignmentRow.place)
)
_SCORES = select(ScoreRow.id, ScoreRow.value, ScoreRow.scale_low, ScoreRow.scale_high, ScoreRow.rationales).where(
    ScoreRow.id.in_(bindparam("ids", expanding=True))
)
_CAPTIONS = select(SampleRow.id, SampleRow.candidate).where(SampleRow.id.in_(bindparam("ids", expanding=True)))
_ANSWERS = select(RatingRow.item_id, RatingRow.score_id, RatingRow.criterion, RatingRow.point).where(
    RatingRow.item_id.in_(bindparam("items", expanding=True)), RatingRow.rater_id == bindparam("rater")
)


def read_items(connection: Connection, of: Rules, rater: Rater, first: int, count: int) -> tuple[AssignedItem, ...]:
    """Return up to `count` items of a rater, from position `first`."""
    between = {"study": of.study, "rater": rater.id, "first": max(first, 1), "end": first + count}
    rows = connection.execute(_ITEMS, between).all()
    rated = _rated_panels(connection, of.form, [number for row in rows for number in row.panels])
    answers = answers_to(connection, [row.item_id for row in rows], rater)
    opened = {row.item_id for row in rows if is_open(of, row, answers)}
    regions = _first_with_regions(connection, opened) if of.design.overlay else {}
    return tuple(_item(row, of.form, rated, answers, row.item_id in opened, regions.get(row.item_id)) for row in rows)


def answers_to(connection: Connection, items: Sequence[int], rater: Rater) -> dict[tuple[int, int], dict[str, int]]:
    """Return a rater's answers to items; key: item and score; value: criterion -> point."""
    answers: dict[tuple[int, int], dict[str, int]] = {}
    for row in connection.execute(_ANSWERS, {"items": items, "rater": rater.id}):
        answers.setdefault((row.item_id, row.score_id), {})[row.criterion] = row.point
    return answers


def is_open(of: Rules, row: Any, answers: Answers) -> bool:
    """Return whether an item's picture may be shown.

    If the study hides pictures at first, each explanation of the item must have answers to all criteria that are judged
    without the picture. row: an assignment's item_id and panels (ids of its rated scores).
    """
    blind = [one.key for one in of.form.criteria if one.without_image]
    given = (answers.get((row.item_id, score), {}) for score in row.panels)
    return not of.design.veil or all(key in answered for answered in given for key in blind)


def check_open(of: Rules, row: Any, answered: Container[tuple[int, str]], question: str) -> None:
    """Raise Veiled if an answer needs a picture that is still hidden.

    row: an assignment's panels (ids of its rated scores), finished_at and has_image. answered: the (score, criterion)
    pairs that have an answer.
    """
    if not of.design.veil or not row.has_image or row.finished_at is not None:
        return
    first = [one for one in of.form.criteria if one.without_image]
    if any((score, one.key) not in answered for score in row.panels for one in first):
        names = " and ".join(one.name for one in first)
        raise Veiled(f"{question} needs the picture, which is shown once {names} is answered. Answer {names} first.")


def _rated_panels(connection: Connection, form: Form, numbers: Sequence[int]) -> dict[int, dict[str, Any]]:
    """Return what raters see of each panel: a score with its explanation, or a caption without a score."""
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
    """Return what raters see of a panel. If `is_turned`, the score is mirrored within its scale."""
    if not is_turned or rated["value"] is None:
        return rated
    low, high = rated["scale"]
    return rated | {"value": shown_value(rated["value"], low, high, turned=True)}


def _item(
    row: Any,
    form: Form,
    rated: dict[int, dict[str, Any]],
    answers: Answers,
    is_open: bool,
    overlay: Score | None,
) -> AssignedItem:
    panels = tuple(
        Panel(place=place, answers=dict(answers.get((row.item_id, number), {})), **_turned(rated[number], row.turned))
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
        practice=row.role == "practice",
    )


def _first_with_regions(connection: Connection, items: Collection[int]) -> dict[int, Score]:
    """Return, for each item's sample, its first score that has regions; key: item.

    Since it is the first score, scores that are added while a study runs do not change the regions that raters see.
    """
    if not items:
        return {}
    with_regions = as_text(ScoreRow.regions) != "[]"
    first = (
        select(func.min(ScoreRow.id))
        .join(ItemRow, ItemRow.sample_id == ScoreRow.sample_id)
        .where(ItemRow.id.in_(items), ScoreRow.value.is_not(None), with_regions)
        .group_by(ItemRow.id)
    )
    columns = (*ScoreRow.__table__.columns, ItemRow.id.label("item_id"))
    query = select(*columns).join(ItemRow, ItemRow.sample_id == ScoreRow.sample_id)
    scores: dict[int, Score] = {}
    for row in connection.execute(query.where(ItemRow.id.in_(items), ScoreRow.id.in_(first))):
        outcome = outcome_of(row)
        if isinstance(outcome, Score):
            scores[row.item_id] = outcome
    return scores
