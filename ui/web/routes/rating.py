"""The rating page's routes: who rates, what comes next, what was answered.

Nothing that names a metric leaves here: explanations are known by their place on the rater's own page.
"""

from collections.abc import Iterable, Sequence
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Request, Response
from fastapi.concurrency import run_in_threadpool
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from core.errors import LinkOver, NotYours
from core.types import ImageRef
from storage import Repository
from storage.database import utc_now
from storage.door.study_links import OVER
from storage.rating.hints import SentencePlace
from storage.types import Rater, Save
from ui.services.hints import give_hints
from ui.services.workplace import Workplace
from ui.web.hints_json import HintJson, hints_json
from ui.web.raters import RaterDoor, link_of
from ui.web.rating_json import (
    FeedbackJson,
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
from ui.web.security import Secret

MOST_SAVES = 500  # of one request
LARGEST_SAVES = 1_000_000  # bytes of it: a note is at most 4,000 characters, and there are few


class Enter(BaseModel):
    """Who wants to rate."""

    model_config = ConfigDict(strict=True, extra="forbid")
    code: str = Field(max_length=100)
    return_key: str | None = Field(default=None, max_length=100)


class Arrived(BaseModel):
    """Somebody whom a panel sends."""

    model_config = ConfigDict(strict=True, extra="forbid")
    query: str = Field(max_length=4000)  # of the address they came to


class Sentence(BaseModel):
    """A sentence of an item's explanation."""

    model_config = ConfigDict(strict=True, extra="forbid")
    panel: int = Field(ge=1, le=100)
    sentence: int = Field(ge=1, le=100_000)


class Saves(BaseModel):
    """What a rater did, oldest first. Each one is checked by itself, so that a bad one holds up no other."""

    model_config = ConfigDict(strict=True, extra="forbid")
    saves: list[dict[str, Any]] = Field(max_length=MOST_SAVES)


def rating_routes(workplace: Workplace, secret: Secret, raters: RaterDoor) -> APIRouter:
    """Return the routes under /api/rate."""
    router = APIRouter(prefix="/api/rate", dependencies=[Depends(_never_stored)])
    repository = workplace.repository

    AnyRater = Annotated[Rater, Depends(raters.known)]

    @router.get("/session")
    def session(request: Request) -> SessionJson:
        found, link = raters.rater(request), raters.link(request)
        return session_json(secret, found, None if link is None else link.rater, raters.panel(request))

    @router.post("/arrival")
    def arrive(body: Arrived, request: Request, response: Response) -> SessionJson:
        found, token = raters.arrive(request, body.query)
        raters.cookies.set(response, "rater", token, link_of(request))
        return session_json(secret, found, panel=raters.panel(request))

    @router.post("/session", max_body_size=LARGEST_SAVES)
    def enter(body: Enter, request: Request, response: Response) -> SessionJson:
        found, token = raters.enter(request, body.code, body.return_key)
        raters.cookies.set(response, "rater", token, link_of(request))
        return session_json(secret, found)

    @router.delete("/session")
    def leave(request: Request, response: Response) -> SessionJson:
        link = link_of(request)
        token = raters.cookies.get(request, "rater", link)
        if token:
            repository.sessions.end(token)
        raters.cookies.delete(response, "rater", link)
        return SessionJson(None, None)

    @router.get("/studies")
    def studies(request: Request) -> tuple[RatedStudyJson, ...]:
        link = raters.link(request)
        if link is None and not raters.lets_in(request):
            return ()
        if link is not None and link.state(utc_now()) != "open" and raters.rater(request) is None:
            raise LinkOver(OVER[link.state(utc_now())])
        every = [s for s in repository.studies.all() if link is not None or s.course.state != "archived"]
        shown = studies_json(every, repository.studies.reading())
        return tuple(study for study in shown if link is None or study.id == link.study)

    @router.get("/studies/{study_id}/items")
    def items(study_id: Id, who: AnyRater, start: Place | None = None, count: Place = 3) -> QueueJson:
        repository.visits.check_may_rate(study_id, who)
        return queue_json(repository.desk.queue(study_id, who, start, count))

    @router.post("/saves", max_body_size=LARGEST_SAVES)
    def save(body: Saves, who: AnyRater) -> SavesJson:
        return SavesJson(_take_in(workplace, who, body.saves))

    @router.post("/items/{assignment}/hints")
    def hints(assignment: str, body: Sentence, who: AnyRater) -> tuple[HintJson, ...]:
        at = SentencePlace(assignment, body.panel, body.sentence)
        return hints_json(give_hints(repository, who, at))

    @router.get("/items/{assignment}/feedback")
    def feedback(assignment: str, who: AnyRater) -> FeedbackJson:
        found = repository.controls.feedback(assignment, who)
        return FeedbackJson(found.given, found.right, found.words)

    @router.get("/items/{assignment}/image")
    async def image(assignment: str, request: Request) -> Response:
        found = await run_in_threadpool(_own_image, repository, raters.everybody(request), assignment)
        return await picture_response(workplace.pictures, found)

    return router


async def _never_stored(response: Response) -> None:  # async: needs no thread of its own
    response.headers["cache-control"] = "no-store"


def _own_image(repository: Repository, whoever: Iterable[Rater], assignment: str) -> ImageRef:
    """Return the picture of an item of one of some raters. Raises NotYours."""
    refusal = NotYours("There is no such item for this rater.")
    for rater in whoever:
        try:
            return repository.desk.image(assignment, rater)
        except NotYours as error:
            refusal = error
    raise refusal


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
    except TypeError:  # the one name that Python gives its own first argument
        return Refusal("malformed", "It holds what no save has.")


def _echoed(key: object) -> str | None:
    """Return a save's key where it can be sent back: not half a character, not an object."""
    return key if isinstance(key, str) and key.isprintable() else None
