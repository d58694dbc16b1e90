"""Scores and explanations as JSON: for the command line with masks, for the pages with outlines to draw."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from core.costs import Seconds, Usage, usage_fields
from core.errors import ErrorKind
from core.json_types import Rationales
from core.metrics import Metric
from core.regions import masks, outlines
from core.regions.protocols import LABELS, encoder_kind
from core.types import EvaluationError, Explanation, Mark, Outcome, Phrase, Region


@dataclass(frozen=True, slots=True)
class ThingJson:
    """A thing that a phrase names."""

    text: str
    start: int  # its first character in the caption
    end: int  # one past its last character
    mark: Mark  # whether it is there


@dataclass(frozen=True, slots=True)
class PhraseJson:
    """A phrase of the caption."""

    text: str
    start: int  # its first character in the caption
    end: int  # one past its last character
    support: float
    region: int | None  # index of its best region; None where labels name nothing it is about
    mark: Mark
    things: tuple[ThingJson, ...]  # that it names; empty where an encoder saw the picture


@dataclass(frozen=True, slots=True)
class RegionJson:
    """A region of the picture."""

    label: str | None
    is_full: bool  # the whole picture
    support: float
    phrase: int | None  # index of its best phrase; None where labels say that no phrase names it
    mentioned: bool


@dataclass(frozen=True, slots=True)
class DrawnRegionJson(RegionJson):
    """A region with its outline."""

    area: int  # px
    path: str  # of an SVG; empty for the whole picture


@dataclass(frozen=True, slots=True)
class LinksJson:
    """Which phrase goes with which region."""

    cut: float  # support from which a phrase counts as correct and a region as mentioned; the page may move it
    size: tuple[int, int]  # height, width in px
    phrases: tuple[PhraseJson, ...]
    regions: tuple[DrawnRegionJson, ...]


@dataclass(frozen=True, slots=True)
class ScoreJson:
    """A score as the pages show it."""

    metric: str
    signature: str
    value: float  # within scale
    scale: tuple[float, float]
    components: Mapping[str, float | tuple[float, ...]]
    meanings: dict[str, str]  # what components mean, where that is known
    rationales: Rationales
    links: LinksJson | None = None  # None: no regions, or not asked for
    encoder: str | None = None  # the kind that compared phrases with regions, "alpha-clip"; None: without regions
    by_labels: bool = False  # regions were judged by the words that come with them, not by their pixels
    usage: Usage | None = None  # tokens as the model server counted them; None: not stored, or no server answered
    seconds: Seconds = field(default_factory=dict)  # by part; empty: not measured
    error: None = None


@dataclass(frozen=True, slots=True)
class Problem:
    """Why there is no score."""

    kind: ErrorKind
    message: str


@dataclass(frozen=True, slots=True)
class ErrorJson:
    """A score that could not be made."""

    metric: str
    signature: str
    error: Problem
    links: None = None
    usage: Usage | None = None
    seconds: Seconds = field(default_factory=dict)


OutcomeJson = ScoreJson | ErrorJson


def printed_outcome(outcome: Outcome) -> dict[str, Any]:
    """Return an outcome as `score --json` prints it, masks as COCO run-length encoding."""
    known = {"usage": usage_fields(outcome.usage), "seconds": dict(outcome.seconds)}
    cost = {name: value for name, value in known.items() if value}
    if isinstance(outcome, EvaluationError):
        return {"metric": outcome.metric, "error": _problem(outcome)} | cost
    explanation = outcome.explanation
    return {
        "metric": outcome.metric,
        "value": outcome.value,
        "signature": outcome.signature,
        "components": dict(outcome.components),
        "explanation": {
            "rationales": dict(explanation.rationales),
            "phrases": [asdict(_phrase(phrase)) for phrase in explanation.phrases],
            "regions": [
                asdict(_region(region)) | {"rle": {"size": list(region.size), "counts": region.rle}}
                for region in explanation.regions
            ],
        },
    } | cost


def outcome_json(outcome: Outcome) -> OutcomeJson:
    """Return an outcome as the pages list it, without phrases and regions."""
    if isinstance(outcome, EvaluationError):
        problem = Problem(outcome.kind, outcome.message)
        return ErrorJson(outcome.metric, outcome.signature, problem, usage=outcome.usage, seconds=outcome.seconds)
    return ScoreJson(
        outcome.metric,
        outcome.signature,
        outcome.value,
        outcome.scale,
        outcome.components,
        {},
        outcome.explanation.rationales,
        usage=outcome.usage,
        seconds=outcome.seconds,
    )


def full_outcome_json(outcome: Outcome, metrics: Sequence[type[Metric]]) -> OutcomeJson:
    """Return an outcome as the pages show it: with what its components mean, and its links where it has regions."""
    shown = outcome_json(outcome)
    if isinstance(outcome, EvaluationError) or isinstance(shown, ErrorJson):
        return shown
    meanings = {name: text for name, text in _meanings(outcome.metric, metrics).items() if name in outcome.components}
    links, named = explanation_json(outcome.explanation), outcome.explanation.encoder
    encoder = None if named is None else encoder_kind(named)
    return replace(shown, meanings=meanings, links=links, encoder=encoder, by_labels=encoder == LABELS)


def explanation_json(explanation: Explanation) -> LinksJson | None:
    """Return phrases and regions with outlines to draw, in the explanation's order; None without regions or cut.

    Raises BadMask.
    """
    if not explanation.regions or explanation.cut is None:
        return None
    phrases, regions = tuple(map(_phrase, explanation.phrases)), tuple(map(_drawn, explanation.regions))
    return LinksJson(explanation.cut, explanation.regions[0].size, phrases, regions)


def _meanings(metric: str, metrics: Sequence[type[Metric]]) -> Mapping[str, str]:
    """Return what the metric's components mean; nothing of a metric that is not computed here."""
    return next((known.meanings for known in metrics if known.name == metric), {})


def _problem(error: EvaluationError) -> dict[str, str]:
    return {"kind": error.kind, "message": error.message}


def _phrase(phrase: Phrase) -> PhraseJson:
    things = tuple(ThingJson(thing.text, *thing.span, thing.mark) for thing in phrase.things)
    return PhraseJson(phrase.text, *phrase.span, phrase.support, phrase.region, phrase.mark, things)


def _region(region: Region) -> RegionJson:
    return RegionJson(region.label, region.is_full, region.support, region.phrase, region.mentioned)


def _drawn(region: Region) -> DrawnRegionJson:
    path = "" if region.is_full else outlines.svg_path(region.rle, region.size)
    area = masks.area(region.rle, region.size)
    return DrawnRegionJson(region.label, region.is_full, region.support, region.phrase, region.mentioned, area, path)
