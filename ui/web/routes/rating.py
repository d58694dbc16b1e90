"""Routes of the rating page: sign in, fetch items, store answers.

No response names a metric. Explanations are identified by their position on the rater's page.
"""

from collections.abc import Iterable, Sequence
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Request, Response
from fastapi.concurrency import run_in_threadpool

from core.errors import LinkOver, NotYours, WentBack
from core.types import ImageRef
from storage import Repository
from storage.accounts.study_links import OVER
from storage.rating.saving import Sent
from storage.study_types import Rater, Save
from ui.services.studies.answer_batches import SaveQueue
from ui.web.access.gates import gate
from ui.web.access.raters import link_of
from ui.web.access.refusals import Refusal, refusal_of
from ui.web.json.rated_studies import RatedStudyJson, rated_studies
from ui.web.json.rating import (
    ComparedJson,
    EpochJson,
    QueueJson,
    SaveJson,
    SavesJson,
    SessionJson,
    StandingJson,
    queue_json,
    session_json,
)
from ui.web.json.rating_requests import Arrived, Enter, Kept, Saves, echoed_key, save_of
from ui.web.routes import Id, Place, picture_response
from ui.web.routes.dependencies import (
    RaterDep,
    RatersDep,
    RepositoryDep,
    SavingDep,
    SecretDep,
    WorkplaceDep,
)


async def _never_stored(response: Response) -> None:  # async, so that it uses no thread
    response.headers["cache-control"] = "no-store"


def current_epoch(repository: RepositoryDep) -> str:
    """Return the database's epoch when a request arrives: a random text that changes after a restore."""
    return repository.epochs.now()


EpochDep = Annotated[str, Depends(current_epoch)]
ROUTER = APIRouter(prefix="/api/rate", dependencies=[Depends(_never_stored)])


@ROUTER.get("/session", **gate("rater"))
def session(request: Request, secret: SecretDep, raters: RatersDep) -> SessionJson:
    """Return the rater who is signed in in this browser."""
    found, link = raters.rater(request), raters.link(request)
    return session_json(secret, found, None if link is None else link.rater, raters.panel(request))


@ROUTER.post("/arrival", **gate("anyone"))
def arrive(body: Arrived, request: Request, response: Response, secret: SecretDep, raters: RatersDep) -> SessionJson:
    """Sign in a rater who comes from a recruitment platform."""
    found, token = raters.arrive(request, body.query)
    raters.cookies.set(response, "rater", token, link_of(request))
    return session_json(secret, found, panel=raters.panel(request))


@ROUTER.post("/session", **gate("anyone"))
def enter(body: Enter, request: Request, response: Response, secret: SecretDep, raters: RatersDep) -> SessionJson:
    """Sign in a new rater, or a known rater by return key."""
    found, token = raters.enter(request, body.code, body.return_key)
    raters.cookies.set(response, "rater", token, link_of(request))
    return session_json(secret, found)


@ROUTER.delete("/session", **gate("rater"))
def leave(request: Request, response: Response, repository: RepositoryDep, raters: RatersDep) -> SessionJson:
    """Sign the rater out of this browser."""
    link = link_of(request)
    token = raters.cookies.get(request, "rater", link)
    if token:
        repository.sessions.end(token)
    raters.cookies.delete(response, "rater", link)
    return SessionJson(None, None)


@ROUTER.get("/studies", **gate("rater"))
def studies(request: Request, repository: RepositoryDep, raters: RatersDep) -> tuple[RatedStudyJson, ...]:
    """List the studies that the browser's user may rate."""
    link = raters.link(request)
    if link is None and not raters.lets_in(request):
        return ()
    if link is not None and link.state == "closed" and raters.rater(request) is None:
        raise LinkOver(OVER["closed"])
    every = repository.studies.all()
    wanted = {study.id for study in every if link is None or study.id == link.study}
    return rated_studies(repository, wanted, every, raters.rater(request))


@ROUTER.get("/studies/{study_id}/items", **gate("rater"))
def items(
    study_id: Id,
    who: RaterDep,
    repository: RepositoryDep,
    start: Place | None = None,
    count: Place = 3,
) -> QueueJson:
    """Return some items of a rater in a study.

    start: position of the first item; None: the rater's first unfinished item. count: number of items.
    """
    repository.visits.check_may_rate(study_id, who)
    queue = repository.desk.queue(study_id, who, start, count)
    return queue_json(queue, repository.epochs.now())


@ROUTER.get("/epoch", **gate("anyone"))
def epoch(repository: RepositoryDep) -> EpochJson:
    """Return the epoch, a random text that changes when the database may be an older copy."""
    return EpochJson(repository.epochs.now())


@ROUTER.post("/kept", **gate("rater", most=1_000_000))
def kept(body: Kept, who: RaterDep, repository: RepositoryDep) -> ComparedJson:
    """Return which of the answers in a rater's browser are not stored here.

    The answers are named by their keys.
    """
    now = repository.epochs.now()  # read first, so that the epoch is never newer than the answers that are compared
    return ComparedJson(repository.epochs.missing(who, body.keys), now)


@ROUTER.get("/studies/{study_id}/standing", **gate("rater"))
def standing(study_id: Id, who: RaterDep, repository: RepositoryDep) -> StandingJson:
    """Return whether a study still accepts answers from the rater."""
    return StandingJson(repository.desk.standing(study_id, who))


@ROUTER.post("/saves", **gate("rater", most=1_000_000))
async def save(body: Saves, who: RaterDep, epoch: EpochDep, saving: SavingDep) -> SavesJson:
    """Store a rater's actions. Return for each one whether it was stored."""
    if body.epoch not in (None, epoch):
        raise WentBack("The server was restarted or restored. This page first compares its answers with it.")
    results = await _take_in(saving, who, body.saves)
    return SavesJson(results, epoch)


@ROUTER.get("/items/{assignment}/image", **gate("rater"))
async def image(
    assignment: str, request: Request, workplace: WorkplaceDep, repository: RepositoryDep, raters: RatersDep
) -> Response:
    """Return the picture of a rater's item."""
    picture = await run_in_threadpool(_own_image, repository, raters.everybody(request), assignment)
    return await picture_response(workplace.pictures, picture)


def _own_image(repository: Repository, raters: Iterable[Rater], assignment: str) -> ImageRef:
    """Return an item's picture if one of the raters has the item.

    raters: the raters who are signed in in a browser. Raises NotYours if none of them has the item.
    """
    refusal = NotYours("This rater has no such item.")
    for rater in raters:
        try:
            return repository.desk.image(assignment, rater)
        except NotYours as error:
            refusal = error
    raise refusal


async def _take_in(saving: SaveQueue, who: Rater, raw: Sequence[dict[str, Any]]) -> tuple[SaveJson, ...]:
    """Store the valid actions of a rater's request.

    Returns for each action, in order, whether it was stored.
    """
    read = [save_of(one) for one in raw]
    problems = iter(await saving.save(Sent(who, [save for save in read if isinstance(save, Save)])))
    results = []
    for save, one in zip(read, raw, strict=True):
        if isinstance(save, Refusal):
            results.append(SaveJson(echoed_key(one.get("key")), False, save))
        else:
            problem = next(problems)
            results.append(SaveJson(save.key, problem is None, None if problem is None else refusal_of(problem)))
    return tuple(results)
