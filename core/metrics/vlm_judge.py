"""A metric that talks to a vision-language model: from samples to outcomes, in batches, one bad sample at a time.

FLEUR and EXPERT differ only in what they ask (core.metrics.turns.Script); this is what they share.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby

from PIL import Image

from core.errors import BadImage
from core.images import open_rgb
from core.metrics.turns import Script, converse
from core.metrics.vlm_options import Conduct
from core.models.vlm.protocol import Vlm
from core.types import EvaluationError, ImageRef, Outcome, Sample

Problem = tuple[str, str]  # kind and message of an EvaluationError


def judge(vlm: Vlm, script: Script, conduct: Conduct, samples: Sequence[Sample]) -> Iterator[Outcome]:
    """Yield one outcome a sample, in order. Captions of one picture should follow one another: they share work."""
    for batch in batches(samples, conduct.batch_size):
        yield from _judge_batch(vlm, script, conduct, batch)


def batches(samples: Sequence[Sample], size: int) -> Iterator[list[Sample]]:
    """Cut samples into batches of at most size, in order; the captions of one picture stay together if they fit."""
    batch: list[Sample] = []
    for _, run in groupby(samples, key=lambda sample: sample.image):
        captions = list(run)
        if batch and len(batch) + len(captions) > size:
            yield batch
            batch = []
        batch += captions
        while len(batch) > size:
            yield batch[:size]
            batch = batch[size:]
    if batch:
        yield batch


def _judge_batch(vlm: Vlm, script: Script, conduct: Conduct, batch: Sequence[Sample]) -> list[Outcome]:
    pictures: dict[ImageRef, Image.Image] = {}
    problems: dict[ImageRef, Problem] = {}
    for image in dict.fromkeys(sample.image for sample in batch):
        try:
            pictures[image] = _picture(image)
        except BadImage as error:
            problems[image] = ("bad_image" if image.path else "missing_image", str(error))
    found = [problems.get(sample.image) or _problem(sample, script, vlm.control_texts) for sample in batch]
    able = [sample for sample, problem in zip(batch, found, strict=True) if problem is None]
    judged = iter(_converse(vlm, script, conduct, able, pictures) if able else ())
    return [
        EvaluationError(script.metric, conduct.signature, *problem) if problem else next(judged) for problem in found
    ]


def _picture(image: ImageRef) -> Image.Image:
    if image.path is None:
        raise BadImage(f"Expected a picture, found none for {image.name}.")
    return open_rgb(image.path, drop_alpha=True)


def _problem(sample: Sample, script: Script, control_texts: frozenset[str]) -> Problem | None:
    if script.needs_references and not sample.references:
        return "references_required", f"{script.metric} compares with references, and {sample.key} has none."
    # A caption that writes the model's own marks, "</s>" or "<image>", would take part in the template.
    said = "\n".join((sample.candidate, *sample.references))
    held = sorted(text for text in control_texts if text in said)
    return ("control_text", f"Expected plain text, found {held[0]!r}, which steers the model.") if held else None


def _converse(
    vlm: Vlm, script: Script, conduct: Conduct, samples: Sequence[Sample], pictures: Mapping[ImageRef, Image.Image]
) -> list[Outcome]:
    shown = list(dict.fromkeys(sample.image for sample in samples))
    rows = [shown.index(sample.image) for sample in samples]
    return converse(vlm.open([pictures[image] for image in shown], rows), script, conduct, samples)
