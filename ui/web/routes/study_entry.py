"""The page behind a study link. It shows one study, without Gradio's frame."""

from typing import Annotated, Any

from fastapi import APIRouter, Form, Request, Response
from fastapi.responses import RedirectResponse
from pydantic_core import to_jsonable_python

from core.errors import CapscopeError, TooManyAttempts
from storage import Repository
from storage.accounts.study_links import OVER
from storage.accounts.types import StudyLink
from ui.web.access.gates import gate
from ui.web.access.plain_pages import PlainPages
from ui.web.access.raters import RaterAccess
from ui.web.json.rated_studies import RatedStudyJson, rated_studies
from ui.web.json.rating import SessionJson
from ui.web.routes.dependencies import PagesDep, RatersDep, RepositoryDep

Text = Annotated[str, Form(max_length=100)]
_TITLES = {
    "closed": "This study no longer takes answers by this link",
    "used_up": "This link is used up",
}
_ADVICE = {
    "closed": "You need not do anything. If you have more answers to give, ask the person who sent you the link.",
    "used_up": (
        "If the link was only for you, use the browser in which you first opened it. Otherwise ask for a new link."
    ),
}


ROUTER = APIRouter(include_in_schema=False, prefix="/r")


def _over(
    pages: PlainPages,
    link: StudyLink,
    token: str,
    problem: str = "",
    code: str = "",
    status: int = 410,
) -> Response:
    state = link.state
    if state == "open":  # meanwhile, the link has become usable again; the response leads back to the study
        return pages.words("You could not be signed in", problem, status, {"To the study": f"/r/{token}"})
    texts = {"title": _TITLES[state], "text": OVER[state], "advice": _ADVICE[state], "problem": problem}
    code = code or link.rater or ""
    return pages.page("link_over", status, **texts, code=code, may_return=state != "closed")


@ROUTER.get("/{token}", **gate("anyone"))
def study(
    request: Request,
    token: str,
    repository: RepositoryDep,
    raters: RatersDep,
    pages: PagesDep,
) -> Response:
    """Show the rating page of one study."""
    link = repository.links.find(token)
    if link is None:
        return _nowhere(pages)
    is_inside = _repository_session(repository, raters, request, token) == link.study
    if link.state != "open" and not is_inside and not _is_sent(request, link):
        return _over(pages, link, token)
    (shown,) = rated_studies(repository, {link.study}, repository.studies.all())
    answers = _answers_of_new_rater(repository, raters, request, link, token, shown)
    return pages.page("study", 200, title=shown.title, answers=answers)


def _answers_of_new_rater(
    repository: Repository, raters: RaterAccess, request: Request, link: StudyLink, token: str, shown: RatedStudyJson
) -> dict[str, Any] | None:
    """Return the first responses that a new rater's page needs; key: path.

    They are written into the page, so that the page need not request them. The responses for a known rater contain a
    return key, which must not be written into a page. So the result is None for a known rater. It is also None if the
    rater comes from a recruitment platform.
    """
    if link.panel is not None or _repository_session(repository, raters, request, token) is not None:
        return None
    session = SessionJson(None, link.rater)
    return {"/api/rate/session": to_jsonable_python(session), "/api/rate/studies": to_jsonable_python([shown])}


def _is_sent(request: Request, link: StudyLink) -> bool:
    """Return whether a recruitment platform sent the rater through this link.

    The result is False for a closed link. Otherwise the platform must have named the rater in the page's address. Such
    a rater may see the page even if the link is full, because the rater may already be known.
    """
    panel = link.panel if link.closed_at is None else None
    return panel is not None and panel.arrival(request.url.query) is not None


def _repository_session(repository: Repository, raters: RaterAccess, request: Request, token: str) -> int | None:
    session = raters.cookies.get(request, "rater", token)
    rater = repository.sessions.rater(session) if session else None
    return None if rater is None else rater.study


@ROUTER.post("/{token}", **gate("anyone"))
def come_back(
    request: Request,
    token: str,
    code: Text,
    return_key: Text,
    repository: RepositoryDep,
    raters: RatersDep,
    pages: PagesDep,
) -> Response:
    """Sign in a known rater by code and return key."""
    link = repository.links.find(token)
    if link is None:
        return _nowhere(pages)
    try:
        rater = raters.returning(request, code, return_key)
        _, session = repository.links.come_back(link, rater)
    except TooManyAttempts as error:
        return _over(pages, link, token, str(error), code, 429)
    except CapscopeError as error:
        return _over(pages, link, token, str(error), code, 400)
    response = RedirectResponse(f"{pages.root}/r/{token}", 303)
    raters.cookies.set(response, "rater", session, token)
    return response


def _nowhere(pages: PlainPages) -> Response:
    text = (
        "There is no such link. Perhaps a part of the link is missing. Open the link again where you got it, or ask "
        "the person who sent it."
    )
    return pages.page("link_over", 404, title="This link does not exist", text=text, advice="", may_return=False)
