"""Routes to monitor a study: its progress, one rater's work, and changes of several raters."""

from dataclasses import dataclass
from typing import Annotated, Literal

from fastapi import APIRouter, Request, Response
from pydantic import BaseModel, ConfigDict, Field

from storage.rating.results.rater_work import WorkedItem
from ui.services.studies.participants import StudyMonitor, study_monitor
from ui.web.access.access_checks import note
from ui.web.routes import Id
from ui.web.routes.dependencies import RepositoryDep, WorkplaceDep

MOST_RATERS = 1_000  # maximum number of raters in one change
ROUTER = APIRouter(prefix="/api/studies/{study_id}")


class BulkBody(BaseModel):
    """A change that applies to several raters of a study."""

    model_config = ConfigDict(extra="forbid")
    codes: list[Annotated[str, Field(max_length=100)]] = Field(min_length=1, max_length=MOST_RATERS)
    action: Literal["exclude", "include", "release"]
    reason: str = Field(default="", max_length=1000)  # reason for excluding the raters


@dataclass(frozen=True, slots=True)
class ChangedJson:
    """The result of a change: number of changed raters and of changed items."""

    raters: int
    items: int  # number of released items, or of items of raters included again; 0 after the action "exclude"


@dataclass(frozen=True, slots=True)
class WorkJson:
    """One rater's work in a study."""

    code: str
    items: tuple[WorkedItem, ...]


@ROUTER.get("/participants")
def participants(study_id: Id, response: Response, workplace: WorkplaceDep) -> StudyMonitor:
    """Return a study's progress."""
    response.headers["cache-control"] = "no-store"  # not cached, because the response names raters
    return study_monitor(workplace, workplace.repository.studies.get(study_id))


@ROUTER.get("/raters/{code}/work")
def work(study_id: Id, code: str, response: Response, repository: RepositoryDep) -> WorkJson:
    """Return a rater's work in this study, item by item."""
    response.headers["cache-control"] = "no-store"
    repository.studies.get(study_id)
    return WorkJson(code, repository.participants.work(study_id, code))


@ROUTER.post("/raters/bulk")
def bulk(study_id: Id, body: BulkBody, request: Request, repository: RepositoryDep) -> ChangedJson:
    """Exclude raters, include them again, or release their open items.

    If one of the raters is unknown, nothing changes.
    """
    study, life = repository.studies.get(study_id), repository.life
    codes = list(dict.fromkeys(body.codes))
    for code in codes:
        life.check_takes_part(study_id, code)
    items = 0
    for code in codes:
        if body.action == "exclude":
            life.exclude(study_id, code, body.reason)  # refuses an invalid reason before anything changes
        else:
            items += life.include(study_id, code) if body.action == "include" else life.release(study_id, code)
    reason = f": {body.reason.strip()}" if body.action == "exclude" else ""
    note(request, f"study {study.name}: {body.action} {', '.join(codes)}{reason}")
    return ChangedJson(len(codes), items)
