"""Routes of the Inspect page: judge a sample, and add a user's own picture and caption."""

import asyncio
from collections.abc import Coroutine, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Annotated, Any, TypeVar

from fastapi import APIRouter, File, Form, Path, Request, UploadFile
from fastapi.concurrency import run_in_threadpool
from pydantic import BaseModel, ConfigDict, Field

from core.captions.hints import Hint
from core.datasets.pictures import LARGEST_PICTURE
from core.errors import Cancelled
from core.types import LONGEST_TEXT
from ui.region_words import about_hints, contradicts
from ui.services.importing.own_pictures import MOST_REFERENCES, OwnSample, take_in_own
from ui.services.scoring.judging import Readiness
from ui.services.scoring.own_regions import add_own_region, remove_own_region
from ui.services.scoring.reading import hints_of_text, phrases_of
from ui.web.access.gates import gate
from ui.web.access.other_sites import SIGNED_IN
from ui.web.json.outcomes import OutcomeJson, full_outcome_json
from ui.web.routes import LARGEST_ID, Id, decoding
from ui.web.routes.dependencies import JudgeDep, ReadingDep, RepositoryDep, WorkplaceDep

LARGEST_UPLOAD = LARGEST_PICTURE + 1_000_000  # bytes: the file and the rest of the form
MOST_POINTS = 1_000  # maximum number of points of an outline
Text = Annotated[str, Field(max_length=LONGEST_TEXT)]
Coordinate = Annotated[float, Field(allow_inf_nan=False)]
Nth = Annotated[int, Path(ge=0, le=LARGEST_ID)]
T = TypeVar("T")


class JudgeBody(BaseModel):
    """The sample and the metric with which to score it. caption: a caption that replaces the sample's."""

    model_config = ConfigDict(extra="forbid", strict=True)
    sample: int = Field(ge=1, le=LARGEST_ID)
    metric: str = Field(max_length=100)
    caption: Text | None = None


class SaidText(BaseModel):
    """A caption, or a text of an explanation."""

    model_config = ConfigDict(extra="forbid", strict=True)
    text: Text


@dataclass(frozen=True, slots=True)
class SaidSentence:
    """A sentence of a text, and what the regions show of the objects that it names."""

    start: int  # index of the sentence's first character in the text
    end: int  # exclusive
    regions: tuple[int, ...]  # indices of the objects' regions in the sample's list of outlines
    words: str  # where the objects are
    is_contradicted: bool  # True: the regions show that the sentence is wrong


class DrawnRegion(BaseModel):
    """A region that a user has drawn on their own picture."""

    model_config = ConfigDict(extra="forbid")
    label: Annotated[str, Field(max_length=200)]
    outline: Annotated[list[tuple[Coordinate, Coordinate]], Field(min_length=3, max_length=MOST_POINTS)]  # x, y in px


@dataclass(frozen=True, slots=True)
class RegionCount:
    """The number of regions of a picture."""

    regions: int


ROUTER = APIRouter(prefix="/api")


@ROUTER.get("/samples/{sample_id}/metrics", **gate("viewer"))
def metrics(sample_id: Id, judge: JudgeDep) -> list[Readiness]:
    """List the metrics, and whether each one can judge a sample."""
    return list(judge.readiness(sample_id))


@ROUTER.post("/judge", **gate("viewer"))
async def judge_caption(body: JudgeBody, request: Request, workplace: WorkplaceDep, judge: JudgeDep) -> OutcomeJson:
    """Score a caption. If the client disconnects, the work is cancelled."""
    work = judge.judge(body.sample, body.metric, body.caption, client_of(request))
    outcome = await _while_connected(request, work)
    return await asyncio.to_thread(full_outcome_json, outcome, workplace.metrics)  # computing outlines can be slow


@ROUTER.post("/things", **gate("viewer"))
async def things(body: SaidText, request: Request, reading: ReadingDep) -> list[str]:
    """Return the names of the things that a caption mentions."""
    phrases = await reading.result(partial(phrases_of, body.text), client_of(request))
    return list(dict.fromkeys(thing.text for phrase in phrases for thing in phrase.things))


@ROUTER.post("/samples/{sample_id}/sentences", **gate("viewer"))
async def sentences(
    sample_id: Id, body: SaidText, request: Request, repository: RepositoryDep, reading: ReadingDep
) -> list[SaidSentence]:
    """Return the sentences of a text, with hints on where objects are."""
    stored = await run_in_threadpool(repository.samples.get, sample_id)
    hint_list = await reading.result(partial(hints_of_text, body.text, stored.sample), client_of(request))
    return [_sentence(body.text, *found) for found in hint_list]


def _sentence(text: str, start: int, end: int, hints: Sequence[Hint]) -> SaidSentence:
    regions = tuple(dict.fromkeys(region for hint in hints for region in hint.regions))
    words = about_hints(text[start:end], hints)
    return SaidSentence(start, end, regions, f"{words}.", any(contradicts(hint) for hint in hints))


@ROUTER.post("/samples/{sample_id}/regions", status_code=201, **gate("researcher", "region drawn"))
def draw(sample_id: Id, body: DrawnRegion, workplace: WorkplaceDep) -> RegionCount:
    """Store a region of the user's own picture."""
    return RegionCount(add_own_region(workplace, sample_id, body.label, body.outline))


@ROUTER.delete("/samples/{sample_id}/regions/{nth}", **gate("researcher", "region removed"))
def erase(sample_id: Id, nth: Nth, workplace: WorkplaceDep) -> RegionCount:
    """Remove a region of the user's own picture."""
    return RegionCount(remove_own_region(workplace, sample_id, nth))


@ROUTER.post("/own", **gate("researcher", "own picture added", most=LARGEST_UPLOAD))
async def own(
    picture: Annotated[UploadFile, File()],
    caption: Annotated[str, Form(max_length=LONGEST_TEXT)],
    workplace: WorkplaceDep,
    references: Annotated[list[Text] | None, Form(max_length=MOST_REFERENCES)] = None,
) -> OwnSample:
    """Store the user's own picture with a caption."""
    return await decoding(take_in_own, workplace, picture.file, caption, references or [])


def client_of(request: Request) -> str:
    """Return a name for the client that sends a request.

    Clients with different names take turns in the queue. The name contains the account; without an account, it is the
    client's address.
    """
    account = request.scope.get(SIGNED_IN)
    return f"account {account[0]}" if account else "" if request.client is None else request.client.host


async def _while_connected(request: Request, work: Coroutine[Any, Any, T]) -> T:
    """Return the result of some work. If the client disconnects first, cancel the work, and raise Cancelled."""
    task, gone = asyncio.ensure_future(work), asyncio.ensure_future(request.receive())
    try:
        await asyncio.wait([task, gone], return_when=asyncio.FIRST_COMPLETED)
        if not task.done():
            raise Cancelled("The client disconnected.")
        return task.result()
    finally:
        task.cancel()
        gone.cancel()
