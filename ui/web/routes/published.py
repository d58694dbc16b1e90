"""Routes for published data: list them, and fetch some in the background."""

from dataclasses import dataclass
from typing import Annotated

from fastapi import APIRouter, Path, Request

from core.datasets.published_files import PUBLISHED
from core.errors import NotFound
from ui.services.importing.published import State, states
from ui.web.access.access_checks import note, visitor_of
from ui.web.routes.dependencies import BringingDep, WorkplaceDep
from ui.web.routes.imports import ImportKey

ROUTER = APIRouter(prefix="/api/published")


@dataclass(frozen=True, slots=True)
class PublishedJson:
    """Published data that can be fetched."""

    name: str
    summary: str
    bytes: int | None  # None: unknown
    licence: str
    citation: str
    repository: str
    state: State


@ROUTER.get("")
def published(workplace: WorkplaceDep) -> tuple[PublishedJson, ...]:
    """Return the published data that can be fetched."""
    return tuple(
        PublishedJson(one.name, one.summary, one.size, one.licence, one.citation, one.repository, state)
        for one, state in zip(PUBLISHED, states(workplace, PUBLISHED), strict=True)
    )


@ROUTER.post("/{name}", status_code=202)
def get_one(name: Annotated[str, Path(max_length=64)], request: Request, bringing: BringingDep) -> ImportKey:
    """Fetch and import published data. Return the id of the import."""
    if name not in {one.name for one in PUBLISHED}:
        raise NotFound("There is no published data set with that name.")
    note(request, f"published data {name}")
    return ImportKey(bringing.get(visitor_of(request).name, name))
