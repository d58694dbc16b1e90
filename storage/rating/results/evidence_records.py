"""Read a study's evidence (judgements of sentences) for exports and reports: one record per judged sentence."""

from collections.abc import Iterator, Mapping
from typing import Any

from sqlalchemy import Connection, and_, func, select

from core.studies.results.evidence_export import EvidenceRecord
from storage.rating.content.hidden_picture import was_shown
from storage.rating.desk.hints import before_hints
from storage.rating.results.excluded_ratings import reason
from storage.rating.results.sentence_adjudication import SentenceDecision, decided_sentences
from storage.tables import (
    AssignmentRow,
    ExclusionRow,
    ExplanationRemarkRow,
    ImageRow,
    ItemRow,
    ItemSentenceRow,
    ParticipationRow,
    RaterRow,
    SampleRow,
    ScoreRow,
    SentenceJudgementRow,
    StudyRow,
)


def evidence_records(connection: Connection, study_id: int) -> Iterator[EvidenceRecord]:
    """Yield every rater's judgement of every sentence.

    The judgements are sorted by item, rater, score and sentence.
    """
    hinted, decided = before_hints(connection, study_id), decided_sentences(connection, study_id)
    for row in connection.execution_options(yield_per=5_000).execute(_query(study_id)):
        yield _record(row, hinted, decided.get((row.item_id, row.score_id, row.sentence)))


def _query(study_id: int) -> Any:
    judged, sentence, remark = SentenceJudgementRow, ItemSentenceRow, ExplanationRemarkRow
    every = (
        select(sentence.item_id, sentence.score_id, func.count().label("count"))
        .group_by(sentence.item_id, sentence.score_id)
        .subquery()
    )
    same = and_(
        remark.item_id == judged.item_id, remark.score_id == judged.score_id, remark.rater_id == judged.rater_id
    )
    return (
        select(
            judged.item_id,
            judged.score_id,
            judged.rater_id,
            StudyRow.name.label("study"),
            (ItemRow.place + 1).label("item"),
            SampleRow.key.label("sample"),
            ImageRow.name.label("image"),
            ImageRow.path.is_not(None).label("has_picture"),
            SampleRow.candidate.label("caption"),
            SampleRow.human,
            ScoreRow.metric,
            ScoreRow.signature,
            ScoreRow.value.label("score"),
            ((ScoreRow.value - ScoreRow.scale_low) / (ScoreRow.scale_high - ScoreRow.scale_low)).label(
                "score_rescaled"
            ),
            RaterRow.code.label("rater"),
            sentence.aspect,
            judged.number.label("sentence"),
            every.c.count.label("sentences"),
            sentence.start,
            sentence.end,
            sentence.text,
            sentence.splitter,
            judged.verdict,
            judged.start.label("words_start"),
            judged.end.label("words_end"),
            judged.kind,
            judged.severity,
            judged.place.label("where"),
            judged.hint_shown,
            func.coalesce(remark.no_fault, False).label("no_fault"),
            remark.overlooked.label("places"),
            judged.started_at,
            judged.submitted_at,
            judged.duration_ms,
            judged.picture_shown,
            judged.late,
            StudyRow.veil,
            ImageRow.width,
            AssignmentRow.revealed_at,
            ParticipationRow.pilot,
            ExclusionRow.reason.label("excluded"),
            AssignmentRow.released_at.label("released"),
        )
        .join_from(judged, StudyRow, StudyRow.id == judged.study_id)
        .join(ItemRow, ItemRow.id == judged.item_id)
        .join(SampleRow, SampleRow.id == ItemRow.sample_id)
        .join(ImageRow, ImageRow.id == SampleRow.image_id)
        .join(ScoreRow, ScoreRow.id == judged.score_id)
        .join(RaterRow, RaterRow.id == judged.rater_id)
        .join(
            sentence,
            and_(
                sentence.item_id == judged.item_id,
                sentence.score_id == judged.score_id,
                sentence.number == judged.number,
            ),
        )
        .join(every, and_(every.c.item_id == judged.item_id, every.c.score_id == judged.score_id))
        .outerjoin(remark, same)
        .join(AssignmentRow, and_(AssignmentRow.item_id == judged.item_id, AssignmentRow.rater_id == judged.rater_id))
        .join(
            ParticipationRow,
            and_(ParticipationRow.study_id == judged.study_id, ParticipationRow.rater_id == judged.rater_id),
        )
        .outerjoin(
            ExclusionRow, and_(ExclusionRow.study_id == judged.study_id, ExclusionRow.rater_id == judged.rater_id)
        )
        .where(judged.study_id == study_id, ItemRow.place >= 0)
        .order_by(ItemRow.place, judged.rater_id, judged.score_id, judged.number)
    )


def _record(
    row: Any, hinted: Mapping[tuple[int, int, int, int], str], decision: SentenceDecision | None
) -> EvidenceRecord:
    values = dict(row._mapping)
    at = tuple(values.pop(name) for name in ("item_id", "score_id", "rater_id"))
    values["before_hint"] = hinted.get((*at, row.sentence)) if row.hint_shown else None
    where, places = values.pop("where"), values.pop("places")
    values["not_given"] = _not_given(row) if row.verdict == "wrong" else ""
    del values["has_picture"]
    picture = tuple(values.pop(name) for name in ("width", "veil", "revealed_at"))
    values["picture_shown"] = was_shown(row.picture_shown, picture[0], picture[1], picture[2], row.submitted_at)
    values["picture_missing"] = row.width is None
    left_out = reason(values.pop("pilot"), values.pop("excluded"), values.pop("released") is not None)
    if decision is not None:
        decided = (decision.verdict, decision.kind, decision.severity)
        values |= dict(zip(("decided", "decided_kind", "decided_severity"), decided, strict=True))
    return EvidenceRecord(**values, **_place(where), overlooked=len(places or ()), left_out=left_out)


def _not_given(row: Any) -> str:
    """Return which details of a wrong sentence a rater did not give.

    If the item has no picture, the rater does not have to mark a place in the picture.
    """
    is_missing = {"words": row.words_start is None, "place": row.where is None and row.has_picture}
    return ", ".join(name for name, missing in is_missing.items() if missing)


def _place(where: dict[str, Any] | None) -> dict[str, Any]:
    """Return a record's columns for the marked place of an error."""
    place: dict[str, Any] = {"place": None, "region": None, "label": None, "area": None, "box": None}
    if where is None:
        return place
    kind = "nowhere" if where["nowhere"] else "box" if where["box"] else "region"
    box = " ".join(f"{side:.4f}" for side in where["box"]) if where["box"] else None
    return place | {"place": kind, "box": box, **{name: where[name] for name in ("region", "label", "area")}}
