"""Routes to check and import a file with a rater's answers."""

from fastapi import APIRouter, Request
from pydantic import BaseModel, ConfigDict, Field

from ui.services.transfer.answer_files import LARGEST_FILE, TakenIn, rehearse, take_in
from ui.web.access.access_checks import note
from ui.web.routes import Id
from ui.web.routes.dependencies import RepositoryDep, WorkplaceDep

LARGEST_BODY = 2 * LARGEST_FILE + 10_000  # bytes; in JSON, quotes and line breaks of the file take two characters


class AnswersBody(BaseModel):
    """The content of a file with answers that a rater saved on the rating page."""

    model_config = ConfigDict(strict=True, extra="forbid")
    name: str = Field(max_length=255)
    text: str = Field(max_length=LARGEST_FILE)


class AnswersImportBody(AnswersBody):
    """The content of a file with answers, and whether to create its rater if missing."""

    new_rater: bool = False


ROUTER = APIRouter(prefix="/api/studies/{study_id}/answers")


@ROUTER.post("/preview", max_body_size=LARGEST_BODY)
def preview(study_id: Id, body: AnswersBody, workplace: WorkplaceDep, repository: RepositoryDep) -> TakenIn:
    """Return what an import of a file with answers would do."""
    repository.studies.get(study_id)
    return rehearse(workplace, _bytes(body), body.name, study_id)


@ROUTER.post("", max_body_size=LARGEST_BODY)
def store(
    study_id: Id, body: AnswersImportBody, request: Request, workplace: WorkplaceDep, repository: RepositoryDep
) -> TakenIn:
    """Import a file with answers."""
    study = repository.studies.get(study_id)
    imported = take_in(workplace, _bytes(body), body.name, body.new_rater, study_id)
    refused = sum(imported.refused.values())
    counts = f"{imported.stored} stored, {imported.known} known, {refused} refused"
    note(request, f"study {study.name}, rater {imported.rater}: {counts}")
    return imported


def _bytes(body: AnswersBody) -> bytes:
    return body.text.encode(errors="surrogatepass")  # half of a surrogate pair is refused later, when the file is read
