"""Return errors as JSON refusals: ``{"kind": ..., "detail": ...}``.

The kind is for scripts and never changes. The detail is one sentence for people and may change.
ui/web/access/refusal_kinds chooses kind, detail and status by the error's class.
"""

import errno
import logging
import time
from collections.abc import Callable
from dataclasses import asdict
from functools import partial

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, Response
from starlette.exceptions import HTTPException

from core.errors import (
    CapscopeError,
    StorageFull,
    StorageUnavailable,
)
from ui.web.access.refusal_kinds import OF_STATUS, Refusal, kind_and_status, refusal_of

WaitingPage = Callable[[str, int], Response]
_NO_ROOM = (errno.ENOSPC, errno.EDQUOT)
_QUIET_S = 60.0  # seconds after which the same line is written to the log again


def refused(refusal: Refusal, status: int) -> JSONResponse:
    """Return a refusal as a response."""
    return JSONResponse(asdict(refusal), status)


def add_refusals(app: FastAPI, waiting_page: WaitingPage | None = None) -> None:
    """Make an app return a refusal for every error.

    waiting_page: makes a page for people from the error's text and the seconds until the next try.
    """
    explain = partial(_explain, waiting_page)
    told = Seldom()

    async def explain_storage(request: Request, error: Exception) -> Response:
        if isinstance(error, OSError):  # an error of the file system, not of the database
            if error.errno not in _NO_ROOM:
                raise error
            error = StorageFull()
        told.log(str(error))
        return await explain(request, error)

    for kind in (CapscopeError, RequestValidationError, Exception):
        app.add_exception_handler(kind, explain)
    for kind in (StorageUnavailable, OSError):
        app.add_exception_handler(kind, explain_storage)
    for beyond in (UnicodeEncodeError, OverflowError):
        app.add_exception_handler(beyond, _explain_unstorable)
    app.add_exception_handler(HTTPException, _explain_status)


class Seldom:
    """Writes the same line to the log at most once a minute.

    Waiting browsers try again every few seconds. Without this limit, each try would write a line.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._last: dict[str, float] = {}

    def log(self, line: str) -> None:
        """Write a line to the log unless it is already there.

        Only lines that were written within the last minute count.
        """
        now = self._clock()
        if now - self._last.get(line, -_QUIET_S) >= _QUIET_S:
            self._last = {known: at for known, at in self._last.items() if now - at < _QUIET_S} | {line: now}
            logging.getLogger("capscope").error(line)


def _of_status(status: int, text: str) -> JSONResponse:
    return refused(Refusal(OF_STATUS.get(status, "bad_request"), text), status)


async def _explain(waiting_page: WaitingPage | None, request: Request, error: Exception) -> Response:
    kind, status = kind_and_status(error)
    seconds = error.retry_after_s if isinstance(error, CapscopeError) else None
    answer: Response = refused(refusal_of(error), status)
    if seconds is not None:
        if waiting_page is not None and _is_page(request):
            answer = waiting_page(str(error), seconds)
            answer.status_code = status
        answer.headers["retry-after"] = str(seconds)
    if kind == "failed":  # after an unexpected error, uvicorn closes the connection; tell the browser so
        answer.headers["connection"] = "close"
    return answer


def _is_page(request: Request) -> bool:
    """Return whether a person sees the response.

    A person sees it if a browser opens a page, but not if a script sends the request.
    """
    is_script = request.url.path.startswith(("/api/", "/gradio_api/"))
    return request.method == "GET" and not is_script and "text/html" in request.headers.get("accept", "")


async def unknown_function(request: Request, _error: Exception) -> JSONResponse:
    """Return a refusal for a call of a function that Gradio does not know."""
    logging.getLogger("capscope").warning("Refused a call of an unknown function: %s", request.url.path)
    return refused(Refusal("malformed", "There is no function with this number."), 422)


async def _explain_unstorable(_request: Request, _error: Exception) -> JSONResponse:
    """Return a refusal for JSON that contains unstorable texts or numbers."""
    problem = "A field contains half of a character (a lone surrogate), or a number that is too large to be stored."
    return refused(Refusal("malformed", problem), 422)


async def _explain_status(_request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, HTTPException)
    return _of_status(error.status_code, str(error.detail))
