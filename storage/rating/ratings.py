"""Read all ratings of a study as one table, for exports, reports and the table of raters.

Results exclude ratings by excluded raters, of items that were taken back or skipped, and of practice and gold items.
"""

from collections import defaultdict
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from sqlalchemy import ColumnElement, Connection, Select, bindparam, case, func, or_, select
from sqlalchemy.orm import aliased

from core.studies.results.export import COLUMNS
from storage.rating.rules import IS_EXCLUDED, Rules, rules
from storage.tables import (
    AssignmentRow,
    EventRow,
    ExclusionRow,
    GoldRow,
    ImageRow,
    ItemRow,
    ItemScoreRow,
    RaterRow,
    RatingRow,
    SampleRow,
    ScoreRow,
)

if TYPE_CHECKING:
    import pandas as pd

_OTHERS = ("place", "words", "right")  # columns of the table that exports do not have


def ratings_table(connection: Connection, study_id: int) -> "pd.DataFrame":
    """Return every rating of a study, sorted by item, rater, explanation and criterion; control items come first.

    Raises NotFound.

    The columns are those of an export (core.studies.results.export), and: `place`, the item's position in the
    rater's order; `words`, the number of words in the item's explanations; `right`, whether the answer to a gold item
    is right (None: no right answer is known).
    """
    import pandas as pd  # imported late, because commands that read no ratings start faster without pandas

    of = rules(connection, study_id)
    changed, words = _changed_after_image(connection, study_id), _words(connection, study_id)
    rows = connection.execute(_QUERY, {"study": study_id}).mappings()
    table = pd.DataFrame([_values(of, row, changed, words) for row in rows], columns=[*COLUMNS, *_OTHERS], dtype=object)
    whole = ("item", "rating", "panel_position", "duration_ms", "place", "words")
    truths = ("changed_after_image", "regions_shown", "picture_shown", "picture_missing", "late")
    return table.astype({**dict.fromkeys(whole, "int64"), **dict.fromkeys(truths, bool)})


def _values(
    of: Rules, row: Mapping[Any, Any], changed: frozenset[tuple[str, int | None, str]], words: Mapping[int, int]
) -> Any:
    values: dict[str, Any] = {name: row[name] for name in COLUMNS if name in row}
    values |= {"study": of.design.name, "form": of.form.layout}
    if row["metric"] is None:  # a caption without a metric; compared captions are told apart by their positions
        values["metric"] = "caption" if of.form.layout == "single" else f"caption {row['nth'] + 1}"
    score, criterion, expected = row["score_id"], row["criterion"], row["expected"]
    values["picture_missing"] = row["width"] is None
    values["picture_shown"] = row["picture_shown"] and row["width"] is not None
    values["panel_position"] = row["panels"].index(score) + 1
    values["changed_after_image"] = (row["assignment"], score if score > 0 else None, criterion) in changed
    values["left_out"] = _reason(row["excluded"], row["released_at"] is not None, row["role"])
    values["place"], values["words"] = abs(row["place"]), words.get(row["item_id"], 0)
    bounds = expected.get(criterion) if expected and row["retired_at"] is None else None
    values["right"] = None if bounds is None else bounds[0] <= row["rating"] <= bounds[1]
    return [values[name] for name in (*COLUMNS, *_OTHERS)]


def _words(connection: Connection, study_id: int) -> dict[int, int]:
    words: dict[int, int] = defaultdict(int)
    for item, rationales in connection.execute(_EXPLANATIONS, {"study": study_id}):
        words[item] += sum(len(text.split()) for text in rationales.values())
    return words


def _changed_after_image(connection: Connection, study_id: int) -> frozenset[tuple[str, int | None, str]]:
    """Return the answers that raters changed after they saw the picture, as (assignment, score or None, criterion).

    The events' numbers show which came first. Their times also depend on the connection to the server.
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


def _query() -> Any:
    shown = case((GoldRow.turned, ScoreRow.scale_low + ScoreRow.scale_high - ScoreRow.value), else_=ScoreRow.value)
    columns = {
        "item": case((ItemRow.place >= 0, ItemRow.place + 1), else_=ItemRow.place),
        "stratum": ItemRow.stratum,
        "sample": SampleRow.key,
        "image": ImageRow.name,
        "caption": SampleRow.candidate,
        "human": SampleRow.human,
        "metric": ScoreRow.metric,
        "nth": ItemScoreRow.place,
        "signature": func.coalesce(ScoreRow.signature, ""),
        "score": shown,
        "rater": RaterRow.code,
        "criterion": RatingRow.criterion,
        "rating": RatingRow.point,
        "started_at": RatingRow.started_at,
        "submitted_at": RatingRow.submitted_at,
        "duration_ms": RatingRow.duration_ms,
        "image_shown_at": AssignmentRow.revealed_at,
        "regions_shown": RatingRow.regions_shown,
        "picture_shown": RatingRow.picture_shown,
        "note": AssignmentRow.note,
        "role": ItemRow.role,
        "late": RatingRow.late,
        "item_id": RatingRow.item_id,
        "score_id": RatingRow.score_id,
        "assignment": AssignmentRow.id,
        "panels": AssignmentRow.panels,
        "place": AssignmentRow.place,
        "released_at": AssignmentRow.released_at,
        "excluded": ExclusionRow.reason,
        "expected": GoldRow.expected,
        "retired_at": GoldRow.retired_at,
        "width": ImageRow.width,
    }
    rater = RatingRow.rater_id
    return (
        select(*(column.label(name) for name, column in columns.items()))
        .join_from(RatingRow, ItemRow, ItemRow.id == RatingRow.item_id)
        .outerjoin(GoldRow, GoldRow.item_id == RatingRow.item_id)
        .join(ItemScoreRow, (ItemScoreRow.item_id == RatingRow.item_id) & (ItemScoreRow.score_id == RatingRow.score_id))
        .join(SampleRow, SampleRow.id == func.coalesce(ItemScoreRow.caption, ItemRow.sample_id))
        .join(ImageRow, ImageRow.id == SampleRow.image_id)
        .outerjoin(ScoreRow, ScoreRow.id == ItemScoreRow.score)
        .join(RaterRow, RaterRow.id == rater)
        .join(AssignmentRow, (AssignmentRow.item_id == RatingRow.item_id) & (AssignmentRow.rater_id == rater))
        .outerjoin(ExclusionRow, (ExclusionRow.study_id == RatingRow.study_id) & (ExclusionRow.rater_id == rater))
        .where(RatingRow.study_id == bindparam("study"))
        .order_by(ItemRow.place, rater, RatingRow.score_id, RatingRow.criterion)
    )


_QUERY = _query()
_EXPLANATIONS = (
    select(ItemScoreRow.item_id, ScoreRow.rationales)
    .join(ScoreRow, ScoreRow.id == ItemScoreRow.score)
    .join(ItemRow, ItemRow.id == ItemScoreRow.item_id)
    .where(ItemRow.study_id == bindparam("study"))
)


def _reason(excluded: str | None, released: bool, role: str) -> str:
    """Return in a few words why results exclude an answer; "" if they include it.

    excluded: why the rater was excluded. released: the item was skipped or given to another rater.
    """
    if role != "item":
        return role
    if excluded is not None:
        return f"rater excluded: {excluded}"
    return "item released" if released else ""


def counted(connection: Connection, study: int) -> tuple[ColumnElement[bool], ...]:
    """Return the conditions that select the answers that results include.

    If the study has no excluded answers, the result is (). Without conditions, the
    database can compute a mean from an index alone.
    """
    left_out = _left_out().where(AssignmentRow.study_id == study)
    if connection.execute(left_out.limit(1)).first() is None:
        return ()
    same = (AssignmentRow.item_id == RatingRow.item_id, AssignmentRow.rater_id == RatingRow.rater_id)
    return (~_left_out().where(*same).correlate(RatingRow).exists(),)


def _left_out() -> Select[Any]:
    query = select(AssignmentRow.id).outerjoin(ExclusionRow, IS_EXCLUDED)
    query = query.join(ItemRow, ItemRow.id == AssignmentRow.item_id)
    of_person = or_(AssignmentRow.released_at.is_not(None), ExclusionRow.at.is_not(None))
    return query.where(or_(of_person, ItemRow.place < 0))  # control items have negative places
