"""Disputed questions of a study: raters' answers without their names, and decisions about them."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated

from fastapi import APIRouter, Request, Response
from pydantic import BaseModel, ConfigDict, Field

from core.studies.criteria import Criterion
from core.studies.disputes import LONGEST_WORDS, Reason
from storage.rating.adjudication import Dispute
from storage.types import Study
from ui.services.workplace import Workplace
from ui.web.access import note, visitor_of
from ui.web.outcome_json import RationaleJson, rationales_json
from ui.web.routes import Id, RatedId


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
class DisputesJson:
    """A study's disputed questions, those without a decision first, and what was asked there."""

    criteria: Mapping[str, Criterion]
    disputes: tuple[DisputeJson, ...]


class DecisionBody(BaseModel):
    """A decision about a question."""

    model_config = ConfigDict(strict=True, extra="forbid")
    criterion: Annotated[str, Field(max_length=80)]
    point: int
    reason: Reason
    words: Annotated[str, Field(max_length=LONGEST_WORDS)] = ""


def adjudication_routes(workplace: Workplace) -> APIRouter:
    """Return the routes about disputed questions."""
    router = APIRouter(prefix="/api/studies/{study_id}/disputes")
    repository = workplace.repository

    def all_of(study: Study) -> DisputesJson:
        found = repository.adjudications.disputes(study.id)
        asked = {criterion.key: criterion for criterion in study.asks.criteria}
        return DisputesJson(asked, tuple(map(_dispute_json, found)))

    @router.get("")
    def disputes(study_id: Id, response: Response) -> DisputesJson:
        response.headers["cache-control"] = "no-store"
        return all_of(repository.studies.get(study_id))

    @router.post("/{item}/{score}")
    def decide(study_id: Id, item: Id, score: RatedId, body: DecisionBody, request: Request) -> DisputesJson:
        study = repository.studies.get(study_id)
        note(request, f"study {study.name}, item {item}, {body.criterion}")
        question, by = (item, score, body.criterion), visitor_of(request).name
        repository.adjudications.decide(study.id, question, body.point, body.reason, body.words.strip(), by)
        return all_of(study)

    return router


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
        decision=None
        if decision is None
        else DecisionJson(
            decision.point,
            decision.reason,
            decision.words,
            decision.adjudicator,
            f"{decision.at.isoformat(timespec='seconds')}Z",
        ),
    )
