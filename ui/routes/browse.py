"""Routes for looking at data sets and samples. For researchers: metric names are shown."""

from dataclasses import asdict
from typing import Annotated, Any

from fastapi import APIRouter, Query, Response

from core.types import EvaluationError, Outcome
from storage.values import StoredSample
from ui.routes import Id
from ui.routes.pictures import picture_response
from ui.services import Workplace

PAGE = 25  # samples a page


def browse_routes(workplace: Workplace) -> APIRouter:
    """Return the routes under /api for data sets, samples and pictures."""
    router = APIRouter(prefix="/api")
    samples = workplace.repository.samples

    @router.get("/datasets")
    def datasets() -> list[dict[str, Any]]:
        return [asdict(summary) for summary in samples.datasets()]

    @router.get("/samples")
    def search(
        dataset: str | None = None,
        text: Annotated[str, Query(max_length=500)] = "",
        page: Annotated[int, Query(ge=1, le=1_000_000)] = 1,
    ) -> dict[str, Any]:
        found = samples.search(dataset or None, text, (page - 1) * PAGE, PAGE)
        return {"total": found.total, "page_size": PAGE, "samples": [sample_json(sample) for sample in found.samples]}

    @router.get("/samples/{sample_id}")
    def one(sample_id: Id) -> dict[str, Any]:
        return sample_json(samples.get(sample_id))

    @router.get("/images/{image_id}/small")
    def small(image_id: Id) -> Response:
        return picture_response(workplace.pictures.small(samples.image(image_id)))

    @router.get("/images/{image_id}")
    def full(image_id: Id) -> Response:
        return picture_response(workplace.pictures.full(samples.image(image_id)))

    return router


def sample_json(stored: StoredSample) -> dict[str, Any]:
    """Return a sample as the pages get it."""
    sample = stored.sample
    has_picture = sample.image.sha256 is not None
    return {
        "id": stored.id,
        "dataset": stored.dataset,
        "key": sample.key,
        "image": f"/api/images/{stored.image_id}" if has_picture else None,
        "image_name": sample.image.name,
        "image_size": (sample.image.width, sample.image.height) if has_picture else None,
        "caption": sample.candidate,
        "references": sample.references,
        "human": sample.human,
        "judgements": sample.judgements,
        "scores": [_outcome_json(outcome) for outcome in stored.outcomes],
    }


def _outcome_json(outcome: Outcome) -> dict[str, Any]:
    common = {"metric": outcome.metric, "signature": outcome.signature}
    if isinstance(outcome, EvaluationError):
        return common | {"error": {"kind": outcome.kind, "message": outcome.message}}
    return common | {
        "value": outcome.value,
        "scale": outcome.scale,
        "components": dict(outcome.components),
        "rationales": [{"aspect": name, "text": text} for name, text in outcome.explanation.rationales.items()],
    }
