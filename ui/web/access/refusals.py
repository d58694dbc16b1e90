"""Return errors as JSON refusals: ``{"kind": ..., "detail": ...}``.

The kind is for scripts and never changes (ui/static/shared/api.js lists the kinds). The detail is one sentence for
people and may change. The error's class decides kind and status.
"""

import errno
import logging
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from functools import partial
from typing import Any, Literal

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, Response
from pydantic_core import ErrorDetails
from starlette.exceptions import HTTPException

from core.errors import (
    AlreadyExists,
    BadSetting,
    Busy,
    Cancelled,
    CapscopeError,
    ChangedMeanwhile,
    InvalidRating,
    LinkOver,
    ModelUnavailable,
    NotAllowed,
    NotFound,
    NotSignedIn,
    NotYours,
    QueueFull,
    StorageFull,
    StorageUnavailable,
    TooManyAttempts,
    UserError,
    Veiled,
    WentBack,
)
from core.foreign_values import odd_character

Kind = Literal[
    "not_found",  # there is nothing with this name or number
    "not_yours",  # the item is another rater's, so the request must not be sent again
    # Somebody else has changed the same settings. The page must load them with their stamp (version) and ask the user.
    # Then it may send the request again with the new stamp.
    "changed_meanwhile",
    "went_back",  # the database may be an older copy; first ask which answers it lacks, then send the request again
    "veiled",  # the picture is hidden until the questions before it are answered
    "signed_out",  # the rater must enter the code again; then the page may send the request again
    "sign_in",  # the sender must sign in, because the route needs an account
    "not_allowed",  # the account's role does not allow this
    "link_over",  # the rater's link is invalid or has ended
    "too_many_attempts",  # the sender made too many attempts and must wait before the next attempt
    "busy",  # the same request may succeed after Retry-After. nginx also sends this kind (docs/deploy)
    "taken",  # the name is already in use
    "bad_rating",  # the rating is not a point on the criterion's scale
    "bad_request",  # a mistake that the sender can correct
    "malformed",  # the request has an invalid form
    "too_large",
    "foreign",  # the request came from another site, or under another host name of this computer
    "model_unavailable",  # the weights or the memory for a model are missing
    "cancelled",
    "queue_full",  # too many jobs are waiting for the model; the page may try again later
    "disk_full",  # nothing can be stored until there is space; then the request may be sent again
    "no_storage",  # the database cannot be read or written; the request may be sent again
    "failed",  # an error in Capscope; the terminal has details
]


_OF_ERROR: tuple[tuple[type[Exception], Kind, int], ...] = (  # the first row that matches an error decides
    (NotFound, "not_found", 404),
    (NotYours, "not_yours", 404),
    (ChangedMeanwhile, "changed_meanwhile", 409),
    (WentBack, "went_back", 409),
    (Veiled, "veiled", 403),
    (NotSignedIn, "signed_out", 401),
    (NotAllowed, "not_allowed", 403),
    (LinkOver, "link_over", 410),
    (TooManyAttempts, "too_many_attempts", 429),
    (Busy, "busy", 429),
    (AlreadyExists, "taken", 409),
    (InvalidRating, "bad_rating", 422),
    (UserError, "bad_request", 400),
    (RequestValidationError, "malformed", 422),
    (ModelUnavailable, "model_unavailable", 500),
    (Cancelled, "cancelled", 500),
    (QueueFull, "queue_full", 429),
    (StorageFull, "disk_full", 507),
    (StorageUnavailable, "no_storage", 503),
    (Exception, "failed", 500),
)
OF_STATUS: dict[int, Kind] = {403: "foreign", 404: "not_found", 413: "too_large", 500: "failed"}


@dataclass(frozen=True, slots=True)
class Refusal:
    """The reason for a refused request."""

    kind: Kind
    detail: str  # one sentence for people


def refusal_of(error: Exception) -> Refusal:
    """Return the refusal for an error. The refusal for an unexpected error has no details."""
    kind, _ = kind_and_status(error)
    if isinstance(error, RequestValidationError):
        return malformed([part | {"loc": part["loc"][1:]} for part in error.errors()])
    if isinstance(error, CapscopeError):
        return Refusal(kind, str(error))
    return Refusal(kind, "Something went wrong. The terminal in which Capscope runs shows the details.")


MOST_SAID = 10  # maximum number of mistakes that a refusal lists
LONGEST_PLACE = 200  # maximum characters of a field's path in a refusal


def malformed(parts: Sequence[ErrorDetails]) -> Refusal:
    """Return the refusal for a request with an invalid form. It does not repeat the content of the request."""
    said = [f"{'.'.join(map(str, part['loc']))[:LONGEST_PLACE]}: {part['msg']}" for part in parts[:MOST_SAID]]
    if len(parts) > MOST_SAID:
        said.append(f"and {len(parts) - MOST_SAID} more mistakes")
    # backslashreplace, because a field name may contain half of a surrogate pair, which UTF-8 cannot encode
    return Refusal("malformed", "; ".join(said).encode("utf-8", "backslashreplace").decode())


def kind_and_status(error: Exception) -> tuple[Kind, int]:
    """Return the kind of refusal and the HTTP status for an error."""
    return next((kind, status) for known, kind, status in _OF_ERROR if isinstance(error, known))


_log = logging.getLogger("capscope")
# Route that checks answers one by one, so that an invalid note does not keep other answers from being stored.
CHECKED_THERE = "/api/rate/saves"
MOST_FIELDS = 1_000  # maximum number of fields of a JSON body; each unknown field costs the validation a complaint
_SUSPECT = re.compile(rb"\0|\\u0000|\\ud[89a-f]", re.IGNORECASE)
WaitingPage = Callable[[str, int], Response]
_NO_ROOM = (errno.ENOSPC, errno.EDQUOT)


def refused(refusal: Refusal, status: int) -> JSONResponse:
    """Return a refusal as a response."""
    return JSONResponse(asdict(refusal), status)


def add_refusals(app: FastAPI, waiting_page: WaitingPage | None = None) -> None:
    """Make an app return a refusal for every error.

    waiting_page: makes a page for people from the error's text and the seconds until the next try.
    """
    explain = partial(_explain, waiting_page)

    async def explain_storage(request: Request, error: Exception) -> Response:
        if isinstance(error, OSError):  # an error of the file system, not of the database
            if error.errno not in _NO_ROOM:
                raise error
            error = StorageFull()
        _log.error(str(error))
        return await explain(request, error)

    for kind in (CapscopeError, RequestValidationError, Exception):
        app.add_exception_handler(kind, explain)
    for kind in (StorageUnavailable, OSError):
        app.add_exception_handler(kind, explain_storage)
    for beyond in (UnicodeEncodeError, OverflowError):
        app.add_exception_handler(beyond, _explain_unstorable)
    app.add_exception_handler(HTTPException, _explain_status)


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


async def _explain_unstorable(_request: Request, _error: Exception) -> JSONResponse:
    """Return a refusal for JSON that contains unstorable texts or numbers."""
    problem = "A field contains half of a character (a lone surrogate), or a number that is too large to be stored."
    return refused(Refusal("malformed", problem), 422)


async def _explain_status(_request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, HTTPException)
    return refused(Refusal(OF_STATUS.get(error.status_code, "bad_request"), str(error.detail)), error.status_code)


async def storable_texts(request: Request) -> None:
    """Check a request before the route validates it. The function is a dependency for FastAPI.

    Raises BadSetting if the address or a text has NUL or half a surrogate pair, or if a JSON body has too many fields.
    """
    kind = request.headers.get("content-type", "")
    address = request.scope["path"] + request.scope["query_string"].decode("latin-1").replace("%00", "\0")
    texts: list[tuple[str, Any]] = [("The address", address)]
    if "form" in kind:
        texts += (await request.form()).multi_items()
    elif "json" in kind and request.scope["route"].body_field is not None:  # files are checked by their readers
        body, content = await request.body(), None
        is_suspect = request.scope["path"] != CHECKED_THERE and _SUSPECT.search(body)
        if is_suspect or body.count(b":") > MOST_FIELDS:
            with suppress(ValueError, RecursionError):  # the route refuses a body that is no JSON
                content = await request.json()
        if isinstance(content, dict) and len(content) > MOST_FIELDS:
            raise BadSetting(f"The request has more than {MOST_FIELDS} fields.")
        texts += [("The request", text) for text in _texts(content)] if is_suspect else []
    for where, text in texts:
        if isinstance(text, str) and (odd := odd_character(text)):
            raise BadSetting(f"{where} contains {odd}, which cannot be stored. Remove it and try again.")


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for part in (*value, *value.values()) if isinstance(value, dict) else value:
            yield from _texts(part)
