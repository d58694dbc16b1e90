"""The page behind a study link. It shows one study, without Gradio's frame."""

from fastapi import APIRouter, Request, Response
from pydantic_core import to_jsonable_python

from ui.web.access.gates import gate
from ui.web.json.rated_studies import rated_studies
from ui.web.json.rating import SessionJson
from ui.web.routes.dependencies import PagesDep, RatersDep, RepositoryDep

ROUTER = APIRouter(include_in_schema=False, prefix="/r")
_ABSENT = "Perhaps a part of the link is missing. Open the link again where you got it, or ask the person who sent it."
_CLOSED = "You need not do anything. If you have more answers to give, ask the person who sent you the link."


@ROUTER.get("/{token}", **gate("anyone"))
def study(request: Request, token: str, repository: RepositoryDep, raters: RatersDep, pages: PagesDep) -> Response:
    """Show the rating page of one study. Known raters enter by a used-up link too, with their return keys."""
    link = repository.links.find(token)
    if link is None:
        return pages.words("This link does not exist", _ABSENT, 404)
    session = raters.cookies.get(request, "rater", token)
    rater = repository.sessions.rater(session) if session else None
    if link.state == "closed" and (rater is None or rater.study != link.study):
        return pages.words("This study no longer takes answers by this link", _CLOSED, 410)
    (shown,) = rated_studies(repository, {link.study}, repository.studies.all())
    answers = None
    # The first responses that a new rater's page needs are written into the page, so that it need not request them.
    # Responses for a known rater contain a return key, which must not be written into a page.
    if rater is None and link.panel is None:
        first = {"session": SessionJson(None, link.rater), "studies": [shown]}
        answers = {f"/api/rate/{name}": to_jsonable_python(one) for name, one in first.items()}
    return pages.page("study", 200, title=shown.title, answers=answers)
