"""Routes for the pay and contact that a study offers, and for the pay that its raters are owed."""

from dataclasses import dataclass
from urllib.parse import quote

from fastapi import APIRouter, Request, Response
from pydantic import BaseModel, ConfigDict

from core.studies.pay.money import money_text
from core.studies.pay.terms import TermsText, typed_terms
from ui.services.studies.pay import PayList, PayRow, coded_list, pay_list, pay_table, study_pay
from ui.web.access.access_checks import change_of, note, note_study
from ui.web.json.study_requests import Stamp
from ui.web.routes import Id
from ui.web.routes.dependencies import RepositoryDep, WorkplaceDep
from ui.web.routes.study_files import file_name

ROUTER = APIRouter(prefix="/api/studies/{study_id}")


class TermsBody(BaseModel):
    """New pay and contact of a study, as the user typed them."""

    model_config = ConfigDict(extra="forbid")
    stamp: Stamp
    terms: TermsText


@dataclass(frozen=True, slots=True)
class PayJson:
    """The pay that a study's raters are owed."""

    hourly_rate: str
    rewards: str  # sum
    bonuses: str  # sum
    below_rate: int  # number of raters whose reward without bonuses is less per hour than the hourly rate
    rule: str
    raters: tuple[PayRow, ...]


@ROUTER.put("/terms")
def set_terms(study_id: Id, body: TermsBody, request: Request, repository: RepositoryDep) -> TermsText:
    """Change a study's pay and contact."""
    note_study(request, repository, study_id)
    settled = repository.life.settle(study_id, change_of(request, body.stamp), terms=body.terms.terms())
    return typed_terms(settled.terms)


@ROUTER.get("/pay")
def pay(study_id: Id, response: Response, workplace: WorkplaceDep) -> PayJson:
    """Return the pay that each rater of a study is owed."""
    response.headers["cache-control"] = "no-store"  # not cached, because the response names raters
    found = study_pay(workplace, workplace.repository.studies.get(study_id))
    rate, rewards, bonuses = (
        money_text(amount, found.currency) for amount in (found.hourly_rate, found.rewards, found.bonuses)
    )
    return PayJson(rate, rewards, bonuses, found.below_rate, found.rule, tuple(pay_table(found).rows))


@ROUTER.get("/pay/{which}.csv")
def lists(study_id: Id, which: PayList, request: Request, workplace: WorkplaceDep, codes: bool = False) -> Response:
    """Return a list of a study's raters for the recruitment platform.

    which: what the list is for, such as paying a bonus. codes: use raters' codes instead of the platform's ids.
    """
    study = workplace.repository.studies.get(study_id)
    note(request, f"study {study.name}: list {which}{', codes' if codes else ', ids'}")
    found = study_pay(workplace, study)
    text = coded_list(found, which) if codes else pay_list(workplace, study, found, which)
    named = quote(f"{file_name(study)}-{which}.csv")  # encoded: a header cannot contain every letter of a study's name
    headers = {"cache-control": "no-store", "content-disposition": f"attachment; filename*=utf-8''{named}"}
    return Response(text, media_type="text/csv; charset=utf-8", headers=headers)
