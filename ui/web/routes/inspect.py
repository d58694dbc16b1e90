"""Routes for judging a sample while it is looked at, and for bringing a picture and a caption of one's own."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import dataclass
from typing import Annotated

from fastapi import APIRouter, File, Form, UploadFile
from fastapi.responses import StreamingResponse
from pydantic import BaseModel, ConfigDict, Field, TypeAdapter
from starlette.types import Receive, Scope, Send

from core.errors import CapscopeError
from core.types import LONGEST_TEXT, Outcome
from ui.services.judging import Judge, Readiness
from ui.services.model_queue import Finished, Told, Waiting, Working
from ui.services.uploads import LARGEST_PICTURE, LARGEST_REGIONS, OwnSample, take_in_own
from ui.services.workplace import Workplace
from ui.web.outcome_json import OutcomeJson, full_outcome_json
from ui.web.refusals import Refusal, refusal_of
from ui.web.routes import LARGEST_ID, Id, decoding

MOST_REFERENCES = 20
LARGEST_UPLOAD = LARGEST_PICTURE + LARGEST_REGIONS + 1_000_000  # bytes: both files and what is around them
Text = Annotated[str, Field(max_length=LONGEST_TEXT)]


class JudgeBody(BaseModel):
    """What is to be judged; without a caption the sample's own."""

    model_config = ConfigDict(extra="forbid", strict=True)
    sample: int = Field(ge=1, le=LARGEST_ID)
    metric: str = Field(max_length=100)
    caption: Text | None = None
    keep: bool = False


@dataclass(frozen=True, slots=True)
class Judged:
    """The last event: what the metric says."""

    outcome: OutcomeJson


@dataclass(frozen=True, slots=True)
class NotJudged:
    """The last event where nothing could be judged."""

    problem: Refusal


News = Waiting | Working | Judged | NotJudged
_NEWS: TypeAdapter[News] = TypeAdapter(News)


class Events(StreamingResponse):
    """Server-sent events; when their reader goes away, their source is closed at once."""

    media_type = "text/event-stream"

    def __init__(self, source: AsyncGenerator[str]) -> None:
        super().__init__(source, headers={"cache-control": "no-store"})
        self._source = source

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send them."""
        async with aclosing(self._source):
            await super().__call__(scope, receive, send)


def inspect_routes(workplace: Workplace, judge: Judge) -> APIRouter:
    """Return the routes under /api that the Inspect page alone uses."""
    router = APIRouter(prefix="/api")

    @router.get("/samples/{sample_id}/metrics")
    def metrics(sample_id: Id) -> list[Readiness]:
        return list(judge.readiness(sample_id))

    @router.post("/judge", status_code=200, response_class=Events, responses={200: {"model": News}})
    def judge_(body: JudgeBody) -> Events:
        return Events(_events(judge.judge(body.sample, body.metric, body.caption, body.keep)))

    @router.post("/own", max_body_size=LARGEST_UPLOAD)
    async def own(
        picture: Annotated[UploadFile, File()],
        caption: Annotated[str, Form(max_length=LONGEST_TEXT)],
        references: Annotated[list[Text] | None, Form(max_length=MOST_REFERENCES)] = None,
        regions: Annotated[UploadFile | None, File()] = None,
    ) -> OwnSample:
        return await decoding(take_in_own, workplace, picture, caption, references or [], regions)

    return router


async def _events(news: AsyncGenerator[Told[Outcome]]) -> AsyncGenerator[str]:
    """Write what is told as server-sent events; an error is the last one."""
    try:
        async with aclosing(news):
            async for told in news:
                yield await asyncio.to_thread(_event, told)  # outlines of large pictures take a while
    except CapscopeError as error:
        yield _line(NotJudged(refusal_of(error)))


def _event(told: Told[Outcome]) -> str:
    return _line(Judged(full_outcome_json(told.result)) if isinstance(told, Finished) else told)


def _line(news: News) -> str:
    return f"data: {_NEWS.dump_json(news).decode()}\n\n"
