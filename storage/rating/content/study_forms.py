"""The form of each study, frozen when the study was made: what its file said then is stored beside it."""

from collections.abc import Iterable
from dataclasses import replace

from sqlalchemy import Connection, bindparam, func, insert, select

from core.studies.asking.form import Form
from core.studies.asking.form_file import read_form
from core.studies.asking.shipped_forms import form_named
from storage.tables import StudyCriterionRow, StudyFormRow, StudyRow

# Built once: asked at every save.
_FORM = (
    select(StudyRow.form, StudyFormRow.text)
    .outerjoin(StudyFormRow, StudyFormRow.study_id == StudyRow.id)
    .where(StudyRow.id == bindparam("study"))
)
_ASKED = (
    select(StudyCriterionRow.criterion)
    .where(StudyCriterionRow.study_id == bindparam("study"))
    .order_by(StudyCriterionRow.place)
)


def study_form(connection: Connection, study_id: int) -> Form:
    """Return the whole form of a study, with every criterion that its file has."""
    layout, text = connection.execute(_FORM, {"study": study_id}).one()
    return stored_form(layout, text)


def asked_form(connection: Connection, study_id: int) -> Form:
    """Return the form of a study with the criteria that it asks for."""
    return asking(study_form(connection, study_id), connection.scalars(_ASKED, {"study": study_id}))


def stored_form(layout: str, text: str | None) -> Form:
    """Return a form from its stored text; a study that was made before there were others has EXPERT's."""
    return form_named(layout) if text is None else read_form(text, is_new=False)


def asking(form: Form, keys: Iterable[str]) -> Form:
    """Return a form with the criteria of those keys alone; one that asks for evidence may have none."""
    chosen = tuple(keys)
    return replace(form, criteria=form.chosen(chosen) if chosen else ())


def add_form(connection: Connection, study_id: int, form: Form) -> None:
    """Store a study's form; a text that no study has had under its key is a new version."""
    of_key = StudyFormRow.key == form.key
    known = connection.scalar(select(StudyFormRow.version).where(of_key, StudyFormRow.sha256 == form.sha256).limit(1))
    version = known or (connection.scalar(select(func.max(StudyFormRow.version)).where(of_key)) or 0) + 1
    row = {"study_id": study_id, "key": form.key, "version": version, "sha256": form.sha256, "text": form.text}
    connection.execute(insert(StudyFormRow).values(row))


def rated_columns(number: int) -> dict[str, int | None]:
    """Return ItemScoreRow's columns that say what is rated: a score, or by a number below nought a caption alone."""
    return {"score_id": number, "score": number if number > 0 else None, "caption": -number if number < 0 else None}
