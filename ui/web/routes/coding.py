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
from ui.web.access.checks import note, visitor_of
from ui.web.routes import LARGEST_ID
from ui.web.routes.dependencies import RepositoryDep


class OneCode(BaseModel):
    """A coder's code for a sample; without a code, the earlier code is removed."""

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
    """The code that the coder had given before, if any."""

    before: str | None


@dataclass(frozen=True, slots=True)
class TakenIn:
    """The changes that the import of a set of codes made."""

    codings: int  # read
    new: int
    changed: int  # number of codes that replaced another code by the same coder
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
    """Set or remove a coder's code for a sample. Return the earlier code."""
    coder = _coder(request, body.coder)
    before = repository.codings.set(body.sample, body.metric, body.codebook, coder, body.code)
    change = f"before {before or 'no code'}, after {body.code or 'no code'}"
    note(request, f"sample {body.sample}, coder {coder}, {change}, codebook {body.codebook}, metric {body.metric}")
    return CodeBefore(before)


@ROUTER.get("/coded")
def coded(dataset: str, metric: str, codebook: str, repository: RepositoryDep) -> Coded:
    """Return the counts of codes and the agreement of coders."""
    return coded_tables(repository.codings.coded(dataset, metric, codebook))


@ROUTER.get("/coded-set.json")
def export(dataset: str, metric: str, codebook: str, repository: RepositoryDep) -> Response:
    """Return the codes of a data set as a file."""
    text = coded_set_json(repository.codings.coded(dataset, metric, codebook))
    headers = {"content-disposition": 'attachment; filename="coded-set.json"'}
    return Response(text, media_type="application/json", headers=headers)


@ROUTER.post("/coded-set")
def take_in(request: Request, body: CodedSetBody, repository: RepositoryDep) -> TakenIn:
    """Import the codes of a file."""
    read = coded_set_of(body.content, Path("coded-set.json"), repository.codings.codebooks())
    account = visitor_of(request).account
    done = repository.codings.take_in(body.dataset, body.metric, read, None if account is None else account.name)
    coders = ", ".join(sorted({coding.coder for coding in read.codings}))
    counts = f"{done.codings} codes, {done.new} new, {done.changed} changed"
    note(request, f"data set {body.dataset}, {counts}, coders {coders}, codebook {read.codebook.name}")
    return TakenIn(done.codings, done.new, done.changed, read.codebook.name)


def _coder(request: Request, named: str) -> str:
    """Return the coder on whose behalf a request comes.

    If sign-in is required, the coder is the account; otherwise it is the typed name. Raises NotAllowed for another
    coder's code, and BadSetting without a name.
    """
    account, coder = visitor_of(request).account, clean_coder(named)
    if account is not None and coder != account.name:
        raise NotAllowed(
            f"You are signed in as {account.name}, so you can only code as {account.name}, not as {coder}."
        )
    return coder
