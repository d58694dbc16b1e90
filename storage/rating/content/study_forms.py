"""Store and read each study's form, a file with the study's questions.

A study keeps the form's text from the time of its creation.
"""

from collections.abc import Iterable
from dataclasses import replace

from sqlalchemy import Connection, bindparam, func, insert, select

from core.studies.asking.form import Form
from core.studies.asking.form_file import read_form
from core.studies.asking.shipped_forms import form_named
from storage.tables import StudyCriterionRow, StudyFormRow, StudyRow

# These statements are built once, because they run for every answer.
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
    """Return the whole form (questions) of a study.

    It has every criterion of the form's file, also those that the study does not use.
    """
    layout, text = connection.execute(_FORM, {"study": study_id}).one()
    return stored_form(layout, text)


def asked_form(connection: Connection, study_id: int) -> Form:
    """Return a study's form with only the criteria that the study uses."""
    return asking(study_form(connection, study_id), connection.scalars(_ASKED, {"study": study_id}))


def stored_form(layout: str, text: str | None) -> Form:
    """Return a form from its stored text.

    Old studies have no stored text, and use EXPERT's form.
    """
    return form_named(layout) if text is None else read_form(text, is_new=False)


def asking(form: Form, keys: Iterable[str]) -> Form:
    """Return a form with only the criteria of these keys."""
    return replace(form, criteria=form.chosen(tuple(keys)))


def add_form(connection: Connection, study_id: int, form: Form) -> None:
    """Store a study's form (its questions).

    A form's key can have several versions of the text. A text that is not yet stored for this key gets the next version
    number.
    """
    of_key = StudyFormRow.key == form.key
    stored_version = connection.scalar(
        select(StudyFormRow.version).where(of_key, StudyFormRow.sha256 == form.sha256).limit(1)
    )
    version = stored_version or (connection.scalar(select(func.max(StudyFormRow.version)).where(of_key)) or 0) + 1
    row = {"study_id": study_id, "key": form.key, "version": version, "sha256": form.sha256, "text": form.text}
    connection.execute(insert(StudyFormRow).values(row))


def rated_columns(number: int) -> dict[str, int | None]:
    """Return ItemScoreRow's columns for something that raters rate.

    Raters rate a score with its explanation, or a caption. number: the id of the score. For a caption without a score,
    the number is minus the id of its sample.
    """
    return {"score_id": number, "score": number if number > 0 else None, "caption": -number if number < 0 else None}
