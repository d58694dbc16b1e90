"""Disputed questions and sentences of a study: raters' answers without their names, and decisions about them."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated

from fastapi import APIRouter, Request, Response
from pydantic import BaseModel, ConfigDict, Field

from core.errors import InvalidRating
from core.studies.asking.criteria import Criterion
from core.studies.results.disputes import LONGEST_WORDS, Reason
from core.studies.results.evidence import ErrorKind, Judgement, Severity, Verdict
from storage import Repository
from storage.rating.results.adjudication import Decision, Dispute
from storage.rating.results.sentence_adjudication import SentenceDecision, SentenceDispute
from storage.types import Study
from ui.web.access.checks import note, visitor_of
from ui.web.json.outcomes import RationaleJson, rationales_json
from ui.web.routes import Id, RatedId
from ui.web.routes.dependencies import RepositoryDep


@dataclass(frozen=True, slots=True)
class DecisionJson:
    """What somebody decided."""

    point: int
    reason: Reason
    words: str
    adjudicator: str
    at: str  # UTC, ISO 8601


@dataclass(frozen=True, slots=True)
class DisputeJson:
    """A question on which raters lie apart. Neither they nor the metric are named."""

    item: int
    score: int
    criterion: str
    place: int  # of the item in the study, from 1
    image: str | None  # address of the picture; None: it is missing
    caption: str
    value: float | None  # None of a caption alone
    scale: tuple[float, float]
    rationales: tuple[RationaleJson, ...]
    points: tuple[int, ...]  # ascending; 0: abstained
    notes: tuple[str, ...]
    decision: DecisionJson | None


@dataclass(frozen=True, slots=True)
class SaidJson:
    """What a rater said of a sentence, or what was decided about it."""

    verdict: Verdict
    kind: ErrorKind | None
    severity: Severity | None


@dataclass(frozen=True, slots=True)
class SentenceDecisionJson:
    """What somebody decided about a sentence."""

    said: SaidJson
    reason: Reason
    words: str
    adjudicator: str
    at: str  # UTC, ISO 8601


@dataclass(frozen=True, slots=True)
class SentenceDisputeJson:
    """A sentence on which raters' verdicts differ. Neither they nor the metric are named."""

    item: int
    score: int
    sentence: int  # its number in the explanation, from 1
    place: int  # of the item in the study, from 1
    image: str | None  # address of the picture; None: it is missing
    caption: str
    value: float
    scale: tuple[float, float]
    rationales: tuple[RationaleJson, ...]
    text: str
    said: tuple[SaidJson, ...]
    notes: tuple[str, ...]
    decision: SentenceDecisionJson | None


@dataclass(frozen=True, slots=True)
class DisputesJson:
    """A study's disputed questions and sentences, those without a decision first, and what was asked there."""

    criteria: Mapping[str, Criterion]
    disputes: tuple[DisputeJson, ...]
    sentences: tuple[SentenceDisputeJson, ...]


class DecisionBody(BaseModel):
    """A decision about a question."""

    model_config = ConfigDict(strict=True, extra="forbid")
    criterion: Annotated[str, Field(max_length=80)]
    point: int
    reason: Reason
    words: Annotated[str, Field(max_length=LONGEST_WORDS)] = ""


class SentenceDecisionBody(BaseModel):
    """A decision about a sentence."""

    model_config = ConfigDict(strict=True, extra="forbid")
    verdict: Verdict
    kind: ErrorKind | None = None  # of a wrong sentence
    severity: Severity | None = None  # likewise
    reason: Reason
    words: Annotated[str, Field(max_length=LONGEST_WORDS)] = ""


ROUTER = APIRouter(prefix="/api/studies/{study_id}/disputes")


def _all_of(repository: Repository, study: Study) -> DisputesJson:
    found = repository.adjudications.disputes(study.id)
    asked = {criterion.key: criterion for criterion in study.asks.criteria}
    sentences = repository.sentence_adjudications.disputes(study.id) if study.asks.evidence else ()
    return DisputesJson(asked, tuple(map(_dispute_json, found)), tuple(map(_sentence_json, sentences)))


@ROUTER.get("")
def disputes(study_id: Id, response: Response, repository: RepositoryDep) -> DisputesJson:
    """List a study's disputed questions and sentences."""
    response.headers["cache-control"] = "no-store"
    return _all_of(repository, repository.studies.get(study_id))


@ROUTER.post("/{item}/{score}")
def decide(
    study_id: Id, item: Id, score: RatedId, body: DecisionBody, request: Request, repository: RepositoryDep
) -> DisputesJson:
    """Store a decision about a question."""
    study = repository.studies.get(study_id)
    note(request, f"study {study.name}, item {item}, {body.criterion}")
    question, by = (item, score, body.criterion), visitor_of(request).name
    repository.adjudications.decide(study.id, question, body.point, body.reason, body.words.strip(), by)
    return _all_of(repository, study)


@ROUTER.post("/{item}/{score}/sentences/{number}")
def decide_sentence(
    study_id: Id,
    item: Id,
    score: Id,
    number: Id,
    body: SentenceDecisionBody,
    request: Request,
    repository: RepositoryDep,
) -> DisputesJson:
    """Store a decision about a sentence."""
    study = repository.studies.get(study_id)
    note(request, f"study {study.name}, item {item}, sentence {number}")
    if body.verdict != "wrong" and (body.kind or body.severity):
        raise InvalidRating("Only a wrong sentence has a kind of error and a severity.")
    said, by = Judgement(body.verdict, kind=body.kind, severity=body.severity), visitor_of(request).name
    sentence, words = (item, score, number), body.words.strip()
    repository.sentence_adjudications.decide(study.id, sentence, said, body.reason, words, by)
    return _all_of(repository, study)


def _dispute_json(one: Dispute) -> DisputeJson:
    decision = one.decision
    return DisputeJson(
        item=one.item,
        score=one.score,
        criterion=one.criterion,
        place=one.place,
        image=f"/api/images/{one.image_id}" if one.has_image else None,
        caption=one.caption,
        value=one.value,
        scale=one.scale,
        rationales=rationales_json(one.rationales),
        points=one.points,
        notes=one.notes,
        decision=None if decision is None else DecisionJson(decision.point, *_by(decision)),
    )


def _by(decision: Decision | SentenceDecision) -> tuple[Reason, str, str, str]:
    at = f"{decision.at.isoformat(timespec='seconds')}Z"
    return decision.reason, decision.words, decision.adjudicator, at


def _sentence_json(one: SentenceDispute) -> SentenceDisputeJson:
    decision = one.decision
    return SentenceDisputeJson(
        item=one.item,
        score=one.score,
        sentence=one.number,
        place=one.place,
        image=f"/api/images/{one.image_id}" if one.has_image else None,
        caption=one.caption,
        value=one.value,
        scale=one.scale,
        rationales=rationales_json(one.rationales),
        text=one.text,
        said=tuple(SaidJson(said.verdict, said.kind, said.severity) for said in one.said),
        notes=one.notes,
        decision=None if decision is None else SentenceDecisionJson(_said_json(decision), *_by(decision)),
    )


def _said_json(decision: SentenceDecision) -> SaidJson:
    return SaidJson(decision.verdict, decision.kind, decision.severity)
