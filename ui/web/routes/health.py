"""/healthz: report whether answers can be stored, for monitoring. It reveals no stored data."""

import shutil
from dataclasses import dataclass
from datetime import timedelta

from fastapi import APIRouter, Response

from core.errors import StorageUnavailable
from storage.engine.database import utc_now
from ui.services.workplace import Workplace
from ui.web.access.security import HEALTH
from ui.web.routes.dependencies import JudgeDep, WorkplaceDep

WRONG_CLOCK = timedelta(minutes=5)  # tolerated lead of the newest row's time
LEAST_FREE = 100_000_000  # bytes; below this, make room before the database cannot grow


@dataclass(frozen=True, slots=True)
class Health:
    """The server's health."""

    is_well: bool
    database: str  # "ok", or the reason why nothing can be stored
    disk: str  # "ok", or that it is nearly full
    clock: str  # "ok", or that the newest stored row is dated later than now
    judging: int  # works that wait for a model


ROUTER = APIRouter(include_in_schema=False)


@ROUTER.api_route(HEALTH, methods=["GET", "HEAD"])
def health(response: Response, workplace: WorkplaceDep, judge: JudgeDep) -> Health:
    """Return the server's health: status 200 if all is well, else 503."""
    found = health_of(workplace, judge.waiting())
    response.status_code = 200 if found.is_well else 503
    response.headers["cache-control"] = "no-store"
    return found


def health_of(workplace: Workplace, judging: int) -> Health:
    """Return the health of a data folder."""
    database = clock = "ok"
    if workplace.repository.database.is_held:
        database = "held by another program: answers cannot be stored; end that program's transaction"
    try:
        newest = workplace.repository.newest_time()
        if newest is not None and newest - utc_now() > WRONG_CLOCK:
            clock = (
                f"the newest stored row is dated {newest:%Y-%m-%d %H:%M} UTC, which is later than now: this server's "
                "clock is wrong, or was wrong then; set the clock"
            )
    except StorageUnavailable as error:
        database = str(error)
    has_room = shutil.disk_usage(workplace.data_dir).free >= LEAST_FREE
    disk = "ok" if has_room else f"less than {LEAST_FREE // 1_000_000} MB are free: make room"
    return Health(database == disk == clock == "ok", database, disk, clock, judging)
