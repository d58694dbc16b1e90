"""Routes for reports on items, and for messages between managers and raters."""

from dataclasses import dataclass

from fastapi import APIRouter, Request, Response
from pydantic import BaseModel, ConfigDict, Field

from storage.rating.desk.messages import LONGEST_MESSAGE, Message, SentMessage
from storage.rating.results.reported_items import ReportedItem
from ui.web.access.access_checks import note_study, visitor_of
from ui.web.json.rating_requests import ReadMessages
from ui.web.routes import Id
from ui.web.routes.dependencies import RaterDep, RepositoryDep


class NewMessage(BaseModel):
    """A message to one rater or to all raters of a study."""

    model_config = ConfigDict(extra="forbid")
    text: str = Field(max_length=2 * LONGEST_MESSAGE)
    to: str | None = Field(default=None, max_length=100)  # code of the rater who gets the message; None: all raters
    item: int | None = Field(default=None, ge=1, le=2**31 - 1)  # id of the reported item that the message answers


@dataclass(frozen=True, slots=True)
class SpokenJson:
    """Reported items of a study, and messages to its raters."""

    items: tuple[ReportedItem, ...]
    messages: tuple[SentMessage, ...]


ROUTER = APIRouter()


@ROUTER.get("/api/studies/{study_id}/reports")
def reports(study_id: Id, response: Response, repository: RepositoryDep) -> SpokenJson:
    """Return a study's reported and withdrawn items, and its messages."""
    response.headers["cache-control"] = "no-store"  # not cached, because the response names raters
    return SpokenJson(repository.reported_items.of(study_id), repository.messages.of_study(study_id))


@ROUTER.post("/api/studies/{study_id}/items/{item}/withdrawal")
def withdraw(study_id: Id, item: Id, request: Request, repository: RepositoryDep) -> SpokenJson:
    """Withdraw an item: no rater gets it any more, and results exclude its answers."""
    note_study(request, repository, study_id, f"item {item}")
    repository.reported_items.withdraw(study_id, item)
    return SpokenJson(repository.reported_items.of(study_id), repository.messages.of_study(study_id))


@ROUTER.delete("/api/studies/{study_id}/items/{item}/withdrawal")
def restore(study_id: Id, item: Id, request: Request, repository: RepositoryDep) -> SpokenJson:
    """Undo the withdrawal of a study's item."""
    note_study(request, repository, study_id, f"item {item}")
    repository.reported_items.restore(study_id, item)
    return SpokenJson(repository.reported_items.of(study_id), repository.messages.of_study(study_id))


@ROUTER.post("/api/studies/{study_id}/messages")
def send(study_id: Id, body: NewMessage, request: Request, repository: RepositoryDep) -> SpokenJson:
    """Send a message that raters read on the rating page."""
    note_study(request, repository, study_id, f"to {body.to or 'all raters'}")
    repository.messages.send(study_id, body.text, visitor_of(request).name, body.to, body.item)
    return SpokenJson(repository.reported_items.of(study_id), repository.messages.of_study(study_id))


@ROUTER.get("/api/rate/studies/{study_id}/messages")
def messages(study_id: Id, who: RaterDep, response: Response, repository: RepositoryDep) -> tuple[Message, ...]:
    """Return the messages to one rater and to all raters, latest first."""
    response.headers["cache-control"] = "no-store"
    return repository.messages.of_rater(study_id, who)


@ROUTER.post("/api/rate/studies/{study_id}/messages/read")
def note_read(study_id: Id, body: ReadMessages, who: RaterDep, repository: RepositoryDep) -> tuple[Message, ...]:
    """Store that a rater has read messages."""
    repository.messages.note_read(study_id, who, body.ids)
    return repository.messages.of_rater(study_id, who)
