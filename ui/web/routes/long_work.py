"""How far the works are that pages wait for. A page sends a key of its own with a request, and asks by it."""

from collections.abc import AsyncIterator
from typing import Annotated

from fastapi import APIRouter, Header, Path

from ui.services.long_work import HowFar
from ui.web.routes.dependencies import WorksDep

KEY = r"^[0-9a-f]{32}$"
Key = Annotated[str, Path(pattern=KEY)]


async def followed(
    works: WorksDep, x_capscope_work: Annotated[str | None, Header(pattern=KEY)] = None
) -> AsyncIterator[None]:
    """Keep what a route reports under the key of its request, if the request has one."""
    if x_capscope_work is None:
        yield
        return
    with works.begun(x_capscope_work):
        yield


ROUTER = APIRouter(prefix="/api/analyse/work")


@ROUTER.get("/{key}")
async def how_far(key: Key, works: WorksDep) -> HowFar | None:  # in the server's own thread: all others may be at work
    """Return how far a work is; None for a work that has ended or has not begun yet."""
    return works.how_far(key)


@ROUTER.delete("/{key}")
async def cancel(key: Key, works: WorksDep) -> HowFar | None:
    """Cancel a work, and return as `how_far` does."""
    works.cancel(key)
    return works.how_far(key)
