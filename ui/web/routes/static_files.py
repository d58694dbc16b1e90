"""Serve Capscope's scripts, style sheets and pictures, and plotly's script from its package."""

import gzip
from functools import cache
from importlib.metadata import version as version_of
from importlib.util import find_spec
from pathlib import Path

from fastapi import APIRouter, Request, Response

from core.errors import NotFound
from ui.web.access.gates import gate
from ui.web.files.static_files import FOR_GOOD, PREFIX, TYPES
from ui.web.routes.dependencies import FilesDep

DAY = 24 * 3600  # seconds that a browser may cache plotly's script
SMALLEST = 1000  # bytes; only larger files are compressed
ROUTER = APIRouter(include_in_schema=False)


@ROUTER.api_route(PREFIX + "/{version}/{name:path}", methods=["GET", "HEAD"], **gate("anyone"))
async def static_file(version: str, name: str, request: Request, files: FilesDep) -> Response:
    """Return a file. Raises NotFound for the address of another version, because the page must then be reloaded."""
    if version != files.version or name not in files.contents:
        raise NotFound(
            "This page belongs to another version of Capscope, or the file does not exist. Load the page again."
        )
    return _response(files.contents[name], TYPES[Path(name).suffix], request, {"cache-control": FOR_GOOD})


@ROUTER.get("/plotly.min.js", **gate("viewer"))
def plotly(request: Request) -> Response:
    """Return plotly's script. Only the Analyse page loads it."""
    headers = {"cache-control": f"private, max-age={DAY}", "etag": f'"plotly-{version_of("plotly")}"'}
    if request.headers.get("if-none-match") == headers["etag"]:
        return Response(status_code=304, headers=headers)
    return _response(_plotly(), "text/javascript", request, headers)


def _response(content: bytes, kind: str, request: Request, headers: dict[str, str]) -> Response:
    if kind.startswith("text/") and len(content) >= SMALLEST:
        headers["vary"] = "Accept-Encoding"
        if "gzip" in request.headers.get("accept-encoding", ""):
            content = _compressed(content)
            headers["content-encoding"] = "gzip"
    return Response(content, media_type=kind, headers=headers)


@cache
def _plotly() -> bytes:
    spec = find_spec("plotly")
    path = None if spec is None or spec.origin is None else Path(spec.origin).parent / "package_data/plotly.min.js"
    if path is None or not path.is_file():
        raise NotFound("Plots need the Python package plotly, which is not installed. Install it.")
    return path.read_bytes()


@cache
def _compressed(content: bytes) -> bytes:
    """Compress a file at gzip's best level. Each file is compressed once, because every visitor fetches it."""
    return gzip.compress(content, mtime=0)
