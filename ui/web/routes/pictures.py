"""Sending pictures: only JPEG, PNG and WebP, by id, cacheable for good because an id never changes its picture."""

from fastapi import HTTPException, Response

from storage.data.pictures import Picture


def picture_response(picture: Picture | None) -> Response:
    """Return a picture as a response, or 404 where it is missing."""
    if picture is None:
        raise HTTPException(404, "The picture is missing.")
    headers = {"cache-control": "private, max-age=31536000, immutable", "content-disposition": "inline"}
    return Response(picture.content, media_type=picture.media_type, headers=headers)
