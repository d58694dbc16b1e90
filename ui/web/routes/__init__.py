"""JSON routes for the pages. Paths contain ids, never file paths. Every route checks what its caller may see."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Annotated, ParamSpec, TypeVar

from fastapi import Path, Query, Response
from fastapi.concurrency import run_in_threadpool
from pydantic import Field

from core.errors import NotFound
from core.types import ImageRef
from storage.data.pictures import Picture, Pictures

P = ParamSpec("P")
R = TypeVar("R")

LARGEST_ID = 2**63 - 1  # largest id of a database row
Id = Annotated[int, Path(ge=1, le=LARGEST_ID)]
Place = Annotated[int, Query(ge=1, le=1_000_000)]  # position of an item in a rater's order, or a number of items
Stamp = Annotated[str, Field(max_length=40, pattern=r"^[\w-]+$")]  # version of the settings that a page read


# One picture is decoded at a time (decision 005). Waiting requests use no thread, so threads stay free for answers.
_decoder = ThreadPoolExecutor(1, "decoding")


async def decoding(work: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
    """Run work that may decode a picture, and return its result. The server runs one such job at a time."""
    return await asyncio.get_running_loop().run_in_executor(_decoder, lambda: work(*args, **kwargs))


async def picture_response(pictures: Pictures, image: ImageRef) -> Response:
    """Return a picture in full size as a response. Raises NotFound if it is missing."""
    ready = await run_in_threadpool(pictures.is_ready, image)
    return response_of(await (run_in_threadpool if ready else decoding)(pictures.full, image))


def response_of(picture: Picture | None) -> Response:
    """Return a picture as a response. Raises NotFound if it is missing."""
    if picture is None:
        raise NotFound("The picture is missing.")
    headers = {"cache-control": "private, max-age=31536000, immutable", "content-disposition": "inline"}
    return Response(picture.content, media_type=picture.media_type, headers=headers)
