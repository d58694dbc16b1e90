"""Scores and explanations as JSON. The command line prints masks of regions, and the pages get outlines to draw."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from core.captions.language import NOTICE
from core.captions.shared_words_json import match_fields
from core.captions.summary import summary
from core.costs import Seconds, Usage, usage_fields
from core.errors import ErrorKind
from core.json_types import Rationales
from core.metrics import Metric, meanings_of
from core.regions import masks, shapes
from core.regions.protocols import LABELS, encoder_kind
from core.types import Claim, EvaluationError, Explanation, Mark, Match, Outcome, Phrase, Region


@dataclass(frozen=True, slots=True)
class ThingJson:
    """An object that a phrase names."""

    text: str
    start: int  # index of the thing's first character in the caption
    end: int  # index after the thing's last character
    mark: Mark  # whether the picture shows the thing


@dataclass(frozen=True, slots=True)
class PhraseJson:
    """A phrase of the caption."""

    text: str
    start: int  # index of the phrase's first character in the caption
    end: int  # index after the phrase's last character
    support: float
    region: int | None  # index of the phrase's best region; None: no region's label names any thing in the phrase
    mark: Mark
    things: tuple[ThingJson, ...]  # things that the phrase names; empty: an encoder, not labels, decided the mark
    kind: Claim  # "denied": the caption says that the phrase is not true of the picture
    shown: str  # the phrase in the caption's words; in scores of older versions the same as `text`
    reason: str  # reason for a mark that comes from labels, in words; "": unknown
    regions: tuple[int, ...]  # indices of the named regions if labels decided the mark; otherwise only the best region
    denied: tuple[int, int] | None  # span from "no" to the end of what it denies; None: unknown, or nothing is denied
    precision: float | None  # the phrase's share in the score's precision, which is the mean; None: not compared


@dataclass(frozen=True, slots=True)
class RegionJson:
    """A region of the picture."""

    label: str | None
    is_full: bool  # True: the region is the whole picture
    support: float
    phrase: int | None  # index of the region's best phrase; None: labels decided, and no phrase names the region
    mentioned: bool
    reason: str  # why labels show that the region is mentioned or not, in words; "": unknown
    recall: float  # the region's share in the score's recall, which is the mean over all regions and the whole picture


@dataclass(frozen=True, slots=True)
class DrawnRegionJson(RegionJson):
    """A region with its outline."""

    area: int  # px
    path: str  # smooth SVG path; "" for the whole picture
    thickness: float  # px: twice the area, divided by the length of the outline
    wholes: tuple[int, ...]  # indices of the larger regions of which it is a part


@dataclass(frozen=True, slots=True)
class LinksJson:
    """The links between phrases and regions."""

    cut: float  # lowest support with which a phrase counts as correct and a region as mentioned; users can change it
    size: tuple[int, int]  # height, width in px
    phrases: tuple[PhraseJson, ...]
    regions: tuple[DrawnRegionJson, ...]
    notice: str  # reason why the caption was not compared, in words; "": it was compared


@dataclass(frozen=True, slots=True)
class ScoreJson:
    """A score on the pages."""

    metric: str
    signature: str
    value: float  # within `scale`
    scale: tuple[float, float]
    components: Mapping[str, float | tuple[float, ...]]  # components of the score by name; empty in lists of outcomes
    meanings: dict[str, str]  # key: component; value: its meaning, if known
    rationales: Rationales
    links: LinksJson | None = None  # links between phrases and regions; None: no regions, or not requested
    # Kind of the encoder that compared phrases with regions, such as "alpha-clip"; None: there are no regions
    encoder: str | None = None
    sentence: str = ""  # what the caption says and omits, in words; "": it was not compared with regions
    by_labels: bool = False  # True: regions were compared by their labels, not by their pixels
    usage: Usage | None = None  # tokens counted by the model server; None: not stored, or no server was used
    seconds: Seconds = field(default_factory=dict)  # seconds of each step of the scoring; empty: not measured
    matches: tuple[Match, ...] = ()  # matches of the caption with references; empty: no matches, or not stored
    unlisted: int = 0  # further matches
    error: None = None


@dataclass(frozen=True, slots=True)
class Problem:
    """The reason why there is no score."""

    kind: ErrorKind
    message: str


@dataclass(frozen=True, slots=True)
class ErrorJson:
    """A score that could not be computed."""

    metric: str
    signature: str
    error: Problem
    links: None = None
    usage: Usage | None = None
    seconds: Seconds = field(default_factory=dict)


OutcomeJson = ScoreJson | ErrorJson


def printed_outcome(outcome: Outcome) -> dict[str, Any]:
    """Return a score or an error for `score --json`.

    Masks of regions are in COCO run-length encoding.
    """
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
        }
        | ({"matches": match_fields(explanation)} if explanation.matches else {}),
    } | cost


def outcome_json(outcome: Outcome) -> OutcomeJson:
    """Return a score or an error for the pages' lists.

    Components, phrases, regions and matches are omitted.
    """
    if isinstance(outcome, EvaluationError):
        problem = Problem(outcome.kind, outcome.message)
        return ErrorJson(outcome.metric, outcome.signature, problem, usage=outcome.usage, seconds=outcome.seconds)
    return ScoreJson(
        outcome.metric,
        outcome.signature,
        outcome.value,
        outcome.scale,
        {},
        {},
        outcome.explanation.rationales,
        usage=outcome.usage,
        seconds=outcome.seconds,
    )


def full_outcome_json(outcome: Outcome, metrics: Sequence[type[Metric]]) -> OutcomeJson:
    """Return a score with its components' meanings, or an error.

    If the explanation of the score has regions, the result also has the links between its phrases and regions.
    """
    shown = outcome_json(outcome)
    if isinstance(outcome, EvaluationError) or isinstance(shown, ErrorJson):
        return shown
    meanings = {name: text for name, text in meanings_of(outcome.metric, metrics).items() if name in outcome.components}
    links, named = explanation_json(outcome.explanation), outcome.explanation.encoder
    encoder = None if named is None else encoder_kind(named)
    matches, unlisted = outcome.explanation.matches, outcome.explanation.unlisted
    by_labels = encoder == LABELS
    shown = replace(
        shown, components=outcome.components, meanings=meanings, links=links, encoder=encoder, by_labels=by_labels
    )
    sentence = summary(outcome.explanation) if links and not links.notice else ""
    return replace(shown, matches=matches, unlisted=unlisted, sentence=sentence)


def explanation_json(explanation: Explanation) -> LinksJson | None:
    """Return the explanation's phrases and regions for the pages.

    They are in the explanation's order, and regions have outlines to draw. Phrases and regions have a support, the
    strength of their match. `cut` is the minimum support that counts as a match. None: the explanation has no regions
    or no `cut`. Raises BadMask.
    """
    if not explanation.regions or explanation.cut is None:
        return None
    phrases, regions = tuple(map(_phrase, explanation.phrases)), _drawn(explanation.regions)
    return LinksJson(
        explanation.cut, explanation.regions[0].size, phrases, regions, "" if explanation.is_read else NOTICE
    )


def _problem(error: EvaluationError) -> dict[str, str]:
    return {"kind": error.kind, "message": error.message}


def _phrase(phrase: Phrase) -> PhraseJson:
    things = tuple(ThingJson(thing.text, *thing.span, thing.mark) for thing in phrase.things)
    return PhraseJson(
        phrase.text,
        *phrase.span,
        phrase.support,
        phrase.region,
        phrase.mark,
        things,
        phrase.kind,
        phrase.shown or phrase.text,
        phrase.reason,
        phrase.linked,
        phrase.denied,
        phrase.precision,
    )


def _region(region: Region) -> RegionJson:
    return RegionJson(
        region.label, region.is_full, region.support, region.phrase, region.mentioned, region.reason, region.recall
    )


def _drawn(regions: Sequence[Region]) -> tuple[DrawnRegionJson, ...]:
    parts = shapes.wholes(tuple(None if one.is_full else (one.rle, one.size, one.label) for one in regions))
    drawn = []
    for region, wholes in zip(regions, parts, strict=True):
        shape, area = shapes.shape(region.rle, region.size), masks.area(region.rle, region.size)
        path = "" if region.is_full else shape.path
        drawn.append(
            DrawnRegionJson(**asdict(_region(region)), area=area, path=path, thickness=shape.thickness, wholes=wholes)
        )  # fmt: skip
    return tuple(drawn)
