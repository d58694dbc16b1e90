"""Scores and explanations as JSON. The command line prints masks of regions, and the pages get outlines to draw."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import partial
from typing import Any

from core.captions.english import NOTICE
from core.captions.matches_json import match_fields
from core.captions.summary import summary
from core.costs import Seconds, Usage
from core.errors import ErrorKind
from core.json_types import Rationales
from core.metrics import Metric, meanings_of
from core.regions import masks, outlines
from core.regions.protocols import LABELS, encoder_kind
from core.types import Claim, EvaluationError, Explanation, Mark, Match, Outcome, Phrase, Region
from ui.region_words import (
    Look,
    about_phrases,
    about_regions,
    counts,
    linked_phrase,
    linked_regions,
    looks,
    names,
    note,
    shown_words,
)


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
    shown: str  # the phrase in the caption's words
    start: int  # index of the phrase's first character in the caption
    end: int  # index after the phrase's last character
    denied: tuple[int, int] | None  # span from "no" to the end of what it denies; None: unknown, or nothing is denied
    kind: Claim  # "denied": the caption says that the phrase is not true of the picture
    mark: Mark
    things: tuple[ThingJson, ...]  # things that the phrase names; empty: an encoder, not labels, decided the mark
    regions: tuple[int, ...]  # indices of the regions that belong to the phrase
    precision: float | None  # the phrase's share in the score's precision; None: not compared, or not for raters
    words: str  # what the page says about the phrase


@dataclass(frozen=True, slots=True)
class RegionJson:
    """A region of the picture, with its outline."""

    name: str
    words: str  # what the page says about the region
    look: Look
    is_full: bool  # True: the region is the whole picture
    mentioned: bool
    phrase: int | None  # index of the phrase that belongs to the region; None: no phrase matches it
    recall: float | None  # the region's share in the score's recall; None: not for raters
    area: int  # px
    path: str  # smooth SVG path; "" for the whole picture
    thickness: float  # px: twice the area, divided by the length of the outline


@dataclass(frozen=True, slots=True)
class LinksJson:
    """The links between phrases and regions."""

    size: tuple[int, int]  # height, width in px
    phrases: tuple[PhraseJson, ...]
    regions: tuple[RegionJson, ...]
    notice: str  # reason why the caption was not compared, in words; "": it was compared
    note: str  # what the marks and numbers do not show, such as denials; "": nothing
    counts: str  # how many regions and things are mentioned, in words; "": nothing was compared


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
    known = {"usage": outcome.usage and asdict(outcome.usage), "seconds": dict(outcome.seconds)}
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
            "phrases": [_printed_phrase(phrase) for phrase in explanation.phrases],
            "regions": [_printed_region(region) for region in explanation.regions],
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
    explanation = outcome.explanation
    links, encoder = explanation_json(explanation), explanation.encoder
    by_labels = encoder is not None and encoder_kind(encoder) == LABELS
    sentence = summary(explanation) if links and not links.notice else ""
    return replace(
        shown,
        components=outcome.components,
        meanings=meanings,
        links=links,
        by_labels=by_labels,
        sentence=sentence,
        matches=explanation.matches,
        unlisted=explanation.unlisted,
    )


def explanation_json(explanation: Explanation, numbered: bool = True) -> LinksJson | None:
    """Return the explanation's phrases and regions for the pages.

    They are in the explanation's order, and regions have outlines to draw. numbered: whether the result has precisions
    and recalls, and names what the caption was compared with. Raters see none of these. None: the explanation has no
    regions or no `cut`. Raises BadMask.
    """
    regions, phrases, cut = explanation.regions, explanation.phrases, explanation.cut
    if not regions or cut is None:
        return None
    told = zip(names(regions), about_regions(explanation), looks(explanation), strict=True)
    return LinksJson(
        regions[0].size,
        tuple(map(partial(_phrase, explanation, numbered), phrases, about_phrases(explanation, numbered))),
        tuple(_region(explanation, numbered, region, *words) for region, words in zip(regions, told, strict=True)),
        "" if explanation.is_read else NOTICE,
        note(explanation) if numbered else "",
        counts(explanation),
    )


def _problem(error: EvaluationError) -> dict[str, str]:
    return {"kind": error.kind, "message": error.message}


def _phrase(explanation: Explanation, numbered: bool, phrase: Phrase, words: str) -> PhraseJson:
    return PhraseJson(
        text=phrase.text,
        shown=shown_words(phrase),
        start=phrase.span[0],
        end=phrase.span[1],
        denied=phrase.denied,
        kind=phrase.kind,
        mark=phrase.mark,
        things=_things(phrase),
        regions=linked_regions(phrase, explanation),
        precision=phrase.precision if numbered else None,
        words=words,
    )


def _things(phrase: Phrase) -> tuple[ThingJson, ...]:
    return tuple(ThingJson(thing.text, *thing.span, thing.mark) for thing in phrase.things)


def _region(
    explanation: Explanation, numbered: bool, region: Region, name: str, words: str, look: Look
) -> RegionJson:  # fmt: skip
    shape = outlines.shape(region.rle, region.size)
    return RegionJson(
        name=name,
        words=words,
        look=look,
        is_full=region.is_full,
        mentioned=region.mentioned,
        phrase=linked_phrase(region, explanation),
        recall=region.recall if numbered else None,
        area=masks.area(region.rle, region.size),
        path="" if region.is_full else shape.path,
        thickness=shape.thickness,
    )


def _printed_phrase(phrase: Phrase) -> dict[str, Any]:
    start, end = phrase.span
    return {
        "text": phrase.text,
        "start": start,
        "end": end,
        "support": phrase.support,
        "region": phrase.region,
        "mark": phrase.mark,
        "things": tuple(asdict(thing) for thing in _things(phrase)),
        "kind": phrase.kind,
        "shown": shown_words(phrase),
        "reason": phrase.reason,
        "regions": phrase.linked,
        "denied": phrase.denied,
        "precision": phrase.precision,
    }


def _printed_region(region: Region) -> dict[str, Any]:
    return {
        "label": region.label,
        "is_full": region.is_full,
        "support": region.support,
        "phrase": region.phrase,
        "mentioned": region.mentioned,
        "reason": region.reason,
        "recall": region.recall,
        "rle": {"size": list(region.size), "counts": region.rle},
    }
