"""Routes for the pages before the first item and after the last item.

These pages show the consent text, questions, and the way back to the recruitment platform.
"""

from dataclasses import dataclass
from typing import Annotated, Literal

from fastapi import APIRouter
from pydantic import BaseModel, ConfigDict, Field

from core.studies.asking.questionnaire import (
    LONGEST_ANSWER,
    LONGEST_CONSENT,
    MOST_QUESTIONS,
    QuestionKind,
)
from core.studies.design import Stop
from core.studies.planning.platforms import RETURNING, End, Ending
from storage import Repository
from storage.rating.visits import Stage
from storage.study_types import Queue, Rater
from ui.web.access.gates import gate
from ui.web.routes import Id, Stamp
from ui.web.routes.dependencies import RaterDep, RepositoryDep

_UNFINISHED: tuple[Stage, ...] = ("consent", "before", "rate")


class Said(BaseModel):
    """A request in which a rater confirms something, such as leaving a study."""

    model_config = ConfigDict(strict=True, extra="forbid")
    yes: Literal[True]


class Agreed(Said):
    """A rater's consent to the consent text that the page showed."""

    consent: str = Field(max_length=LONGEST_CONSENT)  # the text shown


class Answers(BaseModel):
    """A rater's answers to the questions on a page, in the questions' order."""

    model_config = ConfigDict(strict=True, extra="forbid")
    answers: list[Annotated[str, Field(max_length=LONGEST_ANSWER)]] = Field(max_length=MOST_QUESTIONS)
    stamp: Stamp  # version of the questions that the page showed


@dataclass(frozen=True, slots=True)
class QuestionJson:
    """A question before or after the items. The server does not send which answers exclude a person from the study."""

    text: str
    kind: QuestionKind
    choices: tuple[str, ...]
    lowest: int | None
    highest: int | None
    required: bool


@dataclass(frozen=True, slots=True)
class EndJson:
    """How the rater returns to the recruitment platform."""

    panel: str
    code: str  # completion code to show; "": none
    address: str  # empty: none


@dataclass(frozen=True, slots=True)
class VisitJson:
    """A rater's next stage before or after the items, such as consent."""

    stage: Stage
    consent: str  # text of the consent, if `stage` is the consent
    questions: tuple[QuestionJson, ...]  # questions of this stage
    stamp: str  # version of the questions and of who may take part; requests with answers must contain it
    end: EndJson | None  # how the rater returns to the recruitment platform; None: the rater came without one
    stopped: Stop | None  # why nothing is asked, namely because the rater would get no items; None: questions are asked


ROUTER = APIRouter(prefix="/api/rate/studies/{study_id}/visit")


@ROUTER.get("", **gate("rater"))
def look(study_id: Id, who: RaterDep, repository: RepositoryDep) -> VisitJson:
    """Return a rater's next stage in a study, such as consent."""
    return _visit(repository, study_id, who)


@ROUTER.post("/consent", **gate("rater"))
def agree(study_id: Id, body: Agreed, who: RaterDep, repository: RepositoryDep) -> VisitJson:
    """Store that a rater consents."""
    repository.visits.agree(study_id, who, body.consent)
    return _visit(repository, study_id, who)


@ROUTER.post("/answers", **gate("rater"))
def answer(study_id: Id, body: Answers, who: RaterDep, repository: RepositoryDep) -> VisitJson:
    """Store a rater's answers to the questions before or after the items."""
    repository.visits.answer(study_id, who, repository.desk.look(study_id, who), body.answers, body.stamp)
    return _visit(repository, study_id, who)


@ROUTER.post("/leaving", **gate("rater"))
def leave(study_id: Id, _body: Said, who: RaterDep, repository: RepositoryDep) -> VisitJson:
    """Store that a rater leaves a study. If the rater has finished the study, nothing changes."""
    repository.visits.leave(study_id, who, repository.desk.look(study_id, who))
    return _visit(repository, study_id, who)


def _visit(repository: Repository, study_id: int, who: Rater) -> VisitJson:
    queue: Queue = repository.desk.look(study_id, who)
    stage = repository.visits.stage(study_id, who, queue)
    entry, stamp = repository.visits.opened_entry(study_id)
    stopped = None
    if stage in ("consent", "before"):  # a rater who would get no items is asked nothing
        stage, stopped = ("full", None) if queue.stopped == "full" else (stage, queue.stopped)
    asked = {"before": entry.before, "after": entry.after}.get(stage, ())
    questions = tuple(QuestionJson(q.text, q.kind, q.choices, q.lowest, q.highest, q.required) for q in asked)
    consent = entry.consent if stage == "consent" else ""
    end = _end(repository, study_id, who, stage, is_closed=queue.stopped == "closed")
    return VisitJson(stage, consent, questions, stamp, end, stopped)


def _end(repository: Repository, study_id: int, who: Rater, stage: Stage, *, is_closed: bool) -> EndJson | None:
    kind: Ending | None = next((ending for ending in RETURNING if ending == stage), None)
    if is_closed and stage in _UNFINISHED:  # treat a closed study as a full one, because neither gives out items
        kind = "full"
    way_in = repository.links.way_in(study_id, who) if kind or stage == "returned" else None
    if way_in is None:
        return None
    panel, person = way_in
    end = End() if kind is None else panel.way_back(kind, person)
    return EndJson(panel.name, end.code, end.address)
