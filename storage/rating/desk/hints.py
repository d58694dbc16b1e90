"""Give raters hints for a sentence after its first answer, and log the hints.

A log entry is written immediately and contains the rater's answer at the time of the hints. If the rater changes the
answer because of the hints, the change has a later entry.
"""

import json
import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import TypeAdapter
from sqlalchemy import Connection, bindparam, insert, select, update

from core.captions.explanation_hints import Hint
from core.errors import InvalidRating, NotYours, Veiled
from core.studies.results.hints import sees_hints
from core.types import ImageRegion
from storage.engine.database import Database, utc_now
from storage.rating.assignment.assignment_rules import assignment_rules
from storage.rating.assignment.joining import participation
from storage.rating.content.evidence import judgement
from storage.rating.content.hidden_picture import answers_to, is_open, judged_without_image
from storage.rating.content.overlays import places
from storage.rating.content.study_forms import study_form
from storage.study_types import Rater
from storage.tables import (
    AssignmentRow,
    EventRow,
    ImageRow,
    ItemRow,
    ItemSentenceRow,
    SampleRow,
    SentenceJudgementRow,
    StudyRow,
)

_HINTS: TypeAdapter[Sequence[Hint]] = TypeAdapter(Sequence[Hint])
_ANY: TypeAdapter[Any] = TypeAdapter(Any)
_ITEM = (
    select(AssignmentRow.study_id, AssignmentRow.item_id, AssignmentRow.panels, StudyRow.veil)
    .add_columns(SampleRow.candidate, ImageRow.vocabulary)
    .join(StudyRow, StudyRow.id == AssignmentRow.study_id)
    .join(ItemRow, ItemRow.id == AssignmentRow.item_id)
    .join(SampleRow, SampleRow.id == ItemRow.sample_id)
    .join(ImageRow, ImageRow.id == SampleRow.image_id)
    .where(AssignmentRow.id == bindparam("assignment"), AssignmentRow.rater_id == bindparam("rater"))
)


@dataclass(frozen=True, slots=True)
class SentencePlace:
    """Names a sentence that a rater judges or has judged."""

    assignment: str
    panel: int  # position of the panel with the sentence's explanation, from 1
    number: int  # number of the sentence in the explanation, from 1


@dataclass(frozen=True, slots=True)
class Hintable:
    """A sentence that a rater judges, with the data for the rater's hints."""

    text: str
    caption: str
    regions: tuple[ImageRegion, ...]  # the regions that the rater sees
    vocabulary: tuple[str, ...]  # labels that the regions' annotators looked for; empty: unknown


class GivenHints:
    """Operations on hints for sentences."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def asked(self, rater: Rater, at: SentencePlace) -> Hintable:
        """Return the data from which a sentence's hints are made.

        Raises NotYours. Raises InvalidRating before the rater's first complete answer, and Veiled while the picture is
        hidden.
        """
        with self._database.read() as connection:
            item, text, _ = _judged(connection, rater, at)
            if item.veil and not is_open(item, *_without_image(connection, item, rater)):
                raise Veiled("Hints are shown only after the picture.")
            regions = places(connection, [item.item_id]).get(item.item_id, ())
        return Hintable(text, item.candidate, regions, tuple(item.vocabulary))

    def give(self, rater: Rater, at: SentencePlace, hints: Sequence[Hint]) -> None:
        """Store that a rater got hints for a sentence.

        A second call for the sentence changes nothing. Raises the errors of `asked`.
        """
        now = utc_now()
        with self._database.write() as connection:
            item, _, row = _judged(connection, rater, at)
            if row.hint_shown:
                return
            of = [SentenceJudgementRow.__table__.c[name] == getattr(row, name) for name in _IDENTITY]
            connection.execute(update(SentenceJudgementRow).where(*of).values(hint_shown=True))
            held = _ANY.dump_python(judgement(row)) | {"hint_shown": True}
            fields = {"sentence": at.number, **held, "hints": _HINTS.dump_python(hints, mode="json")}
            event = {"request_key": secrets.token_hex(16), "at": now, "received_at": now}
            event |= {"rater_id": rater.id, "assignment_id": at.assignment, "kind": "sentence"}
            connection.execute(insert(EventRow).values(**event, score_id=row.score_id, text=json.dumps(fields)))


_IDENTITY = ("item_id", "score_id", "rater_id", "number")


def before_hints(connection: Connection, study_id: int) -> dict[tuple[int, int, int, int], str]:
    """Return the verdicts that raters gave before they saw hints.

    key: item, score, rater and sentence. Only sentences for which the rater saw hints have a key.
    """
    of = (AssignmentRow.study_id == study_id, EventRow.kind == "sentence", EventRow.text.like('%"hints": [%'))
    query = select(AssignmentRow.item_id, EventRow.score_id, EventRow.rater_id, EventRow.text)
    query = query.join(AssignmentRow, AssignmentRow.id == EventRow.assignment_id).where(*of)
    rows = [(row, json.loads(row.text)) for row in connection.execute(query) if row.text]
    return {(row.item_id, row.score_id, row.rater_id, fields["sentence"]): fields["verdict"] for row, fields in rows}


def shows_hints(connection: Connection, study_id: int, rater: Rater) -> bool:
    """Return whether a rater sees hints in a study."""
    form, joined = study_form(connection, study_id), participation(connection, study_id, rater)
    if form.evidence is None or joined is None:
        return False
    return sees_hints(form.evidence.hints, assignment_rules(connection, study_id).seed, joined.number)


def _judged(connection: Connection, rater: Rater, at: SentencePlace) -> tuple[Any, str, Any]:
    """Return a sentence's item, its text, and the rater's answer.

    Raises NotYours unless the rater has this item and sees hints. Raises InvalidRating if the sentence does not exist
    or the rater's judgement of it is not complete.
    """
    item = connection.execute(_ITEM, {"assignment": at.assignment, "rater": rater.id}).first()
    if item is None or not rater.may_rate(item.study_id):
        raise NotYours("This rater has no such item.")
    if not shows_hints(connection, item.study_id, rater):
        raise NotYours("This rater gets no hints.")
    if not 1 <= at.panel <= len(item.panels):
        raise InvalidRating(f"Expected a panel from 1 to {len(item.panels)}, found {at.panel}.")
    of = {"item_id": item.item_id, "score_id": item.panels[at.panel - 1], "number": at.number}
    judgement_table, sentence = SentenceJudgementRow.__table__, ItemSentenceRow.__table__
    row = connection.execute(
        select(judgement_table).where(
            judgement_table.c.rater_id == rater.id, *(judgement_table.c[name] == value for name, value in of.items())
        )
    ).first()
    if row is None or not judgement(row).is_complete:
        raise InvalidRating("Judge the sentence completely first. Hints are shown afterwards.")
    text = connection.scalars(select(sentence.c.text).where(*(sentence.c[name] == v for name, v in of.items()))).one()
    return item, text, row


def _without_image(connection: Connection, item: Any, rater: Rater) -> tuple[Any, Any]:
    """Return the criteria judged without the picture, and answers to them.

    The answers are the rater's answers about the item.
    """
    return judged_without_image(connection, item.study_id), answers_to(connection, [item.item_id], rater)
