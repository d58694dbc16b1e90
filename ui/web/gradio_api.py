"""What other programs may call through gradio_client, and other Spaces through gr.load: score, explain, models.

The same people may, and the same queue decides whose turn it is, as on the pages; nothing is kept.
docs/how-to/call-from-programs.md has an example. Gradio's routes for it are in ui/web/access/route_table.py.
"""

import asyncio
import base64
import binascii
import tempfile
from collections.abc import AsyncGenerator, Mapping
from contextlib import aclosing
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Any

import gradio as gr
from fastapi import APIRouter
from gradio.server_messages import ProcessCompletedMessage
from pydantic import BaseModel, ConfigDict, Field, ValidationError
from starlette.requests import Request

from core.errors import BadSetting, CapscopeError, NotAllowed
from core.images.pictures import read_image_facts
from core.images.sandbox import thumbnail_apart
from core.types import LONGEST_TEXT, ImageRef, ImageRegion, Outcome, Sample
from ui.services.importing.own_pictures import DATASET, LARGEST_PICTURE, MOST_REFERENCES
from ui.services.scoring.judging import Judge
from ui.services.scoring.model_queue import Finished, Told
from ui.services.workplace import Workplace
from ui.web.access.checks import visitor_of
from ui.web.access.refusals import malformed, refusal_of
from ui.web.json.outcomes import printed_outcome
from ui.web.routes import LARGEST_ID, decoding
from ui.web.routes.inspect import client_of

MOST_WAITING = 16  # calls, each with a picture of some megabytes
_LOOKED_AT_PX = 64  # of the thumbnail that shows that a picture is whole

Text = Annotated[str, Field(max_length=LONGEST_TEXT)]


class Asked(BaseModel):
    """What is to be judged: a stored sample, with its own caption or another one, or a picture that is sent."""

    model_config = ConfigDict(extra="forbid", strict=True)
    metric: str = Field(max_length=100)
    caption: Text | None
    sample: int | None = Field(ge=1, le=LARGEST_ID)
    picture: str | None  # base64 of a picture's file
    references: list[Text] | None = Field(max_length=MOST_REFERENCES)


def add_endpoints(workplace: Workplace, judge: Judge) -> None:
    """Add the endpoints to the Gradio app that is being built."""

    async def judged(asked: Mapping[str, Any], request: gr.Request, explain: bool) -> dict[str, Any]:
        try:
            with tempfile.TemporaryDirectory(prefix="received-", dir=workplace.data_dir) as folder:
                starlette = _starlette(request)
                sample = await _sample(workplace, Asked(**asked), starlette, Path(folder))
                news = judge.judge_sample(sample, asked["metric"], explain, client_of(starlette))
                return printed_outcome(await _last(news))
        except ValidationError as error:
            raise _error(malformed(error.errors()).detail) from error
        except CapscopeError as error:
            raise _error(refusal_of(error).detail) from error

    async def score(
        request: gr.Request,
        metric: str,
        caption: str | None = None,
        sample: int | None = None,
        picture: str | None = None,
        references: list[str] | None = None,
    ) -> dict[str, Any]:
        """Score a caption of a stored sample, or of a picture that is sent; returns value, signature, components."""
        asked = {"metric": metric, "caption": caption, "sample": sample, "picture": picture, "references": references}
        outcome = await judged(asked, request, explain=False)
        return {name: value for name, value in outcome.items() if name != "explanation"}

    async def explain(
        request: gr.Request,
        metric: str,
        caption: str | None = None,
        sample: int | None = None,
        picture: str | None = None,
        references: list[str] | None = None,
    ) -> dict[str, Any]:
        """Score as `score` does, and say why: in words, or by phrases and regions."""
        asked = {"metric": metric, "caption": caption, "sample": sample, "picture": picture, "references": references}
        return await judged(asked, request, explain=True)

    async def models() -> list[dict[str, Any]]:
        """List the metrics: scale, paper, what they need, and whether one can judge a picture that is sent.

        ready_with_regions: whether the metric can judge a stored sample whose picture has annotated regions.
        """
        here = {one.metric: one for one in judge.readiness_of(_WITH_ALL)}
        annotated = {one.metric: one.ready for one in judge.readiness_of(_ANNOTATED)}
        return [
            {
                "metric": metric.name,
                "paper": metric.paper,
                "scale": list(metric.scale),
                "requires_references": metric.requires_references,
                "ready": here[metric.name].ready,
                "ready_with_regions": annotated[metric.name],
                "needs": list(here[metric.name].needs),
            }
            for metric in judge.metrics()
        ]

    for endpoint in (score, explain):
        gr.api(endpoint, concurrency_limit=1, concurrency_id="models")
    gr.api(models)


class Given(BaseModel):
    """A call that is given up, as gradio_client says it."""

    session_hash: str = Field(max_length=100)
    event_id: str | None = Field(default=None, max_length=100)


@dataclass(frozen=True, slots=True)
class GivenUp:
    """That a call was given up, if it was there."""

    success: bool = True


ROUTER = APIRouter()


@ROUTER.post("/gradio_api/cancel")
async def cancel(body: Given, request: Request) -> GivenUp:
    """Give one call up.

    This route stands before Gradio's own. Gradio's ends whatever the same client has running together with a call that
    still waits, and whoever awaits the other one waits for ever.
    """
    queue = request.app.state.gradio_pages._queue
    event = queue.event_ids_to_events.get(body.event_id or "")
    if event is not None and event.session_hash == body.session_hash:
        await queue.remove_from_queue(event._id)
        for task in asyncio.all_tasks():
            if task.get_name().endswith(f"<gradio-sep>{event._id}"):
                task.cancel()
        queue.send_message(event, ProcessCompletedMessage(output={}, success=True))
    return GivenUp()


_WITH_ALL = Sample("", ImageRef("sent", Path(__file__)), "caption", ("reference",))  # lacks nothing but regions
_ANNOTATED = replace(_WITH_ALL, image=replace(_WITH_ALL.image, regions=(ImageRegion("", (1, 1), "thing"),)))


def _starlette(request: gr.Request) -> Request:
    """Return the request of a call. Raises BadSetting where Gradio has none: nobody can be told who asks."""
    if not isinstance(request.request, Request):
        raise BadSetting("Expected a call over HTTP.")
    return request.request


async def _last(news: AsyncGenerator[Told[Outcome]]) -> Outcome:
    """Return what the queue tells last; a call that is given up gives its work up."""
    async with aclosing(news):
        async for told in news:
            if isinstance(told, Finished):
                return told.result
    raise BadSetting("Nothing was judged.")


async def _sample(workplace: Workplace, asked: Asked, request: Request, folder: Path) -> Sample:
    """Return what is to be judged. Raises NotFound, NotAllowed, BadSetting, BadImage."""
    if (asked.sample is None) == (asked.picture is None):
        raise BadSetting("Say what to judge: the number of a sample, or a picture.")
    if asked.caption is not None and not asked.caption.strip():
        raise BadSetting("Write a caption to judge.")
    if asked.sample is not None:
        stored = workplace.repository.samples.get(asked.sample).sample
        told = stored.references if asked.references is None else tuple(asked.references)
        return Sample(stored.key, stored.image, asked.caption or stored.candidate, told)
    if not visitor_of(request).may("researcher"):
        raise NotAllowed("To bring a picture takes a researcher's account.")
    if asked.caption is None:
        raise BadSetting("Write a caption for the picture.")
    image = await decoding(_sent, workplace, asked.picture or "", folder / "The picture")
    return Sample("sent", image, asked.caption, tuple(asked.references or ()))


def _sent(workplace: Workplace, picture: str, path: Path) -> ImageRef:
    """Return a picture that was sent, with the regions that are known of it. Raises BadImage, BadSetting."""
    try:
        content = base64.b64decode(picture.rpartition("base64,")[2], validate=True)
    except (binascii.Error, ValueError) as error:
        raise BadSetting("Expected the picture's file in base64.") from error
    if len(content) > LARGEST_PICTURE:
        raise BadSetting(f"Expected at most {LARGEST_PICTURE / 1e6:.0f} MB, found {len(content) / 1e6:.1f} MB.")
    path.write_bytes(content)
    facts = read_image_facts(path)
    thumbnail_apart(path, _LOOKED_AT_PX)  # a stranger's: what is wrong with it comes out there
    samples = workplace.repository.samples
    within = DATASET if (kept := samples.regions_of_picture(facts.sha256, DATASET)) else None
    known = kept or samples.regions_of_picture(facts.sha256)
    looked_for = samples.vocabulary_of_picture(facts.sha256, within)
    return ImageRef(path.name, path, facts.sha256, facts.width, facts.height, known, looked_for)


def _error(words: str) -> gr.Error:
    return gr.Error(words, print_exception=False)
