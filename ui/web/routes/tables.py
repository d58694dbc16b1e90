"""Write a page's table as LaTeX."""

from typing import Annotated

from fastapi import APIRouter, Response
from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from core.errors import BadSetting
from ui.report.latex import latex_of
from ui.services.tables import Kind

Words = Annotated[str, StringConstraints(max_length=5_000)]


class Head(BaseModel):
    """A column: its head and its kind of content."""

    model_config = ConfigDict(extra="forbid")
    head: Words
    kind: Kind


class TableBody(BaseModel):
    """A table of texts: at most 40 columns and 5,000 rows."""

    model_config = ConfigDict(extra="forbid")
    title: Words
    columns: Annotated[list[Head], Field(min_length=1, max_length=40)]
    lines: Annotated[list[list[Words]], Field(max_length=5_000)]
    footnote: Words = ""


ROUTER = APIRouter(prefix="/api/tables")


@ROUTER.post("/latex", response_class=Response)
def table_as_latex(body: TableBody) -> Response:
    """Return the table as LaTeX. Raises BadSetting if a row has more or fewer cells than there are columns."""
    if any(len(line) != len(body.columns) for line in body.lines):
        raise BadSetting("Each row of the table needs one cell for each column.")
    text = latex_of(body.title, [(column.head, column.kind) for column in body.columns], body.lines, body.footnote)
    return Response(text, media_type="text/x-tex; charset=utf-8")
