"""Plain pages with forms: sign in and out, set a password."""

from typing import Annotated
from urllib.parse import urlsplit

from fastapi import APIRouter, Form, Query, Request, Response
from fastapi.responses import RedirectResponse

from core.errors import CapscopeError, LinkOver, TooManyAttempts
from core.installation import COMMAND
from storage.accounts.accounts import folded
from storage.accounts.types import Account
from ui.services.accounts.passwords import LONGEST, SHORTEST
from ui.web.access.gates import gate
from ui.web.access.raters import address_of
from ui.web.routes.dependencies import Dependencies, NeededDep

Text = Annotated[str, Form(max_length=500)]


ROUTER = APIRouter(include_in_schema=False)


def _let_in(needed: Dependencies, request: Request, account: Account, wanted: str) -> Response:
    """Start an account's session, and redirect its browser to the page that it wanted."""
    _end(needed, request)
    response = RedirectResponse(needed.pages.root + inside(wanted), 303)
    cookies, repository = needed.door.cookies, needed.repository
    cookies.set(response, "account", repository.sessions.start_account(account))
    repository.audit.add(account.name, "signed in", "", address_of(request))
    return response


def _end(needed: Dependencies, request: Request) -> None:
    token = needed.door.cookies.get(request, "account")
    if token:
        needed.repository.sessions.end(token)


def _form(needed: Dependencies, problem: str = "", name: str = "", wanted: str = "/", status: int = 200) -> Response:
    first = "" if needed.repository.accounts.all() else f"{COMMAND} user add NAME --role admin"
    shown = {"problem": problem, "name": name, "next": inside(wanted)}
    return needed.pages.page("sign_in", status, **shown, first_account=first)


@ROUTER.get("/sign-in", **gate("anyone"))
def sign_in_page(request: Request, needed: NeededDep, wanted: Annotated[str, Query(alias="next")] = "/") -> Response:
    """Show the sign-in page."""
    if needed.door.visitor(request) is not None:
        return RedirectResponse(needed.pages.root + inside(wanted), 303)
    return _form(needed, wanted=wanted)


@ROUTER.post("/sign-in", **gate("anyone"))
def sign_in(
    request: Request, name: Text, password: Text, needed: NeededDep, wanted: Annotated[str, Form(alias="next")] = "/"
) -> Response:
    """Sign in by name and password."""
    name = folded(name.strip())
    try:
        account = needed.passwords.check(name, password, address_of(request))
    except TooManyAttempts as error:
        return _form(needed, str(error), name, wanted, 429)
    except CapscopeError as error:
        # do not log an unknown name, because it may be a password typed into the wrong field
        is_account = any(one.name == name for one in needed.repository.accounts.all())
        whose = f"account {name}" if is_account else "a name without an account"
        needed.repository.audit.add("nobody", "sign-in failed", whose, address_of(request))
        return _form(needed, str(error), name, wanted, 401)
    return _let_in(needed, request, account, wanted)


@ROUTER.post("/sign-out", **gate("anyone"))
def sign_out(request: Request, needed: NeededDep) -> Response:
    """Sign out."""
    visitor = needed.door.visitor(request)
    _end(needed, request)
    if visitor is not None and visitor.account is not None:
        needed.repository.audit.add(visitor.name, "signed out", "", address_of(request))
    response = RedirectResponse(f"{needed.pages.root}/sign-in", 303)
    needed.door.cookies.delete(response, "account")
    return response


def _password_form(needed: Dependencies, token: str, problem: str = "", status: int = 200) -> Response:
    try:
        account = needed.repository.accounts.of_link(token)
    except LinkOver as error:
        return needed.pages.words("This link cannot set a password", str(error), 410, {"Sign in": "/sign-in"})
    bounds = {"shortest": SHORTEST, "longest": LONGEST}
    return needed.pages.page("password", status, name=account.name, role=account.role, problem=problem, **bounds)


@ROUTER.get("/password/{token}", **gate("anyone"))
def password_page(token: str, needed: NeededDep) -> Response:
    """Show the page that sets a password."""
    return _password_form(needed, token)


@ROUTER.post("/password/{token}", **gate("anyone"))
def set_password(request: Request, token: str, password: Text, again: Text, needed: NeededDep) -> Response:
    """Set a password and sign in."""
    if password != again:
        return _password_form(needed, token, "The two passwords are not the same.", 400)
    try:
        account = needed.passwords.set(token, password)
    except CapscopeError as error:
        return _password_form(needed, token, str(error), 400)
    needed.repository.audit.add(account.name, "password set", "", address_of(request))
    return _let_in(needed, request, account, "/")


def inside(path: str) -> str:
    """Return a path to which a redirect may lead.

    It is the given path if it stays in this app, otherwise the path of the front page.
    """
    parts = urlsplit(path)
    is_ours = path.startswith("/") and not path.startswith(("//", "/\\")) and path.isprintable() and "\\" not in path
    return path if is_ours and not parts.scheme and not parts.netloc else "/"
