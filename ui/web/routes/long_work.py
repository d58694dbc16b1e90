"""How far the works are that pages wait for. A page sends a key of its own with a request, and asks by it."""

from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Annotated

from fastapi import APIRouter, Header, Path

from ui.services.long_work import HowFar, LongWorks

KEY = r"^[0-9a-f]{32}$"
Key = Annotated[str, Path(pattern=KEY)]


def follows(works: LongWorks) -> Callable[..., AsyncIterator[None] | Awaitable[None]]:
    """Return a dependency of routes: what they report is kept under the key of the request, if it has one."""

    async def followed(x_capscope_work: Annotated[str | None, Header(pattern=KEY)] = None) -> AsyncIterator[None]:
        if x_capscope_work is None:
            yield
            return
        with works.begun(x_capscope_work):
            yield

    return followed


def long_work_routes(works: LongWorks) -> APIRouter:
    """Return routes under the router's that the works belong to."""
    router = APIRouter(prefix="/work")

    @router.get("/{key}")
    async def how_far(key: Key) -> HowFar:  # in the server's own thread: all others may be at work
        return works.how_far(key)

    @router.delete("/{key}")
    async def cancel(key: Key) -> HowFar:
        works.cancel(key)
        return works.how_far(key)

    return router
