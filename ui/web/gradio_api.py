"""Endpoints for gradio_client, and for other Spaces through gr.load: score, explain, models.

Permissions and the queue are the same as for the pages. Nothing is saved. docs/how-to/call-from-programs.md has an
example. Gradio's routes for the endpoints are in ui/web/access/gates.py.
"""

import base64
import binascii
import tempfile
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import aclosing
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

import gradio as gr
from pydantic import BaseModel, ConfigDict, Field, ValidationError
from starlette.requests import Request

from core.errors import BadSetting, CapscopeError, NotAllowed
from core.images.pictures import read_image_facts
from core.images.sandbox import thumbnail_apart
from core.metrics import Metric
from core.metrics.evaluator import metric_named
from core.types import LONGEST_TEXT, ImageRef, ImageRegion, Outcome, Sample
from ui.services.importing.own_pictures import DATASET, LARGEST_PICTURE, MOST_REFERENCES
from ui.services.scoring.judging import Judge
from ui.services.scoring.model_queue import Finished, Told
from ui.services.workplace import Workplace
from ui.web.access.access_checks import visitor_of
from ui.web.access.refusals import malformed, refusal_of
from ui.web.json.outcomes import printed_outcome
from ui.web.routes import LARGEST_ID, decoding
from ui.web.routes.inspect import client_of

MOST_WAITING = 16  # maximum number of waiting calls; each may contain a picture of some megabytes
_LOOKED_AT_PX = 64  # side in px of the thumbnail that is made to check a picture

Text = Annotated[str, Field(max_length=LONGEST_TEXT)]


class Asked(BaseModel):
    """The sample to score.

    Either a stored sample or a picture in the request is scored. A caption in the request replaces the caption of a
    stored sample. A picture needs a caption. For metrics that need no picture, a caption alone is enough.
    """

    model_config = ConfigDict(extra="forbid", strict=True)
    metric: str = Field(max_length=100)
    caption: Text | None
    sample: int | None = Field(ge=1, le=LARGEST_ID)
    picture: str | None  # content of a picture file in base64; None: no picture
    references: list[Text] | None = Field(max_length=MOST_REFERENCES)


def add_endpoints(workplace: Workplace, judge: Judge) -> None:
    """Add the endpoints to the Gradio app that is being built."""

    async def judged(asked: Mapping[str, Any], request: gr.Request, explain: bool) -> dict[str, Any]:
        try:
            with tempfile.TemporaryDirectory(prefix="received-", dir=workplace.data_dir) as folder:
                starlette = _starlette(request)
                sample, dataset = await _sample(workplace, Asked(**asked), judge.metrics(), starlette, Path(folder))
                news = judge.judge_sample(sample, asked["metric"], explain, client_of(starlette), dataset)
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
        """Score a caption of a stored sample, or of a picture in the request. Some metrics need only references.

        Returns value, signature and components.
        """
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
        """Score as `score` does, and also explain the score: in words, or by phrases and regions."""
        asked = {"metric": metric, "caption": caption, "sample": sample, "picture": picture, "references": references}
        return await judged(asked, request, explain=True)

    async def models() -> list[dict[str, Any]]:
        """List the metrics: scale, paper, requirements, and whether they can score a picture without regions.

        ready_with_regions: whether the metric can score a stored sample whose picture has annotated regions.
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


_WITH_ALL = Sample("", ImageRef("sent", Path(__file__)), "caption", ("reference",))  # all inputs, but no regions
_ANNOTATED = replace(_WITH_ALL, image=replace(_WITH_ALL.image, regions=(ImageRegion("", (1, 1), "thing"),)))


def _starlette(request: gr.Request) -> Request:
    """Return the HTTP request of a call to an endpoint.

    Raises BadSetting if the call has none, because its sender is then unknown.
    """
    if not isinstance(request.request, Request):
        raise BadSetting("This call must be sent over HTTP.")
    return request.request


async def _last(news: AsyncGenerator[Told[Outcome]]) -> Outcome:
    """Return a job's result from the model queue's messages about it.

    If the call of the endpoint is cancelled, the job in the queue is cancelled too.
    """
    async with aclosing(news):
        async for told in news:
            if isinstance(told, Finished):
                return told.result
    raise BadSetting("Nothing was judged.")


async def _sample(
    workplace: Workplace, asked: Asked, metrics: Sequence[type[Metric]], request: Request, folder: Path
) -> tuple[Sample, str | None]:
    """Return the sample to score, and its data set or None.

    None: the sample is not stored. For metrics that need no picture, a caption alone is enough. Raises NotFound,
    NotAllowed, BadSetting, BadImage.
    """
    if asked.sample is not None and asked.picture is not None:
        raise BadSetting("Send the number of a sample or a picture, not both.")
    if asked.caption is not None and not asked.caption.strip():
        raise BadSetting("Write a caption to score.")
    if asked.sample is not None:
        stored_sample = workplace.repository.samples.get(asked.sample)
        stored = stored_sample.sample
        told = stored.references if asked.references is None else tuple(asked.references)
        return Sample(stored.key, stored.image, asked.caption or stored.candidate, told), stored_sample.dataset
    if asked.picture is None:
        if metric_named(asked.metric, metrics).needs_image:
            raise BadSetting("Send the number of a sample, or a picture.")
        if asked.caption is None:
            raise BadSetting("Write a caption to score.")
        return Sample("this caption", ImageRef(""), asked.caption, tuple(asked.references or ())), None
    if not visitor_of(request).may("researcher"):
        raise NotAllowed("Only a researcher's account can send a picture.")
    if asked.caption is None:
        raise BadSetting("Write a caption for the picture.")
    image = await decoding(_sent, workplace, asked.picture, folder / "The picture")
    return Sample("sent", image, asked.caption, tuple(asked.references or ())), None


def _sent(workplace: Workplace, picture: str, path: Path) -> ImageRef:
    """Return the picture that a request contains.

    If a data set contains the same picture, its annotated regions are added. Raises BadImage, BadSetting.
    """
    try:
        content = base64.b64decode(picture.rpartition("base64,")[2], validate=True)
    except (binascii.Error, ValueError) as error:
        raise BadSetting("The picture must be a file in base64.") from error
    if len(content) > LARGEST_PICTURE:
        raise BadSetting(
            f"The picture may have at most {LARGEST_PICTURE / 1e6:.0f} MB, but has {len(content) / 1e6:.1f} MB."
        )
    path.write_bytes(content)
    facts = read_image_facts(path)
    thumbnail_apart(path, _LOOKED_AT_PX)  # checks the picture, because another program sent it
    known, looked_for = workplace.repository.samples.annotations_of(facts.sha256, DATASET)
    return ImageRef(path.name, path, facts.sha256, facts.width, facts.height, known, looked_for)


def _error(words: str) -> gr.Error:
    return gr.Error(words, print_exception=False)
