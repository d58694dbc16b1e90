"""Routes for judging a sample while it is looked at, and for bringing a picture and a caption of one's own."""

import json
from collections.abc import AsyncIterator
from dataclasses import asdict
from typing import Annotated, Any

from fastapi import APIRouter, File, Form, UploadFile
from fastapi.responses import StreamingResponse
from pydantic import BaseModel, ConfigDict, Field

from core.errors import CapscopeError
from core.types import Outcome
from ui.judging import Judge
from ui.model_queue import Finished, Told, Waiting
from ui.outcomes import full_outcome_json
from ui.own import take_in_own
from ui.routes import LARGEST_ID, Id
from ui.services import Workplace

LONGEST_CAPTION = 5_000  # characters
MOST_REFERENCES = 20


class JudgeBody(BaseModel):
    """What is to be judged; without a caption the sample's own."""

    model_config = ConfigDict(extra="forbid", strict=True)
    sample: int = Field(ge=1, le=LARGEST_ID)
    metric: str = Field(max_length=100)
    caption: str | None = Field(default=None, max_length=LONGEST_CAPTION)
    keep: bool = False


def inspect_routes(workplace: Workplace, judge: Judge) -> APIRouter:
    """Return the routes under /api that the Inspect page alone uses."""
    router = APIRouter(prefix="/api")

    @router.get("/samples/{sample_id}/metrics")
    def metrics(sample_id: Id) -> list[dict[str, Any]]:
        return [asdict(readiness) for readiness in judge.readiness(sample_id)]

    @router.post("/judge")
    async def judge_(body: JudgeBody) -> StreamingResponse:
        news = judge.judge(body.sample, body.metric, body.caption, body.keep)
        return StreamingResponse(_events(news), media_type="text/event-stream", headers={"cache-control": "no-store"})

    @router.post("/own")
    def own(
        picture: Annotated[UploadFile, File()],
        caption: Annotated[str, Form(max_length=LONGEST_CAPTION)],
        references: Annotated[list[str] | None, Form(max_length=MOST_REFERENCES)] = None,
        regions: Annotated[UploadFile | None, File()] = None,
    ) -> dict[str, Any]:
        return asdict(take_in_own(workplace, picture, caption, references or [], regions))

    return router


async def _events(news: AsyncIterator[Told[Outcome]]) -> AsyncIterator[str]:
    """Write what is told as server-sent events; an error raised on purpose is the last one."""
    try:
        async for told in news:
            yield _event(_told_json(told))
    except CapscopeError as error:
        yield _event({"problem": str(error)})


def _told_json(told: Told[Outcome]) -> dict[str, Any]:
    if isinstance(told, Finished):
        return {"outcome": full_outcome_json(told.result)}
    if isinstance(told, Waiting):
        return {"before": told.before}
    return asdict(told)


def _event(content: dict[str, Any]) -> str:
    return f"data: {json.dumps(content, allow_nan=False)}\n\n"
