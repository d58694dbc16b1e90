"""The routes of error coding: codebooks, single codes, counts and kappa, coded sets in and out."""

from dataclasses import asdict
from pathlib import Path
from typing import Any

from fastapi import APIRouter, Response
from pydantic import BaseModel, ConfigDict, Field

from core.analysis.codebooks import codebook_of
from core.analysis.error_coding import CodedSet, code_counts, coded_set_json, coded_set_of, cohens_kappa
from ui.services.workplace import Workplace


class OneCode(BaseModel):
    """A coder's code for a sample, or its removal."""

    model_config = ConfigDict(strict=True, extra="forbid")
    sample: int
    metric: str = Field(max_length=500)
    codebook: str = Field(max_length=200)
    coder: str = Field(max_length=200)
    code: str | None = Field(max_length=200)


class CodedSetBody(BaseModel):
    """A coded set to take in, as it was exported."""

    model_config = ConfigDict(strict=True, extra="forbid")
    dataset: str
    metric: str
    content: dict[str, Any]


def coding_routes(workplace: Workplace) -> APIRouter:
    """Return the routes under /api/coding."""
    router = APIRouter(prefix="/api/coding")
    codings = workplace.repository.codings

    @router.get("/codebooks")
    def codebooks() -> list[dict[str, Any]]:
        return [asdict(book) for book in codings.codebooks()]

    @router.post("/codebooks", status_code=201)
    def add_codebook(content: dict[str, Any]) -> dict[str, Any]:
        return asdict(codings.add_codebook(codebook_of(content, Path("this file"))))

    @router.put("/codes")
    def set_code(body: OneCode) -> dict[str, Any]:
        return {"before": codings.set(body.sample, body.metric, body.codebook, body.coder, body.code)}

    @router.get("/coded")
    def coded(dataset: str, metric: str, codebook: str) -> dict[str, Any]:
        return coded_json(codings.coded(dataset, metric, codebook))

    @router.get("/coded-set.json")
    def export(dataset: str, metric: str, codebook: str) -> Response:
        text = coded_set_json(codings.coded(dataset, metric, codebook))
        headers = {"content-disposition": 'attachment; filename="coded-set.json"'}
        return Response(text, media_type="application/json", headers=headers)

    @router.post("/coded-set")
    def take_in(body: CodedSetBody) -> dict[str, Any]:
        read = coded_set_of(body.content, Path("coded-set.json"), codings.codebooks())
        return asdict(codings.take_in(body.dataset, body.metric, read)) | {"codebook": read.codebook.name}

    return router


def coded_json(coded: CodedSet) -> dict[str, Any]:
    """Return a coded set with its counts over all coders and each, and kappa between every two of them."""
    coders = sorted({coding.coder for coding in coded.codings})
    return {
        "codings": [[coding.sample, coding.coder, coding.code] for coding in coded.codings],
        "counts": [asdict(count) for count in code_counts(coded)],
        "by_coder": {coder: [count.count for count in code_counts(coded, coder)] for coder in coders},
        "kappas": [asdict(agreement) for agreement in cohens_kappa(coded.codings)],
    }
