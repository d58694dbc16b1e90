"""The route that lists raters' reports on items."""

from fastapi import APIRouter, Response

from storage.rating.results.reported_items import ReportedItem
from ui.web.routes import Id
from ui.web.routes.dependencies import RepositoryDep

ROUTER = APIRouter()


@ROUTER.get("/api/studies/{study_id}/reports")
def reports(study_id: Id, response: Response, repository: RepositoryDep) -> tuple[ReportedItem, ...]:
    """Return a study's reported items."""
    response.headers["cache-control"] = "no-store"  # not cached, because the response names raters
    return repository.reported_items.of(study_id)
