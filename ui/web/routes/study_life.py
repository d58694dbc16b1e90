"""Routes to manage a study: its state and settings, its raters' items, copies and deletion."""

import json
from dataclasses import dataclass
from datetime import UTC, datetime

from fastapi import APIRouter, Request, Response

from core.studies.asking.questionnaire import (
    Questionnaire,
    ReadLine,
    questions_of,
    questions_text,
    read_lines,
)
from core.studies.planning.life_cycle import Release
from ui.services.studies.rater_data import erase_rater, rater_data
from ui.web.access.access_checks import change_of, note, note_study
from ui.web.json.study_requests import (
    EntryBody,
    Erased,
    Excluded,
    Included,
    LinesBody,
    Name,
    NewState,
    Settings,
    Whose,
)
from ui.web.routes import Id
from ui.web.routes.dependencies import RepositoryDep, WorkplaceDep


@dataclass(frozen=True, slots=True)
class NumberJson:
    """The result of an action as one number.

    It is the id of a study or a rater, or a number of items or ratings.
    """

    number: int


@dataclass(frozen=True, slots=True)
class EntryTextsJson:
    """A consent text and questions before and after the items, as the server stores them. One line is one question."""

    stamp: str  # version of the texts; requests that change them must contain it
    consent: str
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class EntryJson(EntryTextsJson):
    """A study's consent text and questions before and after the items, and how many participants came or left."""

    came: int  # number of participants who arrived; counted only if the study has a consent, questions or a platform
    screened_out: int
    returned: int


@dataclass(frozen=True, slots=True)
class PersonJson:
    """The recruitment platform's id of a rater."""

    person: str


ROUTER = APIRouter(prefix="/api/studies/{study_id}")


@ROUTER.post("/state")
def step(study_id: Id, body: NewState, request: Request, repository: RepositoryDep) -> NumberJson:
    """Change a study's state. Return the study's number."""
    study = repository.studies.get(study_id)
    note(request, f"study {study.name}: {study.course.state} to {body.state}")
    repository.life.step(study_id, body.state, body.pilot_items, change_of(request, body.stamp))
    return NumberJson(study_id)


@ROUTER.put("/course")
def settle(study_id: Id, body: Settings, request: Request, repository: RepositoryDep) -> NumberJson:
    """Change some settings of a study.

    They are the deadline, the items per rater, and whether new raters get items. A further setting is the number of
    hours after which other raters get an inactive rater's unfinished items.
    """
    note_study(request, repository, study_id)
    deadline = None if body.deadline is None else _utc(body.deadline)
    values = {"deadline": deadline, "items_per_rater": body.items_per_rater, "hold_hours": body.hold_hours}
    values |= {"new_raters": body.new_raters}
    repository.life.settle(study_id, change_of(request, body.stamp), **values)
    return NumberJson(study_id)


@ROUTER.get("/entry")
def entry(study_id: Id, repository: RepositoryDep) -> EntryJson:
    """Return a study's consent text, and the questions before and after its items."""
    repository.studies.get(study_id)
    found, stamp = repository.visits.opened_entry(study_id)
    return EntryJson(stamp, *_texts(found), *repository.visits.counts(study_id))


@ROUTER.post("/entry/lines")
def read(study_id: Id, body: LinesBody, repository: RepositoryDep) -> tuple[ReadLine, ...]:
    """Parse a text with questions while the user types it."""
    repository.studies.get(study_id)
    return read_lines(body.lines)


@ROUTER.put("/entry")
def set_entry(study_id: Id, body: EntryBody, request: Request, repository: RepositoryDep) -> EntryTextsJson:
    """Change a study's consent text, and the questions before and after its items."""
    note_study(request, repository, study_id)
    asked = Questionnaire(body.consent.strip(), questions_of(body.before), questions_of(body.after))
    stamp = repository.visits.set_entry(study_id, asked, change_of(request, body.stamp))
    return EntryTextsJson(stamp, *_texts(asked))


@ROUTER.post("/copies", status_code=201)
def duplicate(study_id: Id, body: Name, request: Request, workplace: WorkplaceDep) -> NumberJson:
    """Make a copy of a study without its ratings."""
    repository = workplace.repository
    note_study(request, repository, study_id, body.name)
    return NumberJson(repository.life.duplicate(study_id, body.name.strip()))


@ROUTER.post("/delete")
def delete(study_id: Id, body: Name, request: Request, repository: RepositoryDep) -> NumberJson:
    """Delete a study."""
    note_study(request, repository, study_id)
    return NumberJson(repository.erasures.delete_study(study_id, body.name))


@ROUTER.post("/raters/release")
def release(study_id: Id, body: Whose, request: Request, repository: RepositoryDep) -> NumberJson:
    """Release raters' unfinished items, so that other raters get them."""
    why: Release = body.why
    codes = repository.panel_links.codes(study_id, [code.strip() for code in body.codes])
    for code in codes:
        repository.life.check_takes_part(study_id, code)  # check all raters first: one wrong code must release nothing
    items = sum(repository.life.release(study_id, code, why) for code in codes)
    note_study(request, repository, study_id, f"{items} of {', '.join(codes)}, {why}")
    return NumberJson(items)


@ROUTER.post("/raters/exclude")
def exclude(study_id: Id, body: Excluded, request: Request, repository: RepositoryDep) -> NumberJson:
    """Exclude a rater's ratings from the results of a study."""
    repository.life.exclude(study_id, body.code, body.reason)
    note_study(request, repository, study_id, f"{body.code}: {body.reason}")
    return NumberJson(study_id)


@ROUTER.post("/raters/include")
def include(study_id: Id, body: Included, request: Request, repository: RepositoryDep) -> NumberJson:
    """Include an excluded rater's ratings in the results again."""
    note_study(request, repository, study_id, body.code)
    return NumberJson(repository.life.include(study_id, body.code))


@ROUTER.post("/raters/erase")
def erase(
    study_id: Id, body: Erased, request: Request, workplace: WorkplaceDep, repository: RepositoryDep
) -> NumberJson:
    """Erase a rater's data."""
    repository.life.check_takes_part(study_id, body.code)
    number = erase_rater(workplace, body.code, body.typed, body.keep_ratings)
    note(request, f"rater number {number}, ratings {'kept' if body.keep_ratings else 'gone'}")
    return NumberJson(number)


@ROUTER.post("/raters/platform")
def platform(study_id: Id, body: Included, request: Request, repository: RepositoryDep) -> PersonJson:
    """Return the id by which a recruitment platform knows a rater."""
    note_study(request, repository, study_id, body.code)
    return PersonJson(repository.panel_links.person(study_id, body.code))


@ROUTER.get("/raters/{code}/everything.json")
def everything(
    study_id: Id, code: str, request: Request, workplace: WorkplaceDep, repository: RepositoryDep
) -> Response:
    """Return all data of a rater as JSON."""
    repository.life.check_takes_part(study_id, code)
    note(request, f"rater {code}")
    text = json.dumps(rater_data(workplace, code), ensure_ascii=False, indent=2)
    named = {"content-disposition": f'attachment; filename="rater-{code}.json"', "cache-control": "no-store"}
    return Response(text, media_type="application/json", headers=named)


def _texts(entry: Questionnaire) -> tuple[str, str, str]:
    """Return a study's texts that the user edits in a dialog.

    They are the consent text, the questions before the items, and the questions after them.
    """
    return entry.consent, questions_text(entry.before), questions_text(entry.after)


def _utc(time: datetime) -> datetime:
    """Return a time in UTC without a time zone. A time without a zone counts as UTC."""
    return time if time.tzinfo is None else time.astimezone(UTC).replace(tzinfo=None)
