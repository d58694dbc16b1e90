"""Routes for disputed questions and sentences of a study: answers without raters' names, and decisions."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated

from fastapi import APIRouter, Request, Response
from pydantic import BaseModel, ConfigDict, Field

from core.errors import InvalidRating
from core.studies.asking.criteria import Criterion
from core.studies.asking.verdicts import Verdict
from core.studies.results.disputes import LONGEST_WORDS, Reason
from core.studies.results.evidence import ErrorKind, Judgement, Severity
from storage import Repository
from storage.rating.results.adjudication import Dispute
from storage.rating.results.sentence_adjudication import SentenceDispute
from storage.study_types import Study
from ui.web.access.access_checks import note, visitor_of
from ui.web.routes import Id, RatedId
from ui.web.routes.dependencies import RepositoryDep


@dataclass(frozen=True, slots=True)
class DisputesJson:
    """A study's disputed questions and sentences, with the study's criteria. Undecided disputes come first."""

    criteria: Mapping[str, Criterion]
    disputes: tuple[Dispute, ...]
    sentences: tuple[SentenceDispute, ...]


class DecisionBody(BaseModel):
    """A decision about a disputed question."""

    model_config = ConfigDict(strict=True, extra="forbid")
    criterion: Annotated[str, Field(max_length=80)]
    point: int
    reason: Reason
    words: Annotated[str, Field(max_length=LONGEST_WORDS)] = ""


class SentenceDecisionBody(BaseModel):
    """A decision about a disputed sentence."""

    model_config = ConfigDict(strict=True, extra="forbid")
    verdict: Verdict
    kind: ErrorKind | None = None  # kind of error in a wrong sentence
    severity: Severity | None = None  # likewise
    reason: Reason
    words: Annotated[str, Field(max_length=LONGEST_WORDS)] = ""


ROUTER = APIRouter(prefix="/api/studies/{study_id}/disputes")


def _all_of(repository: Repository, study: Study) -> DisputesJson:
    dispute_list = repository.adjudications.disputes(study.id)
    asked = {criterion.key: criterion for criterion in study.asks.criteria}
    sentences = repository.sentence_adjudications.disputes(study.id) if study.asks.evidence else ()
    return DisputesJson(asked, dispute_list, sentences)


@ROUTER.get("")
def disputes(study_id: Id, response: Response, repository: RepositoryDep) -> DisputesJson:
    """List a study's disputed questions and sentences."""
    response.headers["cache-control"] = "no-store"
    return _all_of(repository, repository.studies.get(study_id))


@ROUTER.post("/{item}/{score}")
def decide(
    study_id: Id, item: Id, score: RatedId, body: DecisionBody, request: Request, repository: RepositoryDep
) -> DisputesJson:
    """Store a decision about a disputed question.

    Return all disputes of the study.
    """
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
    """Store a decision about a disputed sentence.

    Return all disputes of the study.
    """
    study = repository.studies.get(study_id)
    note(request, f"study {study.name}, item {item}, sentence {number}")
    if body.verdict != "wrong" and (body.kind or body.severity):
        raise InvalidRating("Only a wrong sentence may have a kind of error and a severity.")
    said, by = Judgement(body.verdict, kind=body.kind, severity=body.severity), visitor_of(request).name
    sentence, words = (item, score, number), body.words.strip()
    repository.sentence_adjudications.decide(study.id, sentence, said, body.reason, words, by)
    return _all_of(repository, study)
