"""Plain pages with forms: sign in and out, set a password, list the user's own sessions."""

from typing import Annotated
from urllib.parse import urlsplit

from fastapi import APIRouter, Depends, Form, Request, Response
from fastapi.responses import RedirectResponse

from core.errors import CapscopeError, LinkOver, TooManyAttempts
from core.installation import COMMAND
from storage import Repository
from storage.accounts.accounts import folded
from storage.accounts.tokens import new_token
from storage.accounts.types import Account
from ui.services.accounts.passwords import LONGEST, SHORTEST
from ui.web.access.access_checks import Door, note, visitor_of
from ui.web.access.plain_pages import PlainPages
from ui.web.access.raters import address_of, browser_of
from ui.web.access.security import Secret
from ui.web.routes import Id
from ui.web.routes.dependencies import DoorDep, PagesDep, PasswordsDep, RepositoryDep, SecretDep

LARGEST_FORM = 20_000  # bytes
Text = Annotated[str, Form(max_length=500)]


class Entry:
    """Starts the session of an account after a successful sign-in."""

    def __init__(self, repository: Repository, door: Door, secret: Secret, pages: PlainPages) -> None:
        self._repository, self._door, self._secret, self._pages = repository, door, secret, pages

    def let_in(self, request: Request, account: Account, wanted: str) -> Response:
        """Start a session, remember the browser, and redirect it.

        wanted: the page to which the browser is redirected.
        """
        self.end(request)
        response = RedirectResponse(self._pages.root + inside(wanted), 303)
        token = self._repository.sessions.start_account(account, browser_of(request))
        self._door.cookies.set(response, "account", token)
        self._door.cookies.set(response, "device", self._secret.sign(f"{account.name} {new_token()}"))
        self._repository.audit.add(account.name, "signed in", browser_of(request), address_of(request))
        return response

    def end(self, request: Request) -> None:
        """End a browser's session."""
        token = self._door.cookies.get(request, "account")
        if token:
            self._repository.sessions.end(token)

    def knows(self, request: Request, name: str) -> str | None:
        """Return the token by which this account's browser is recognised.

        None: the account has not signed in with this browser before.
        """
        cookie = self._door.cookies.get(request, "device")
        return cookie if (self._secret.signed(cookie) or "").partition(" ")[0] == name else None


async def entry(repository: RepositoryDep, door: DoorDep, secret: SecretDep, pages: PagesDep) -> Entry:
    """Return the object that starts accounts' sessions."""
    return Entry(repository, door, secret, pages)


EntryDep = Annotated[Entry, Depends(entry)]
ROUTER = APIRouter(include_in_schema=False, max_body_size=LARGEST_FORM)


def _form(
    repository: Repository,
    pages: PlainPages,
    problem: str = "",
    name: str = "",
    wanted: str = "/",
    status: int = 200,
) -> Response:
    first = "" if repository.accounts.all() else f"{COMMAND} user add NAME --role admin"
    shown = {"problem": problem, "name": name, "next": inside(wanted)}
    return pages.page("sign_in", status, **shown, first_account=first)


@ROUTER.get("/sign-in")
def sign_in_page(
    request: Request,
    repository: RepositoryDep,
    door: DoorDep,
    pages: PagesDep,
    wanted: str = "/",
) -> Response:
    """Show the sign-in page."""
    wanted = request.query_params.get("next", wanted)
    if door.visitor(request) is not None:
        return RedirectResponse(pages.root + inside(wanted), 303)
    return _form(repository, pages, wanted=wanted)


@ROUTER.post("/sign-in")
def sign_in(
    request: Request,
    name: Text,
    password: Text,
    repository: RepositoryDep,
    pages: PagesDep,
    passwords: PasswordsDep,
    entry: EntryDep,
    wanted: Annotated[str, Form(alias="next")] = "/",
) -> Response:
    """Sign in by name and password."""
    name = folded(name.strip())
    try:
        account = passwords.check(name, password, address_of(request), entry.knows(request, name))
    except TooManyAttempts as error:
        return _form(repository, pages, str(error), name, wanted, 429)
    except CapscopeError as error:
        # do not log an unknown name, because it may be a password typed into the wrong field
        is_account = any(one.name == name for one in repository.accounts.all())
        whose = f"account {name}" if is_account else "a name without an account"
        repository.audit.add("nobody", "sign-in failed", whose, address_of(request))
        return _form(repository, pages, str(error), name, wanted, 401)
    return entry.let_in(request, account, wanted)


@ROUTER.post("/sign-out")
def sign_out(request: Request, repository: RepositoryDep, door: DoorDep, pages: PagesDep, entry: EntryDep) -> Response:
    """Sign out."""
    visitor = door.visitor(request)
    entry.end(request)
    if visitor is not None and visitor.account is not None:
        repository.audit.add(visitor.name, "signed out", "", address_of(request))
    response = RedirectResponse(f"{pages.root}/sign-in", 303)
    door.cookies.delete(response, "account")
    return response


def _password_form(
    repository: Repository, pages: PlainPages, token: str, problem: str = "", status: int = 200
) -> Response:
    try:
        account = repository.accounts.of_link(token)
    except LinkOver as error:
        return pages.words("This link cannot set a password", str(error), 410, {"Sign in": "/sign-in"})
    bounds = {"shortest": SHORTEST, "longest": LONGEST}
    return pages.page("password", status, name=account.name, role=account.role, problem=problem, **bounds)


@ROUTER.get("/password/{token}")
def password_page(token: str, repository: RepositoryDep, pages: PagesDep) -> Response:
    """Show the page that sets a password."""
    return _password_form(repository, pages, token)


@ROUTER.post("/password/{token}")
def set_password(
    request: Request,
    token: str,
    password: Text,
    again: Text,
    repository: RepositoryDep,
    pages: PagesDep,
    passwords: PasswordsDep,
    entry: EntryDep,
) -> Response:
    """Set a password and sign in."""
    if password != again:
        return _password_form(repository, pages, token, "The two passwords are not the same.", 400)
    try:
        account = passwords.set(token, password)
    except CapscopeError as error:
        return _password_form(repository, pages, token, str(error), 400)
    repository.audit.add(account.name, "password set", "", address_of(request))
    return entry.let_in(request, account, "/")


@ROUTER.get("/account")
def account_page(request: Request, repository: RepositoryDep, pages: PagesDep) -> Response:
    """Show the visitor's account and sessions."""
    visitor = visitor_of(request)
    sessions = () if visitor.account is None else repository.sessions.of_account(visitor.account)
    return pages.page("account", visitor=visitor, sessions=sessions)


@ROUTER.post("/account/sessions/{session_id}/end")
def end_session(request: Request, session_id: Id, repository: RepositoryDep, pages: PagesDep) -> Response:
    """End one of the visitor's own sessions."""
    visitor = visitor_of(request)
    if visitor.account is not None:
        ended = repository.sessions.revoke(session_id, visitor.account)
        note(request, f"session {session_id}, {ended.browser}")
    return RedirectResponse(f"{pages.root}/account", 303)


def inside(path: str) -> str:
    """Return a path to which a redirect may lead.

    It is the given path if it stays in this app, otherwise the path of the front page.
    """
    parts = urlsplit(path)
    is_ours = path.startswith("/") and not path.startswith(("//", "/\\")) and path.isprintable() and "\\" not in path
    return path if is_ours and not parts.scheme and not parts.netloc else "/"
