"""Dependencies of routes: values that each app makes once, and the parameter types by which routes receive them.

A route with the parameter `repository: RepositoryDep` receives `Dependencies.repository` of its app.
"""

from dataclasses import dataclass, field
from threading import Lock
from typing import Annotated, Any

from fastapi import Depends, Request, Response
from fastapi.responses import RedirectResponse

from storage import Repository
from storage.study_types import Rater
from ui.services.accounts.passwords import Passwords
from ui.services.analysis.analyst import Analyst
from ui.services.importing.uploading import Bringing
from ui.services.key_file import Secret
from ui.services.scoring.judging import Judge
from ui.services.scoring.model_queue import ModelQueue
from ui.services.scoring.reading import MOST_TEXTS
from ui.services.studies.answer_batches import SaveQueue
from ui.services.workplace import KEY, Workplace
from ui.settings import Settings
from ui.web.access.access_checks import Door, Visitor, visitor_of
from ui.web.access.cookies import Cookies
from ui.web.access.plain_pages import PlainPages
from ui.web.access.raters import RaterAccess
from ui.web.files.bundles import app_files
from ui.web.files.static_files import StaticFiles


@dataclass(frozen=True, slots=True)
class Dependencies:
    """All values that the routes of an app need."""

    workplace: Workplace
    judge: Judge
    bringing: Bringing  # runs imports
    secret: Secret
    door: Door  # finds the account that sends a request
    raters: RaterAccess  # finds the rater who sends a request
    pages: PlainPages
    files: StaticFiles
    address: str | None  # public address of the server; None: taken from each request
    analyst: Analyst
    passwords: Passwords
    saving: SaveQueue
    reading: ModelQueue = field(default_factory=lambda: ModelQueue(MOST_TEXTS))  # queue of texts for the parser
    writing: Lock = field(default_factory=Lock)  # one report at a time, because each takes a processor core for seconds

    @property
    def repository(self) -> Repository:
        """Return the repository (all stored data) of the data folder."""
        return self.workplace.repository


def dependencies_of(workplace: Workplace, judge: Judge, settings: Settings, bringing: Bringing) -> Dependencies:
    """Return the dependencies of an app.

    workplace: the opened data folder. judge: scores samples. bringing: runs imports.
    """
    repository, secret = workplace.repository, Secret(workplace.data_dir / KEY)
    address = None if settings.public_url is None else str(settings.public_url)
    cookies = Cookies(secret.cookie_name, settings.public_url is not None and settings.public_url.is_https)
    door = Door(repository, cookies, settings.demands_sign_in)
    files = app_files()
    return Dependencies(
        workplace=workplace,
        judge=judge,
        bringing=bringing,
        secret=secret,
        door=door,
        raters=RaterAccess(repository, secret, door, settings.new_raters),
        pages=PlainPages(files, settings.public_url.path if settings.public_url else ""),
        files=files,
        address=address,
        analyst=Analyst(workplace),
        passwords=Passwords(repository),
        saving=SaveQueue(repository),
    )


async def held_by(request: Request) -> Dependencies:
    """Return the dependencies of a request's app."""
    needed: Dependencies = request.app.state.dependencies
    return needed


NeededDep = Annotated[Dependencies, Depends(held_by)]  # for routes that need several of them


def _held(name: str) -> Any:
    """Return a FastAPI dependency: a field of the app's Dependencies. It is async, so that it uses no thread."""

    async def field_of(needed: NeededDep) -> Any:
        return getattr(needed, name)

    return Depends(field_of)


WorkplaceDep = Annotated[Workplace, _held("workplace")]
RepositoryDep = Annotated[Repository, _held("repository")]
JudgeDep = Annotated[Judge, _held("judge")]
BringingDep = Annotated[Bringing, _held("bringing")]
SecretDep = Annotated[Secret, _held("secret")]
RatersDep = Annotated[RaterAccess, _held("raters")]
PagesDep = Annotated[PlainPages, _held("pages")]
FilesDep = Annotated[StaticFiles, _held("files")]
AddressDep = Annotated[str | None, _held("address")]
AnalystDep = Annotated[Analyst, _held("analyst")]
SavingDep = Annotated[SaveQueue, _held("saving")]
ReadingDep = Annotated[ModelQueue, _held("reading")]
WritingDep = Annotated[Lock, _held("writing")]


@dataclass(frozen=True, slots=True)
class PageRequest:
    """A request for a page that the server renders, or from a form on such a page."""

    request: Request
    needed: Dependencies

    @property
    def workplace(self) -> Workplace:
        """Return the open data folder."""
        return self.needed.workplace

    @property
    def repository(self) -> Repository:
        """Return the repository of the data folder."""
        return self.needed.workplace.repository

    @property
    def visitor(self) -> Visitor:
        """Return the sender of the request."""
        return visitor_of(self.request)

    def show(self, template: str, status: int = 200, /, **values: Any) -> Response:
        """Return a page."""
        return self.needed.pages.page(template, status, visitor=self.visitor, **values)

    def lead(self, path: str) -> Response:
        """Lead the browser to another page."""
        return RedirectResponse(f"{self.needed.pages.root}{path}", 303)


async def page_request(request: Request, needed: NeededDep) -> PageRequest:
    """Return a request for a page."""
    return PageRequest(request, needed)


PageDep = Annotated[PageRequest, Depends(page_request)]


async def base_address(request: Request, address: AddressDep) -> str:
    """Return the server's public address.

    It comes from the settings; if they have none, it comes from the request.
    """
    return address or f"{request.url.scheme}://{request.headers['host']}"


def signed_in_rater(request: Request, raters: RatersDep) -> Rater:
    """Return the rater who sends a request. Raises NotSignedIn."""
    # not async, because it reads the database and must therefore run in a thread
    return raters.known(request)


BaseAddressDep = Annotated[str, Depends(base_address)]
RaterDep = Annotated[Rater, Depends(signed_in_rater)]
