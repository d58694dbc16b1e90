"""Routes of error coding: codebooks, codes, counts, kappa of coders, and import and export of sets of codes."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fastapi import APIRouter, Request, Response
from pydantic import BaseModel, ConfigDict, Field

from core.analysis.codebooks import Codebook, codebook_of
from core.analysis.error_coding import coded_set_json, coded_set_of
from core.errors import NotAllowed
from storage.analysis.coding import clean_coder
from ui.services.analysis.coding import Coded, coded_tables
from ui.web.access.access_checks import note, visitor_of
from ui.web.routes import LARGEST_ID
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


class CodedSetBody(BaseModel):
    """An exported set of coders' codes that is to be imported."""

    model_config = ConfigDict(strict=True, extra="forbid")
    dataset: str
    metric: str
    content: dict[str, Any]


@dataclass(frozen=True, slots=True)
class CodeBefore:
    """The error code that was replaced or removed. None: the coder had assigned no code."""

    before: str | None


@dataclass(frozen=True, slots=True)
class TakenIn:
    """The result of importing coders' error codes from a file.

    An error code is a category of a metric's errors.
    """

    codings: int  # read
    new: int
    changed: int  # number of error codes that replaced another code by the same coder
    codebook: str


ROUTER = APIRouter(prefix="/api/coding")


@ROUTER.get("/codebooks")
def codebooks(repository: RepositoryDep) -> list[Codebook]:
    """List the codebooks."""
    return list(repository.codings.codebooks())


@ROUTER.post("/codebooks", status_code=201)
def add_codebook(content: dict[str, Any], repository: RepositoryDep) -> Codebook:
    """Store a codebook."""
    return repository.codings.add_codebook(codebook_of(content, Path("this file")))


@ROUTER.put("/codes")
def set_code(request: Request, body: OneCode, repository: RepositoryDep) -> CodeBefore:
    """Set or remove a coder's error code for a sample. Return the old code."""
    coder = _coder(request, body.coder)
    before = repository.codings.set(body.sample, body.metric, body.codebook, coder, body.code)
    change = f"changed from {before or 'no code'} to {body.code or 'no code'}"
    note(request, f"sample {body.sample}, coder {coder}, {change}, codebook {body.codebook}, metric {body.metric}")
    return CodeBefore(before)


@ROUTER.get("/coded")
def coded(dataset: str, metric: str, codebook: str, repository: RepositoryDep) -> Coded:
    """Return how often coders assigned each error code, and how far they agree."""
    return coded_tables(repository.codings.coded(dataset, metric, codebook))


@ROUTER.get("/coded-set.json")
def export(dataset: str, metric: str, codebook: str, repository: RepositoryDep) -> Response:
    """Return as a JSON file the error codes that coders assigned.

    An error code is a category of a metric's errors. The file has the codes of one codebook, for one metric and one
    data set's samples.
    """
    text = coded_set_json(repository.codings.coded(dataset, metric, codebook))
    headers = {"content-disposition": 'attachment; filename="coded-set.json"'}
    return Response(text, media_type="application/json", headers=headers)


@ROUTER.post("/coded-set")
def take_in(request: Request, body: CodedSetBody, repository: RepositoryDep) -> TakenIn:
    """Import a file with the error codes that coders assigned.

    An error code is a category of a metric's errors. The file has the codes of one codebook, for one metric and one
    data set's samples.
    """
    read = coded_set_of(body.content, Path("coded-set.json"), repository.codings.codebooks())
    account = visitor_of(request).account
    done = repository.codings.take_in(body.dataset, body.metric, read, None if account is None else account.name)
    coders = ", ".join(sorted({coding.coder for coding in read.codings}))
    counts = f"{done.codings} codes, {done.new} new, {done.changed} changed"
    note(request, f"data set {body.dataset}, {counts}, coders {coders}, codebook {read.codebook.name}")
    return TakenIn(done.codings, done.new, done.changed, read.codebook.name)


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
