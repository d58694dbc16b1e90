"""The Studies pages that a browser reads: list, one study, one rater, gold items."""

import secrets
from dataclasses import dataclass
from typing import Annotated, Any

from fastapi import APIRouter, Query, Response

from core.studies.asking.questionnaire import questions_text
from core.studies.design import NEXT
from core.studies.planning.gold import JUDGED_BY, Making, Proposal
from core.studies.planning.platforms import ENDINGS, PRESETS, RETURNING
from storage.study_types import Study
from ui.services.studies import gold as gold_items
from ui.services.studies import overview
from ui.services.studies.study_actions import rater_answers, rater_table
from ui.services.studies.study_results import study_summary
from ui.services.studies.study_tables import reports_table
from ui.services.studies.workload import study_warnings, study_workload
from ui.services.workplace import Workplace
from ui.web.access.gates import gate
from ui.web.routes import Id
from ui.web.routes.dependencies import PageDep, PageRequest

ROUTER = APIRouter(include_in_schema=False, prefix="/studies")
PROPOSED = 10  # number of gold items that are proposed at a time
MAKINGS: dict[Making, str] = {"swapped": "an explanation of another picture", "turned": "an inverted score"}


@dataclass(frozen=True, slots=True)
class Fresh:
    """A link that was just made. Its address is shown only now."""

    name: str
    address: str


@dataclass(frozen=True, slots=True)
class MadeItem:
    """A gold item, as the manager of a study sees it."""

    value: str  # the proposal as text, for a form field
    image: str | None
    caption: str
    panels: tuple[Any, ...]
    right: str  # the right answer, in words


@ROUTER.get("", **gate("viewer"))
def studies(page: PageDep) -> Response:
    """List the studies."""
    rows = [
        (study, overview.size_text(study), overview.study_progress(study, raters), overview.is_over(study))
        for study, raters in page.repository.studies.overview()
    ]
    return page.show("studies", rows=rows, datasets=page.repository.samples.datasets())


@ROUTER.get("/{study_id}", **gate("viewer"))
def study(study_id: Id, page: PageDep) -> Response:
    """Show a study."""
    return study_page(page, page.repository.studies.get(study_id))


@ROUTER.get("/{study_id}/progress", **gate("viewer"))
def progress(study_id: Id, page: PageDep) -> Response:
    """Return the part of a study's page that changes while raters work."""
    return page.show("study_progress", **_progress(page.workplace, page.repository.studies.get(study_id)))


@ROUTER.get("/{study_id}/raters/{code}", **gate("viewer"))
def rater(study_id: Id, code: str, page: PageDep) -> Response:
    """Show a rater's work, and what a manager can do about it."""
    return rater_page(page, study_id, code)


@ROUTER.get("/{study_id}/gold", **gate("researcher"))
def gold(
    study_id: Id,
    page: PageDep,
    making: Annotated[Making | None, Query()] = None,
    seed: Annotated[int | None, Query(ge=0, lt=2**31)] = None,
) -> Response:
    """Show a study's gold items, and propose new ones."""
    return gold_page(page, page.repository.studies.get(study_id), making, seed)


def study_page(
    page: PageRequest, study: Study, problem: str = "", status: int = 200, fresh: tuple[Fresh, ...] = (), **typed: str
) -> Response:
    """Return a study's page. problem: why a change was refused. fresh: new links. typed: fields of refused settings."""
    repository, entry = page.repository, study.design.entry
    return page.show(
        "study_page",
        status,
        problem=problem,
        fresh=fresh,
        typed=typed,
        saved="saved" in page.request.query_params,
        meaning=overview.MEANINGS[study.state],
        over=overview.is_over(study),
        next=[(state, overview.VERBS[state]) for state in NEXT[study.state]],
        links=[(link, link.state) for link in repository.links.of_study(study.id)],
        presets=PRESETS,
        ends=[(ending, ENDINGS[ending].step) for ending in RETURNING],
        workload=study_workload(page.workplace, study),
        warnings=study_warnings(page.workplace, study),
        summary=study_summary(page.workplace, study),
        reported=reports_table(repository.studies.reported(study.id)),
        entry=(entry.consent, questions_text(entry.before), questions_text(entry.after)),
        gold=len(repository.gold.all(study.id)),
        **_progress(page.workplace, study),
    )


def _progress(workplace: Workplace, study: Study) -> dict[str, Any]:
    raters = workplace.repository.studies.raters(study.id)
    return {
        "study": study,
        "size": overview.size_text(study),
        "each": overview.raters_text(study),
        "progress": overview.study_progress(study, raters),
        "quality": rater_table(workplace, study),
        "now": overview.stages_in_words(raters),
    }


def rater_page(
    page: PageRequest, study_id: int, code: str, problem: str = "", return_key: str = "", status: int = 200
) -> Response:
    """Return the page of one rater of a study. Raises NotFound."""
    page.repository.managing.check_takes_part(study_id, code)
    study = page.repository.studies.get(study_id)
    (rater,) = (one for one in page.repository.studies.raters(study_id) if one.code == code)
    answers = rater_answers(page.workplace, study, code)
    return page.show(
        "study_rater", status, study=study, rater=rater, answers=answers, problem=problem, return_key=return_key
    )


def gold_page(
    page: PageRequest,
    study: Study,
    making: Making | None = None,
    seed: int | None = None,
    problem: str = "",
    status: int = 200,
) -> Response:
    """Return the page of a study's gold items. making: how proposals are made; None: no proposals."""
    workplace, seed = page.workplace, secrets.randbelow(2**31) if seed is None else seed
    there = [
        (one, _made(workplace, study, Proposal(one.making, one.sample, one.scores)))
        for one in page.repository.gold.all(study.id)
    ]
    proposals: tuple[Proposal, ...] = ()
    if making is not None:
        proposals = gold_items.proposed(workplace, study, making, PROPOSED, seed)
    return page.show(
        "study_gold",
        status,
        study=study,
        there=there,
        makings=[(key, MAKINGS[key]) for key in gold_items.makings(study)],
        proposals=[_made(workplace, study, one) for one in proposals],
        problem=problem,
    )


def _made(workplace: Workplace, study: Study, one: Proposal) -> MadeItem:
    stored = workplace.repository.samples.get(one.sample)
    return MadeItem(
        f"{one.making}:{one.sample}:{','.join(map(str, one.scores))}",
        f"/api/images/{stored.image_id}" if stored.sample.image.path is not None else None,
        stored.sample.candidate,
        workplace.repository.gold.shown(one.scores, one.making == "turned"),
        f"{JUDGED_BY[one.making]} 1 to {gold_items.highest_right(study, one.making)}",
    )
