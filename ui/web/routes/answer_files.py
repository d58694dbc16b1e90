"""A rater's answers that come as a file: what would be stored of it, and storing it."""

from dataclasses import dataclass

from fastapi import APIRouter, Request
from pydantic import BaseModel, ConfigDict, Field

from ui.services.transfer.answer_files import LARGEST_FILE, TakenIn, rehearse, take_in
from ui.web.access.checks import note
from ui.web.routes import Id
from ui.web.routes.dependencies import RepositoryDep, WorkplaceDep

LARGEST_BODY = 2 * LARGEST_FILE + 10_000  # bytes: quotes and line breaks of the file take two characters


class AnswersBody(BaseModel):
    """A file that a rater saved on the rating page."""

    model_config = ConfigDict(strict=True, extra="forbid")
    name: str = Field(max_length=255)
    text: str = Field(max_length=LARGEST_FILE)


class AnswersImportBody(AnswersBody):
    """The file, and whether its rater is to be made if need be."""

    new_rater: bool = False


@dataclass(frozen=True, slots=True)
class RefusedJson:
    """Answers that are refused for one reason."""

    reason: str
    answers: int


@dataclass(frozen=True, slots=True)
class TakenInJson:
    """What becomes of a file's answers."""

    rater: str
    is_new_rater: bool  # there is no rater of that code yet, or there was none
    stored: int  # answers
    items: int  # that these are about
    known: int  # answers that were stored before
    refused: tuple[RefusedJson, ...]  # the most frequent reasons


ROUTER = APIRouter(prefix="/api/studies/{study_id}/answers")


@ROUTER.post("/preview", max_body_size=LARGEST_BODY)
def preview(study_id: Id, body: AnswersBody, workplace: WorkplaceDep, repository: RepositoryDep) -> TakenInJson:
    """Tell what importing a file of answers would do."""
    repository.studies.get(study_id)
    return _json(rehearse(workplace, _bytes(body), body.name, study_id))


@ROUTER.post("", max_body_size=LARGEST_BODY)
def store(
    study_id: Id, body: AnswersImportBody, request: Request, workplace: WorkplaceDep, repository: RepositoryDep
) -> TakenInJson:
    """Import a file of answers."""
    study = repository.studies.get(study_id)
    found = take_in(workplace, _bytes(body), body.name, body.new_rater, study_id)
    refused = sum(found.refused.values())
    counts = f"{found.stored} stored, {found.known} known, {refused} refused"
    note(request, f"study {study.name}, rater {found.rater}: {counts}")
    return _json(found)


def _bytes(body: AnswersBody) -> bytes:
    return body.text.encode(errors="surrogatepass")  # half a character is no UTF-8: the reader refuses it


def _json(found: TakenIn) -> TakenInJson:
    refused = tuple(RefusedJson(reason, answers) for reason, answers in found.refused.items())
    return TakenInJson(found.rater, found.is_new_rater, found.stored, found.items, found.known, refused)
