"""Routes of error coding: codebooks, codes, counts, kappa of coders, and export of codes."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from fastapi import APIRouter, Request, Response
from pydantic import BaseModel, ConfigDict, Field

from core.analysis.error_coding import Codebook, codebook_of, coded_set_json
from core.errors import NotAllowed
from storage.analysis.coding import clean_coder
from ui.services.analysis.coding import coded_tables
from ui.services.tables import ShownTable, shown
from ui.web.access.access_checks import note, visitor_of
from ui.web.access.gates import gate
from ui.web.routes import LARGEST_ID
from ui.web.routes.analyse import file_of
from ui.web.routes.dependencies import RepositoryDep


class OneCode(BaseModel):
    """An error code that a coder assigns to a metric's error on a sample.

    code: key of the error code; None: the code that the coder assigned before is removed.
    """

    model_config = ConfigDict(strict=True, extra="forbid")
    sample: int = Field(ge=1, le=LARGEST_ID)
    metric: str = Field(max_length=500)
    codebook: str = Field(max_length=200)
    coder: str = Field(max_length=200)
    code: str | None = Field(max_length=200)


@dataclass(frozen=True, slots=True)
class Coded:
    """The error codes that coders gave, and tables of them."""

    codings: list[tuple[str, str, str]]  # (key of the sample, coder, code) of each coding
    tables: list[ShownTable]


@dataclass(frozen=True, slots=True)
class CodeBefore:
    """The error code that was replaced or removed. None: the coder had assigned no code."""

    before: str | None


ROUTER = APIRouter(prefix="/api/coding")


@ROUTER.get("/codebooks", **gate("viewer"))
def codebooks(repository: RepositoryDep) -> list[Codebook]:
    """List the codebooks."""
    return list(repository.codings.codebooks())


@ROUTER.post("/codebooks", status_code=201, **gate("researcher", "codebook added"))
def add_codebook(content: dict[str, Any], repository: RepositoryDep) -> Codebook:
    """Store a codebook."""
    return repository.codings.add_codebook(codebook_of(content, Path("this file")))


@ROUTER.put("/codes", **gate("researcher", "sample coded"))
def set_code(request: Request, body: OneCode, repository: RepositoryDep) -> CodeBefore:
    """Set or remove a coder's error code for a sample. Return the old code."""
    coder = _coder(request, body.coder)
    before = repository.codings.set(body.sample, body.metric, body.codebook, coder, body.code)
    change = f"changed from {before or 'no code'} to {body.code or 'no code'}"
    note(request, f"sample {body.sample}, coder {coder}, {change}, codebook {body.codebook}, metric {body.metric}")
    return CodeBefore(before)


@ROUTER.get("/coded", **gate("viewer"))
def coded(dataset: str, metric: str, codebook: str, repository: RepositoryDep) -> Coded:
    """Return coders' error codes, how often each code was assigned, and how far coders agree."""
    found = repository.codings.coded(dataset, metric, codebook)
    codings = [(coding.sample, coding.coder, coding.code) for coding in found.codings]
    return Coded(codings, [shown(table) for table in coded_tables(found, metric)] if codings else [])


@ROUTER.get("/coded/{place}.{kind}", response_class=Response, **gate("viewer"))
def coded_file(
    place: int, kind: Literal["csv", "tex"], dataset: str, metric: str, codebook: str, repository: RepositoryDep
) -> Response:
    """Return a table of coded errors as CSV or LaTeX. place: the table's number, from 0."""
    return file_of(coded_tables(repository.codings.coded(dataset, metric, codebook), metric), place, kind)


@ROUTER.get("/coded-set.json", **gate("viewer", "codes exported"))
def export(dataset: str, metric: str, codebook: str, repository: RepositoryDep) -> Response:
    """Return the codes of one codebook, for one metric and one data set's samples, as a JSON file."""
    text = coded_set_json(repository.codings.coded(dataset, metric, codebook))
    headers = {"content-disposition": 'attachment; filename="coded-set.json"'}
    return Response(text, media_type="application/json", headers=headers)


def _coder(request: Request, named: str) -> str:
    """Return the name of the coder who sends a request.

    named: the coder's name in the request. If sign-in is required, it must be the name of the account that sends the
    request. Raises NotAllowed if it is another name. Raises BadSetting if the name is missing.
    """
    account, coder = visitor_of(request).account, clean_coder(named)
    if account is not None and coder != account.name:
        raise NotAllowed(
            f"You are signed in as {account.name}, so you can only code as {account.name}, not as {coder}."
        )
    return coder
