"""Serve plotly's script from the installed package. Only the Analyse page loads it."""

import gzip
from functools import lru_cache
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path

from fastapi import APIRouter, Request, Response
from fastapi.responses import FileResponse

from core.errors import NotFound
from ui.web.access.gates import gate

DAY = 24 * 3600  # seconds that a browser may cache the script
LEVEL = 6


ROUTER = APIRouter()


@ROUTER.get("/plotly.min.js", **gate("viewer"))
def plotly(request: Request) -> Response:
    """Return plotly's script, compressed if the browser supports it."""
    path = _script()
    headers = {
        "cache-control": f"private, max-age={DAY}",
        "etag": f'"plotly-{version("plotly")}"',
        "vary": "accept-encoding",
    }
    if request.headers.get("if-none-match") == headers["etag"]:
        return Response(status_code=304, headers=headers)
    if "gzip" not in request.headers.get("accept-encoding", ""):
        return FileResponse(path, media_type="text/javascript", headers=headers)
    return Response(_compressed(path), media_type="text/javascript", headers=headers | {"content-encoding": "gzip"})


def _script() -> Path:
    spec = find_spec("plotly")
    path = None if spec is None or spec.origin is None else Path(spec.origin).parent / "package_data/plotly.min.js"
    if path is None or not path.is_file():
        raise NotFound("Plots need the Python package plotly, which is not installed. Install it.")
    return path


@lru_cache(1)
def _compressed(path: Path) -> bytes:
    return gzip.compress(path.read_bytes(), LEVEL, mtime=0)
