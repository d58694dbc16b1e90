"""Routes for the quality of a study's raters: one table with flags, and how often control items come."""

from dataclasses import dataclass
from typing import Annotated

from fastapi import APIRouter, Query, Request, Response
from pydantic import BaseModel, ConfigDict, Field

from core.json_types import fields_of
from storage.rating.rater_quality.quality_settings import RaterQualitySettings
from ui.services.studies.study_actions import rater_table
from ui.services.studies.study_tables import RaterRow
from ui.services.studies.workload import RaterWorkload, study_workload
from ui.services.tables import Table
from ui.services.workplace import Workplace
from ui.web.access.access_checks import change_of, note
from ui.web.json.study_requests import Stamp
from ui.web.routes import Id
from ui.web.routes.dependencies import RepositoryDep, WorkplaceDep

Every = Annotated[int, Field(ge=2, le=1000)]
StopAfter = Annotated[int, Field(ge=1, le=1000)]
Tried = Annotated[int | None, Query(ge=0, le=1000)]  # trial value of a study's setting, such as gold_every; 0: never


@dataclass(frozen=True, slots=True)
class FlaggedJson:
    """A rater with a quality flag, whose ratings still count in results."""

    code: str
    flags: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class MonitorJson(RaterQualitySettings):
    """The table of a study's raters, and how often they get control items."""

    table: Table[RaterRow]
    flagged: tuple[FlaggedJson, ...]
    stamp: str  # version of gold_every and repeat_every


class WatchBody(BaseModel):
    """How often raters get gold items (with known answers) and repeats."""

    model_config = ConfigDict(strict=True, extra="forbid")
    stamp: Stamp
    gold_every: Every | None
    repeat_every: Every | None
    stop_after_gold: StopAfter | None = None  # None: unchanged


ROUTER = APIRouter(prefix="/api/studies/{study_id}")


def _look(workplace: Workplace, study_id: int) -> MonitorJson:
    repository = workplace.repository
    stamp = repository.quality.watch_stamp(study_id)  # read first, so that it is never newer than the settings
    often, table = repository.quality.watch(study_id), rater_table(workplace, repository.studies.get(study_id))
    flagged = tuple(FlaggedJson(one.rater, one.flags) for one in table.rows if one.flags and not one.excluded)
    return MonitorJson(**fields_of(RaterQualitySettings, often), table=table, flagged=flagged, stamp=stamp)


@ROUTER.get("/monitor")
def look(study_id: Id, response: Response, workplace: WorkplaceDep) -> MonitorJson:
    """Return the quality of the work of a study's raters."""
    response.headers["cache-control"] = "no-store"  # not cached, because the response names raters
    return _look(workplace, study_id)


@ROUTER.get("/workload")
def workload(
    study_id: Id,
    workplace: WorkplaceDep,
    repository: RepositoryDep,
    gold_every: Tried = None,
    repeat_every: Tried = None,
    stop_after_gold: Tried = None,
) -> RaterWorkload:
    """Estimate how long a rater of a study takes."""
    tried = {"gold_every": gold_every, "repeat_every": repeat_every, "stop_after_gold": stop_after_gold}
    often = {name: every or None for name, every in tried.items() if every is not None}
    return study_workload(workplace, repository.studies.get(study_id), often)


@ROUTER.put("/watch")
def watch(
    study_id: Id, body: WatchBody, request: Request, repository: RepositoryDep, workplace: WorkplaceDep
) -> MonitorJson:
    """Change how often raters get gold items (with known answers) and repeats."""
    study = repository.studies.get(study_id)
    note(request, f"study {study.name}")
    stop = body.stop_after_gold
    if "stop_after_gold" not in body.model_fields_set:
        stop = repository.quality.watch(study.id).stop_after_gold
    wanted = RaterQualitySettings(body.gold_every, body.repeat_every, stop)
    repository.quality.set_watch(study.id, wanted, change_of(request, body.stamp))
    return _look(workplace, study_id)
