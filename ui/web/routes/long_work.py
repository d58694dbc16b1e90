"""Routes for the progress of long tasks.

A page sends a random key with a request, and asks for the progress under the same key.
"""

from collections.abc import AsyncIterator
from typing import Annotated

from fastapi import APIRouter, Header, Path

from ui.services.long_work import HowFar
from ui.web.access.gates import gate
from ui.web.routes.dependencies import WorksDep

KEY = r"^[0-9a-f]{32}$"
Key = Annotated[str, Path(pattern=KEY)]


async def followed(
    works: WorksDep, x_capscope_work: Annotated[str | None, Header(pattern=KEY)] = None
) -> AsyncIterator[None]:
    """Record the progress of a request's work, so that pages can show it.

    x_capscope_work: random key by which the page asks for the progress. None: nothing is recorded.
    """
    if x_capscope_work is None:
        yield
        return
    with works.begun(x_capscope_work):
        yield


ROUTER = APIRouter(prefix="/api/analyse/work")


@ROUTER.get("/{key}", **gate("viewer"))
async def how_far(key: Key, works: WorksDep) -> HowFar | None:  # in the event loop, because all threads may be busy
    """Return the progress of a task, or None if it has ended or not started."""
    return works.how_far(key)


@ROUTER.delete("/{key}", **gate("viewer"))
async def cancel(key: Key, works: WorksDep) -> HowFar | None:
    """Cancel a task, and return its progress (see `how_far`)."""
    works.cancel(key)
    return works.how_far(key)
