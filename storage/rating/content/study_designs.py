"""Read the options of stored studies. Every field of StudyDesign is a column in the table of StudyRow."""

from dataclasses import fields
from typing import Any

from sqlalchemy import Connection, select

from core.studies.study_design import StudyDesign
from storage.tables import StudyRow

DESIGN_COLUMNS = tuple(StudyRow.__table__.c[option.name] for option in fields(StudyDesign))


def design_options(row: Any) -> dict[str, Any]:
    """Return the options in a row with DESIGN_COLUMNS. Key: the option's name."""
    return {column.name: getattr(row, column.name) for column in DESIGN_COLUMNS}


def study_design(connection: Connection, study_id: int) -> StudyDesign:
    """Return a study's options. The study must exist."""
    query = select(*DESIGN_COLUMNS).where(StudyRow.id == study_id)
    return StudyDesign(**design_options(connection.execute(query).one()))
