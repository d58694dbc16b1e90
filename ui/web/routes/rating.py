"""The rating page's routes: who rates, what comes next, what was answered.

Nothing that names a metric leaves here: explanations are known by their place on the rater's own page.
"""

import hmac
from collections.abc import Sequence
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Request, Response
from fastapi.concurrency import run_in_threadpool
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from core.errors import AlreadyExists, NotFound, NotSignedIn, TooManyAttempts
from storage.rating.raters import clean_code
from storage.types import Rater, Save
from ui.services.workplace import Workplace
from ui.web.rating_json import (
    QueueJson,
    RatedStudyJson,
    SaveJson,
    SavesJson,
    SessionJson,
    queue_json,
    session_json,
    studies_json,
)
from ui.web.refusals import Refusal, malformed, refusal_of
from ui.web.routes import Id, Place, picture_response
from ui.web.security import COOKIE_SECONDS, Secret, Throttle

MOST_SAVES = 500  # of one request
LARGEST_SAVES = 1_000_000  # bytes of it: a note is at most 4,000 characters, and there are few


class Enter(BaseModel):
    """Who wants to rate."""

    model_config = ConfigDict(strict=True, extra="forbid")
    code: str = Field(max_length=100)
    return_key: str | None = Field(default=None, max_length=100)


class Saves(BaseModel):
    """What a rater did, oldest first. Each one is checked by itself, so that a bad one holds up no other."""

    model_config = ConfigDict(strict=True, extra="forbid")
    saves: list[dict[str, Any]] = Field(max_length=MOST_SAVES)


def rating_routes(workplace: Workplace, secret: Secret, throttle: Throttle) -> APIRouter:
    """Return the routes under /api/rate."""
    router = APIRouter(prefix="/api/rate", dependencies=[Depends(_never_stored)])
    repository = workplace.repository

    def rater_of(request: Request) -> Rater | None:
        rater_id = secret.rater_of(request.cookies.get(secret.cookie_name))
        try:
            return None if rater_id is None else repository.raters.get(rater_id)
        except NotFound:
            return None  # the cookie is older than the database

    def rater(request: Request) -> Rater:
        found = rater_of(request)
        said = request.headers.get("x-capscope-rater")  # can only refuse: who it is, the cookie says
        if found is None or said not in (None, found.code):
            raise NotSignedIn("Say who you are first: give your code.")
        return found

    AnyRater = Annotated[Rater, Depends(rater)]

    @router.get("/session")
    def session(request: Request) -> SessionJson:
        return session_json(secret, rater_of(request))

    @router.post("/session", max_body_size=LARGEST_SAVES)
    def enter(body: Enter, response: Response) -> SessionJson:
        found = _entering(workplace, secret, throttle, body)
        response.set_cookie(
            secret.cookie_name,
            secret.sign(found.id),
            max_age=COOKIE_SECONDS,
            httponly=True,
            samesite="strict",
            path="/",
        )
        return session_json(secret, found)

    @router.delete("/session")
    def leave(response: Response) -> SessionJson:
        response.delete_cookie(secret.cookie_name, httponly=True, samesite="strict", path="/")
        return SessionJson(None)

    @router.get("/studies")
    def studies() -> tuple[RatedStudyJson, ...]:
        return studies_json(repository.studies.all())

    @router.get("/studies/{study_id}/items")
    def items(study_id: Id, who: AnyRater, start: Place | None = None, count: Place = 3) -> QueueJson:
        return queue_json(repository.desk.queue(study_id, who, start, count))

    @router.post("/saves", max_body_size=LARGEST_SAVES)
    def save(body: Saves, who: AnyRater) -> SavesJson:
        return SavesJson(_take_in(workplace, who, body.saves))

    @router.get("/items/{assignment}/image")
    async def image(assignment: str, who: AnyRater) -> Response:
        return await picture_response(
            workplace.pictures, await run_in_threadpool(repository.desk.image, assignment, who)
        )

    return router


async def _never_stored(response: Response) -> None:  # async: needs no thread of its own
    response.headers["cache-control"] = "no-store"


def _entering(workplace: Workplace, secret: Secret, throttle: Throttle, body: Enter) -> Rater:
    """Return a new rater, or the known one whose return key was given."""
    code = clean_code(body.code)
    if body.return_key is None:
        return workplace.repository.raters.add(code)
    if throttle.is_closed(code):
        raise TooManyAttempts("Too many wrong return keys. Wait a minute, then try again.")
    try:
        known = workplace.repository.raters.named(code)
    except NotFound:
        known = Rater(0, code)  # no rater has this number, so no key fits
    given = body.return_key.strip().upper()
    if known.id == 0 or not hmac.compare_digest(given.encode(), secret.return_key(known.id).encode()):
        throttle.fail(code)
        raise AlreadyExists(f"This is not the return key of {code}.")
    return known


def _take_in(workplace: Workplace, who: Rater, raw: Sequence[dict[str, Any]]) -> tuple[SaveJson, ...]:
    """Store what is well formed; say of each save whether it was stored, in order."""
    read = [_read(one) for one in raw]
    problems = iter(workplace.repository.save(who, [save for save in read if isinstance(save, Save)]))
    results = []
    for save, one in zip(read, raw, strict=True):
        if isinstance(save, Refusal):
            results.append(SaveJson(_echoed(one.get("key")), False, save))
        else:
            problem = next(problems)
            results.append(SaveJson(save.key, problem is None, None if problem is None else refusal_of(problem)))
    return tuple(results)


def _read(one: dict[str, Any]) -> Save | Refusal:
    try:
        return Save(**one)
    except ValidationError as error:
        return malformed(error.errors())


def _echoed(key: object) -> str | None:
    """Return a save's key where it can be sent back: not half a character, not an object."""
    return key if isinstance(key, str) and key.isprintable() else None
