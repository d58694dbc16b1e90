"""/healthz: report whether answers can be stored, for monitoring. It reveals no stored data."""

import shutil
from dataclasses import dataclass

from fastapi import APIRouter, Response

from core.errors import StorageUnavailable
from ui.web.access.gates import gate
from ui.web.access.other_sites import HEALTH
from ui.web.routes.dependencies import JudgeDep, WorkplaceDep

LEAST_FREE = 100_000_000  # free bytes below which the disk counts as nearly full


@dataclass(frozen=True, slots=True)
class Health:
    """The server's health."""

    is_well: bool
    database: str  # "ok", or the reason why nothing can be stored
    disk: str  # "ok", or a message that the disk is nearly full
    judging: int  # number of unfinished jobs for models


ROUTER = APIRouter(include_in_schema=False)


@ROUTER.api_route(HEALTH, methods=["GET", "HEAD"], **gate("anyone"))
def health(response: Response, workplace: WorkplaceDep, judge: JudgeDep) -> Health:
    """Return the server's health. The status is 200 if all is well, otherwise 503."""
    database = "ok"
    try:
        workplace.repository.epochs.check_writing()
    except StorageUnavailable as error:
        database = str(error)
    has_room = shutil.disk_usage(workplace.data_dir).free >= LEAST_FREE
    disk = "ok" if has_room else f"less than {LEAST_FREE // 1_000_000} MB are free; delete files"
    is_well = database == disk == "ok"
    response.status_code = 200 if is_well else 503
    response.headers["cache-control"] = "no-store"
    return Health(is_well, database, disk, judge.waiting())
