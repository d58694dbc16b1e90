"""Routes for a study's gold items (with known answers) and practice items: propose, approve and retire them."""

from dataclasses import dataclass
from typing import Annotated, Literal

from fastapi import APIRouter, Request
from pydantic import BaseModel, ConfigDict, Field

from core.json_types import fields_of
from core.studies.planning.controls import JUDGED_BY, Making, Proposal, feedback
from storage import Repository
from storage.rating.rater_quality.controls import Control, ShownScore
from storage.study_types import Study
from ui.services.studies import controls as services
from ui.services.workplace import Workplace
from ui.web.access.access_checks import note, visitor_of
from ui.web.routes import Id
from ui.web.routes.dependencies import RepositoryDep, WorkplaceDep

MOST = 100  # maximum number of items in one request


@dataclass(frozen=True, slots=True)
class MadeItemJson:
    """A proposed control item (gold or practice) with the correct answers."""

    making: Making
    sample: int
    scores: tuple[int, ...]
    caption: str
    image: str | None  # address of the picture; None: it was not found
    panels: tuple[ShownScore, ...]
    criterion: str
    highest: int  # highest correct point
    words: str  # feedback that raters read in practice


@dataclass(frozen=True, slots=True, kw_only=True)
class ControlJson(Control):
    """A gold item (with known answers) or practice item of a study, and how it was made."""

    made: MadeItemJson


class WantedBody(BaseModel):
    """A request for proposals of control items (gold or practice)."""

    model_config = ConfigDict(strict=True, extra="forbid")
    making: Making
    count: Annotated[int, Field(ge=1, le=MOST)]
    seed: Annotated[int, Field(ge=0, lt=2**31)]


class ChosenBody(BaseModel):
    """A proposed control item (gold or practice) that a manager has checked."""

    model_config = ConfigDict(strict=True, extra="forbid")
    making: Making
    sample: int
    scores: Annotated[list[int], Field(min_length=1, max_length=20)]


class ApprovalBody(BaseModel):
    """Approved control items, and their role (gold or practice)."""

    model_config = ConfigDict(strict=True, extra="forbid")
    role: Literal["gold", "training"]
    items: Annotated[list[ChosenBody], Field(min_length=1, max_length=MOST)]


ROUTER = APIRouter(prefix="/api/studies/{study_id}/controls")


def _all_of(workplace: Workplace, repository: Repository, study: Study) -> tuple[ControlJson, ...]:
    return tuple(_control_json(workplace, study, one) for one in repository.controls.all(study.id))


@ROUTER.get("")
def controls(study_id: Id, workplace: WorkplaceDep, repository: RepositoryDep) -> tuple[ControlJson, ...]:
    """List a study's gold and practice items."""
    return _all_of(workplace, repository, repository.studies.get(study_id))


@ROUTER.get("/makings")
def makings(study_id: Id, repository: RepositoryDep) -> tuple[Making, ...]:
    """List the methods for making control items (gold or practice)."""
    return services.makings(repository.studies.get(study_id))


@ROUTER.post("/proposals")
def proposals(
    study_id: Id, body: WantedBody, workplace: WorkplaceDep, repository: RepositoryDep
) -> tuple[MadeItemJson, ...]:
    """Propose control items (gold or practice)."""
    study = repository.studies.get(study_id)
    found = services.proposed(workplace, study, body.making, body.count, body.seed)
    return tuple(_made_json(workplace, study, one) for one in found)


@ROUTER.post("", status_code=201)
def approve(
    study_id: Id, body: ApprovalBody, request: Request, workplace: WorkplaceDep, repository: RepositoryDep
) -> tuple[ControlJson, ...]:
    """Store proposed items as gold or practice items."""
    study = repository.studies.get(study_id)
    note(request, f"study {study.name}: {len(body.items)} {body.role}")
    chosen = [Proposal(one.making, one.sample, tuple(one.scores)) for one in body.items]
    services.approve(workplace, study, body.role, chosen, visitor_of(request).name)
    return _all_of(workplace, repository, study)


@ROUTER.delete("/{item}")
def retire(
    study_id: Id, item: Id, request: Request, workplace: WorkplaceDep, repository: RepositoryDep
) -> tuple[ControlJson, ...]:
    """Retire a control item (gold or practice).

    No more raters get the item. Return the study's control items.
    """
    study = repository.studies.get(study_id)
    note(request, f"study {study.name}, item {item}")
    repository.controls.retire(study.id, item)
    return _all_of(workplace, repository, study)


def _control_json(workplace: Workplace, study: Study, one: Control) -> ControlJson:
    made = _made_json(workplace, study, Proposal(one.making, one.sample, one.scores))
    return ControlJson(**fields_of(Control, one), made=made)


def _made_json(workplace: Workplace, study: Study, one: Proposal) -> MadeItemJson:
    stored = workplace.repository.samples.get(one.sample)
    return MadeItemJson(
        making=one.making,
        sample=one.sample,
        scores=one.scores,
        caption=stored.sample.candidate,
        image=f"/api/images/{stored.image_id}" if stored.sample.image.path is not None else None,
        panels=tuple(workplace.repository.controls.shown(one.scores, one.making == "turned")),
        criterion=JUDGED_BY[one.making],
        highest=services.highest_right(study, one.making),
        words=feedback(one.making),
    )
