"""Store the sentences of a study's explanations, and raters' judgements of them."""

from collections.abc import Iterable, Sequence
from dataclasses import asdict, replace
from datetime import datetime, timedelta
from typing import Any

from pydantic import TypeAdapter
from sqlalchemy import Connection, and_, bindparam, delete, func, insert, or_, select

from core.errors import InvalidRating
from core.studies.asking.sentences import SPLITTER, sentences
from core.studies.results.evidence import JudgedSentence, Judgement, Remark, judgement_of, remark_of
from core.studies.study_design import StudyDesign
from storage.rating.content.study_designs import study_design
from storage.rating.content.study_forms import study_form
from storage.study_types import Rater, Save
from storage.tables import (
    ExplanationRemarkRow,
    ItemRow,
    ItemScoreRow,
    ItemSentenceRow,
    ScoreRow,
    SentenceJudgementRow,
)

_AT_A_TIME = 500  # number of explanations that are split in one batch

# These statements are built once, because they run for every answer.
_TEXT = select(ItemSentenceRow.text).where(
    ItemSentenceRow.item_id == bindparam("item"),
    ItemSentenceRow.score_id == bindparam("score"),
    ItemSentenceRow.number == bindparam("number"),
)
_SENTENCES_OF = select(func.count()).where(ItemSentenceRow.item_id == bindparam("item"))
_COMPLETE = select(func.count()).where(
    SentenceJudgementRow.item_id == bindparam("item"),
    SentenceJudgementRow.rater_id == bindparam("rater"),
    or_(
        SentenceJudgementRow.verdict != "wrong",
        and_(SentenceJudgementRow.kind.is_not(None), SentenceJudgementRow.severity.is_not(None)),
    ),
)
_HINTED = select(SentenceJudgementRow.hint_shown).where(
    *(
        SentenceJudgementRow.__table__.c[name] == bindparam(name)
        for name in ("item_id", "score_id", "rater_id", "number")
    )
)
_ANY: TypeAdapter[Any] = TypeAdapter(Any)


def add_sentences(connection: Connection, study_id: int, design: StudyDesign) -> None:
    """Split a study's explanations into sentences, as raters will see them."""
    query = select(ItemScoreRow.item_id, ScoreRow.id, ScoreRow.rationales).join(
        ScoreRow, ScoreRow.id == ItemScoreRow.score
    )
    query = query.join(ItemRow, ItemRow.id == ItemScoreRow.item_id).where(ItemRow.study_id == study_id)
    # Explanations that are already split are left out, because their sentences must not change.
    query = query.where(ItemScoreRow.item_id.not_in(select(ItemSentenceRow.item_id)))
    rows = connection.execute(query.order_by(ItemScoreRow.item_id)).all()
    for first in range(0, len(rows), _AT_A_TIME):
        made = [one for row in rows[first : first + _AT_A_TIME] for one in _cut(row, design)]
        if made:
            connection.execute(insert(ItemSentenceRow), made)


def cut_if_asked(connection: Connection, study_id: int) -> None:
    """Split explanations into sentences if their items were added later.

    Does nothing if the study's form does not ask for evidence (judgements of sentences).
    """
    if study_form(connection, study_id).evidence:
        add_sentences(connection, study_id, study_design(connection, study_id))


def _cut(row: Any, design: StudyDesign) -> Iterable[dict[str, Any]]:
    shown = design.shown_texts(row.rationales)
    return (
        {"item_id": row.item_id, "score_id": row.id, "number": number, "splitter": SPLITTER, **asdict(sentence)}
        for number, sentence in enumerate(sentences(shown), 1)
    )


def judged_sentences(
    connection: Connection, items: Sequence[int], rater: Rater
) -> dict[tuple[int, int], tuple[JudgedSentence, ...]]:
    """Return items' sentences with a rater's judgements.

    key: item and score. Each sentence has the rater's judgement, if there is one.
    """
    judgements = {}
    for row in connection.execute(
        select(SentenceJudgementRow)
        .where(SentenceJudgementRow.item_id.in_(items), SentenceJudgementRow.rater_id == rater.id)
        .with_only_columns(*SentenceJudgementRow.__table__.columns)
    ):
        judgements[row.item_id, row.score_id, row.number] = judgement(row)
    by_panel: dict[tuple[int, int], list[JudgedSentence]] = {}
    query = select(*ItemSentenceRow.__table__.columns).where(ItemSentenceRow.item_id.in_(items))
    for row in connection.execute(query.order_by(ItemSentenceRow.item_id, ItemSentenceRow.number)):
        given = judgements.get((row.item_id, row.score_id, row.number))
        by_panel.setdefault((row.item_id, row.score_id), []).append(
            JudgedSentence(row.number, row.aspect, row.text, given)
        )
    return {place: tuple(sentences) for place, sentences in by_panel.items()}


def remarks(connection: Connection, items: Sequence[int], rater: Rater) -> dict[tuple[int, int], Remark]:
    """Return a rater's judgements of whole explanations; key: item id and score id."""
    of = (ExplanationRemarkRow.item_id.in_(items), ExplanationRemarkRow.rater_id == rater.id)
    rows = connection.execute(select(*ExplanationRemarkRow.__table__.columns).where(*of))
    return {
        (row.item_id, row.score_id): remark_of({"overlooked": row.overlooked, "no_fault": row.no_fault}) for row in rows
    }


def judgement(row: Any) -> Judgement:
    """Return the judgement in a row with SentenceJudgementRow's columns."""
    names = ("verdict", "start", "end", "kind", "severity", "place", "hint_shown")
    return judgement_of({name: getattr(row, name) for name in names}, row.end or 0)


def judge(
    connection: Connection, rater: Rater, assignment: Any, save: Save, at: datetime, late: bool
) -> dict[str, Any]:
    """Store a judgement of a sentence. Return what its row in `events` contains.

    Raises InvalidRating. late: whether the study was already closed.
    """
    score_id = _score(assignment, save)
    of = {"item": assignment.item_id, "score": score_id, "number": save.sentence}
    text = connection.scalar(_TEXT, of) if save.sentence is not None else None
    if text is None or save.said is None:
        raise InvalidRating(f"Expected a sentence of the explanation and its judgement, found {save.sentence!r}.")
    identity = {"item_id": assignment.item_id, "score_id": score_id, "rater_id": rater.id, "number": save.sentence}
    judgement = replace(judgement_of(save.said, len(text)), hint_shown=_was_hinted(connection, identity))
    started = at - timedelta(milliseconds=save.shown_ms)
    started = started if assignment.given_at is None else max(assignment.given_at, started)
    given = {"submitted_at": at, "started_at": started, "duration_ms": save.in_sight_ms}
    given |= {"picture_shown": save.picture_shown, "late": late}
    earlier = delete(SentenceJudgementRow).where(
        *(SentenceJudgementRow.__table__.c[name] == value for name, value in identity.items())
    )
    connection.execute(earlier)
    plain = _ANY.dump_python(judgement)
    connection.execute(insert(SentenceJudgementRow).values(study_id=assignment.study_id, **identity, **given, **plain))
    return {"score_id": score_id, "text": _ANY.dump_json({"sentence": save.sentence, **plain}).decode()}


def _was_hinted(connection: Connection, identity: dict[str, Any]) -> bool:
    """Return whether a rater got hints for a sentence.

    Only the server knows this reliably, so the value that the browser sends is ignored.
    """
    return bool(connection.scalar(_HINTED, identity))


def remark(connection: Connection, rater: Rater, assignment: Any, save: Save, at: datetime) -> dict[str, Any]:
    """Store a judgement of a whole explanation. Return what its row in `events` contains.

    Raises InvalidRating.
    """
    score_id = _score(assignment, save)
    if save.said is None:
        raise InvalidRating("Expected a judgement of the explanation, found none.")
    plain = _ANY.dump_python(remark_of(save.said))
    identity = {"item_id": assignment.item_id, "score_id": score_id, "rater_id": rater.id}
    earlier = delete(ExplanationRemarkRow).where(
        *(ExplanationRemarkRow.__table__.c[name] == value for name, value in identity.items())
    )
    connection.execute(earlier)
    values = {"study_id": assignment.study_id, "submitted_at": at, **identity, **plain}
    connection.execute(insert(ExplanationRemarkRow).values(values))
    return {"score_id": score_id, "text": _ANY.dump_json(plain).decode()}


def is_judged(connection: Connection, item: int, rater: Rater) -> bool:
    """Return whether a rater has completely judged every sentence of an item.

    True if the item has no sentences.
    """
    wanted = connection.scalar(_SENTENCES_OF, {"item": item}) or 0
    return not wanted or connection.scalar(_COMPLETE, {"item": item, "rater": rater.id}) == wanted


def _score(assignment: Any, save: Save) -> int:
    """Return the score whose explanation an answer (`save`) is about.

    Raises InvalidRating unless the answer names one of the explanations that the item shows.
    """
    panels: list[int] = assignment.panels
    if save.panel is None or not 1 <= save.panel <= len(panels):
        raise InvalidRating(f"Expected a panel from 1 to {len(panels)}, found {save.panel!r}.")
    return panels[save.panel - 1]
