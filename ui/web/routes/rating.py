"""The rating page's routes: who rates, what comes next, what was answered.

Nothing that names a metric leaves here: explanations are known by their place on the rater's own page.
"""

import hmac
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Depends, HTTPException, Request, Response
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from core.errors import AlreadyExists, NotFound
from core.metrics.hice_options import support_cut
from core.studies.criteria import criterion_named
from core.studies.instructions import instructions
from storage.rating.raters import clean_code
from storage.types import AssignedItem, Rater, Save, Study
from ui.services.workplace import Workplace
from ui.web.outcome_json import explanation_json
from ui.web.routes import Id, Place, picture_response
from ui.web.security import COOKIE_SECONDS, Secret, Throttle

MOST_SAVES = 500  # of one request
_LONGEST_TIME_MS = 10**11


class Enter(BaseModel):
    """Who wants to rate."""

    model_config = ConfigDict(strict=True, extra="forbid")
    code: str = Field(max_length=100)
    return_key: str | None = Field(default=None, max_length=100)


class SaveBody(BaseModel):
    """One thing a rater did."""

    model_config = ConfigDict(strict=True, extra="forbid")
    key: str = Field(min_length=8, max_length=80)
    assignment: str = Field(max_length=40)
    kind: Literal["rating", "reveal", "note"]
    age_ms: int = Field(ge=0, le=_LONGEST_TIME_MS)
    in_sight_ms: int = Field(default=0, ge=0, le=_LONGEST_TIME_MS)
    shown_ms: int = Field(default=0, ge=0, le=_LONGEST_TIME_MS)
    panel: int | None = None
    criterion: str | None = Field(default=None, max_length=80)
    point: int | None = None
    regions_shown: bool = False
    text: str | None = None


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
            raise HTTPException(401, "Say who you are first: give your code.")
        return found

    AnyRater = Annotated[Rater, Depends(rater)]

    @router.get("/session")
    def session(request: Request) -> dict[str, Any]:
        found = rater_of(request)
        return {"rater": None if found is None else _rater_json(secret, found)}

    @router.post("/session")
    def enter(body: Enter, response: Response) -> dict[str, Any]:
        found = _entering(workplace, secret, throttle, body)
        response.set_cookie(
            secret.cookie_name,
            secret.sign(found.id),
            max_age=COOKIE_SECONDS,
            httponly=True,
            samesite="strict",
            path="/",
        )
        return {"rater": _rater_json(secret, found)}

    @router.delete("/session")
    def leave(response: Response) -> dict[str, Any]:
        response.delete_cookie(secret.cookie_name, httponly=True, samesite="strict", path="/")
        return {"rater": None}

    @router.get("/studies")
    def studies() -> list[dict[str, Any]]:
        every = repository.studies.all()
        metrics = {metric for study in every for metric in study.metrics}
        return [_study_json(study, metrics) for study in every]

    @router.get("/studies/{study_id}/items")
    def items(study_id: Id, who: AnyRater, start: Place | None = None, count: Place = 3) -> dict[str, Any]:
        queue = repository.desk.queue(study_id, who, start, count)
        place = {"total": queue.total, "done": queue.done, "resume": queue.resume}
        return place | {"items": [_item_json(item) for item in queue.items]}

    @router.post("/saves")
    def save(body: Saves, who: AnyRater) -> dict[str, Any]:
        return {"results": _take_in(workplace, who, body.saves)}

    @router.get("/items/{assignment}/image")
    def image(assignment: str, who: AnyRater) -> Response:
        return picture_response(workplace.pictures.full(repository.desk.image(assignment, who)))

    return router


async def _never_stored(response: Response) -> None:  # async: needs no thread of its own
    response.headers["cache-control"] = "no-store"


def _entering(workplace: Workplace, secret: Secret, throttle: Throttle, body: Enter) -> Rater:
    """Return a new rater, or the known one whose return key was given."""
    code = clean_code(body.code)
    if body.return_key is None:
        return workplace.repository.raters.add(code)
    if throttle.is_closed(code):
        raise HTTPException(429, "Too many wrong return keys. Wait a minute, then try again.")
    try:
        known = workplace.repository.raters.named(code)
    except NotFound:
        known = Rater(0, code)  # no rater has this number, so no key fits
    given = body.return_key.strip().upper()
    if known.id == 0 or not hmac.compare_digest(given.encode(), secret.return_key(known.id).encode()):
        throttle.fail(code)
        raise AlreadyExists(f"This is not the return key of {code}.")
    return known


def _take_in(workplace: Workplace, who: Rater, raw: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Store what is well formed; say of each save whether it was stored, in order."""
    results: list[dict[str, Any]] = [{} for _ in raw]
    saves: list[tuple[int, Save]] = []
    for place, one in enumerate(raw):
        try:
            saves.append((place, Save(**SaveBody.model_validate(one).model_dump())))
        except ValidationError as error:
            results[place] = {"key": _echoed(one.get("key")), "saved": False, "reason": _reason(error)}
    refusals = workplace.repository.save(who, [save for _, save in saves])
    for (place, save), refusal in zip(saves, refusals, strict=True):
        results[place] = {"key": save.key, "saved": refusal is None, "reason": refusal}
    return results


def _echoed(key: object) -> str | None:
    """Return a save's key where it can be sent back: not half a character, not an object."""
    return key if isinstance(key, str) and key.isprintable() else None


def _reason(error: ValidationError) -> str:
    text = "; ".join(f"{'.'.join(map(str, e['loc']))}: {e['msg']}" for e in error.errors())
    return text.encode(errors="replace").decode()  # a field's name may hold half a character


def _rater_json(secret: Secret, rater: Rater) -> dict[str, Any]:
    return {"code": rater.code, "return_key": secret.return_key(rater.id)}


def rater_title(study: Study, metrics: Iterable[str]) -> str:
    """Return a study's name as raters may see it: a name that gives a metric away is replaced by a number."""
    name = study.name.casefold()
    return f"Study {study.id}" if any(metric.casefold() in name for metric in metrics) else study.name


def _study_json(study: Study, metrics: Iterable[str]) -> dict[str, Any]:
    return {
        "id": study.id,
        "title": rater_title(study, metrics),
        "notice": study.notice,
        "form": study.form,
        "items": study.items,
        "veil": study.veil,
        "overlay": study.overlay,
        "criteria": [asdict(criterion_named(key)) for key in study.criteria],
        "instructions": instructions(study.form, study.items, study.panels, len(study.criteria)),
    }


def _item_json(item: AssignedItem) -> dict[str, Any]:
    url = None if item.image_size is None else f"/api/rate/items/{item.id}/image"
    return {
        "id": item.id,
        "place": item.place,
        "caption": item.caption,
        "image": url,
        "image_size": item.image_size,
        "panels": [
            {
                "value": panel.value,
                "scale": panel.scale,
                "rationales": [{"aspect": aspect, "text": text} for aspect, text in panel.rationales.items()],
                "answers": panel.answers,
            }
            for panel in item.panels
        ],
        "revealed": item.revealed,
        "finished": item.finished,
        "note": item.note,
        "regions": _regions_json(item),
    }


def _regions_json(item: AssignedItem) -> dict[str, Any] | None:
    """Return regions and phrases without the name, the signature or the value of the score that they belong to."""
    if item.overlay is None or item.image_size is None:
        return None
    return explanation_json(item.overlay.explanation, support_cut(item.overlay.signature))
