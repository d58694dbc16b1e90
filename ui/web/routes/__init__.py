"""The JSON routes under the pages. Ids, never paths; every route checks what the asker may see."""

from typing import Annotated

from fastapi import Path, Query, Response

from core.errors import NotFound
from storage.data.pictures import Picture

LARGEST_ID = 2**63 - 1  # of a row in the database
Id = Annotated[int, Path(ge=1, le=LARGEST_ID)]
Place = Annotated[int, Query(ge=1, le=1_000_000)]  # of an item in a rater's order, or how many items


def picture_response(picture: Picture | None) -> Response:
    """Return a picture as a response. Raises NotFound where it is missing."""
    if picture is None:
        raise NotFound("The picture is missing.")
    headers = {"cache-control": "private, max-age=31536000, immutable", "content-disposition": "inline"}
    return Response(picture.content, media_type=picture.media_type, headers=headers)
