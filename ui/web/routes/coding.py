"""The routes of error coding: codebooks, single codes, counts and kappa, coded sets in and out."""

import json
from dataclasses import asdict
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from fastapi import APIRouter, Response
from pydantic import BaseModel, ConfigDict, Field

from core.analysis.codebooks import Codebook, codebook_of
from core.analysis.error_coding import CodedSet, code_counts, coded_set_json, cohens_kappa, read_coded_set
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
        read = _read(body.content, codings.codebooks())
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


def _read(content: dict[str, Any], books: tuple[Codebook, ...]) -> CodedSet:
    with TemporaryDirectory(prefix="capscope-coded-") as folder:
        path = Path(folder) / "coded-set.json"
        path.write_text(json.dumps(content), encoding="utf-8")
        return read_coded_set(path, books)
