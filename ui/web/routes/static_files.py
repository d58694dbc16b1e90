"""Serve Capscope's scripts, style sheets and pictures."""

import gzip
from functools import cache
from pathlib import Path

from fastapi import APIRouter, Request, Response

from core.errors import NotFound
from ui.web.access.gates import gate
from ui.web.files.static_files import FOR_GOOD, PREFIX, TYPES
from ui.web.routes.dependencies import FilesDep

SMALLEST = 1000  # bytes; only larger files are compressed
ROUTER = APIRouter(include_in_schema=False)


@ROUTER.api_route(PREFIX + "/{version}/{name:path}", methods=["GET", "HEAD"], **gate("anyone"))
async def static_file(version: str, name: str, request: Request, files: FilesDep) -> Response:
    """Return a file. Raises NotFound for the address of another version, because the page must then be reloaded."""
    if version != files.version or name not in files.contents:
        raise NotFound(
            "This page belongs to another version of Capscope, or the file does not exist. Load the page again."
        )
    content, kind = files.contents[name], TYPES[Path(name).suffix]
    headers = {"cache-control": FOR_GOOD}
    if kind.startswith("text/") and len(content) >= SMALLEST:
        headers["vary"] = "Accept-Encoding"
        if "gzip" in request.headers.get("accept-encoding", ""):
            content = _compressed(content)
            headers["content-encoding"] = "gzip"
    return Response(content, media_type=kind, headers=headers)


@cache
def _compressed(content: bytes) -> bytes:
    """Compress a file at gzip's best level. Each file is compressed once, because every visitor fetches it."""
    return gzip.compress(content, mtime=0)
