"""Routes for looking at data sets and samples. For researchers: metric names are shown."""

from collections.abc import Callable
from dataclasses import asdict
from typing import Annotated, Any

from fastapi import APIRouter, Query, Response

from core.types import Outcome
from storage.types import Search, StoredSample
from ui.services.workplace import Workplace
from ui.web.outcome_json import full_outcome_json, outcome_json
from ui.web.routes import Id, picture_response

PAGE = 25  # samples a page
Bound = Annotated[float | None, Query(allow_inf_nan=False)]
Name = Annotated[str | None, Query(max_length=100)]


def browse_routes(workplace: Workplace) -> APIRouter:
    """Return the routes under /api for data sets, samples and pictures."""
    router = APIRouter(prefix="/api")
    samples = workplace.repository.samples

    @router.get("/datasets")
    def datasets() -> list[dict[str, Any]]:
        return [asdict(summary) for summary in samples.datasets()]

    @router.get("/samples")
    def search(
        dataset: Name = None,
        text: Annotated[str, Query(max_length=500)] = "",
        metric: Name = None,
        lowest: Bound = None,
        highest: Bound = None,
        page: Annotated[int, Query(ge=1, le=1_000_000)] = 1,
    ) -> dict[str, Any]:
        wanted = Search(dataset or None, text, metric or None, lowest, highest)
        found = samples.search(wanted, (page - 1) * PAGE, PAGE)
        listed = [sample_json(sample, outcome_json) for sample in found.samples]
        return {"total": found.total, "page_size": PAGE, "samples": listed}

    @router.get("/samples/{sample_id}")
    def one(sample_id: Id) -> dict[str, Any]:
        return sample_json(samples.get(sample_id), full_outcome_json)

    @router.get("/images/{image_id}/small")
    def small(image_id: Id) -> Response:
        return picture_response(workplace.pictures.small(samples.image(image_id)))

    @router.get("/images/{image_id}")
    def full(image_id: Id) -> Response:
        return picture_response(workplace.pictures.full(samples.image(image_id)))

    return router


def sample_json(stored: StoredSample, show: Callable[[Outcome], dict[str, Any]]) -> dict[str, Any]:
    """Return a sample as the pages get it, each outcome as show writes it."""
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
        "regions": len(sample.image.regions),  # annotated ones, known only where one sample is asked for
        "references": sample.references,
        "human": sample.human,
        "judgements": sample.judgements,
        "scores": [show(outcome) for outcome in stored.outcomes],
    }
