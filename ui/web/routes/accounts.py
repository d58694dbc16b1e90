"""Routes of the People page, for admins: accounts and the log."""

from itertools import chain, islice
from typing import Annotated, Any

from fastapi import APIRouter, Form, Query, Request, Response
from fastapi.responses import RedirectResponse, StreamingResponse

from core.csv_text import csv_line
from core.errors import UserError
from storage.accounts.types import ROLES
from ui.services.accounts.invitations import PASSWORD_HOURS, password_link
from ui.web.access.access_checks import note, visitor_of
from ui.web.access.gates import gate
from ui.web.routes import LARGEST_ID, Id
from ui.web.routes.dependencies import BaseAddressDep, Dependencies, NeededDep, PagesDep, RepositoryDep

LINES = 1_000  # number of log entries read at a time
PAGE = 100  # number of log entries per page
Text = Annotated[str, Form(max_length=200)]

ROUTER = APIRouter(include_in_schema=False, prefix="/people")


def _page(needed: Dependencies, request: Request, problem: str = "", status: int = 200, **more: Any) -> Response:
    accounts = needed.repository.accounts.all()
    shown = {"visitor": visitor_of(request), "problem": problem, "roles": ROLES, "hours": PASSWORD_HOURS}
    return needed.pages.page("people", status, accounts=accounts, **shown, **more)


def _with_link(needed: Dependencies, base: str, request: Request, name: str) -> Response:
    note(request, f"account {name}")
    return _page(needed, request, link=password_link(needed.workplace, name, base), link_for=name)


def _changed(needed: Dependencies, request: Request, account_id: int, **change: Any) -> Response:
    accounts = needed.repository.accounts
    try:
        account = accounts.change(accounts.get(account_id).name, **change)
    except UserError as error:
        return _page(needed, request, str(error), 400)
    note(request, f"account {account.name}" + (f", {account.role}" if "role" in change else ""))
    return RedirectResponse(f"{needed.pages.root}/people", 303)


@ROUTER.get("", **gate("admin"))
def people(request: Request, needed: NeededDep) -> Response:
    """Show the People page."""
    return _page(needed, request)


@ROUTER.post("", **gate("admin", "account made"))
def add(request: Request, name: Text, role: Text, needed: NeededDep, base: BaseAddressDep) -> Response:
    """Make an account and a link that sets its password."""
    try:
        account = needed.repository.accounts.add(name, role)
    except UserError as error:
        return _page(needed, request, str(error), 400)
    return _with_link(needed, base, request, account.name)


@ROUTER.post("/{account_id}/link", **gate("admin", "password link made"))
def new_link(request: Request, account_id: Id, needed: NeededDep, base: BaseAddressDep) -> Response:
    """Make a new link that sets an account's password."""
    try:
        return _with_link(needed, base, request, needed.repository.accounts.get(account_id).name)
    except UserError as error:
        return _page(needed, request, str(error), 400)


@ROUTER.post("/{account_id}/role", **gate("admin", "role changed"))
def role(request: Request, account_id: Id, role: Text, needed: NeededDep) -> Response:
    """Change an account's role."""
    return _changed(needed, request, account_id, role=role)


@ROUTER.post("/{account_id}/close", **gate("admin", "account closed"))
def close(request: Request, account_id: Id, needed: NeededDep) -> Response:
    """Close an account."""
    return _changed(needed, request, account_id, disabled=True)


@ROUTER.post("/{account_id}/open", **gate("admin", "account opened"))
def open_again(request: Request, account_id: Id, needed: NeededDep) -> Response:
    """Open a closed account."""
    return _changed(needed, request, account_id, disabled=False)


@ROUTER.get("/log", **gate("admin"))
def log(
    request: Request,
    repository: RepositoryDep,
    pages: PagesDep,
    before: Annotated[int | None, Query(ge=1, le=LARGEST_ID)] = None,
) -> Response:
    """Show a page of the log."""
    entries = repository.audit.newest(PAGE, before)
    older = entries[-1].id if len(entries) == PAGE else None
    return pages.page("log", visitor=visitor_of(request), entries=entries, older=older)


@ROUTER.get("/log.csv", **gate("admin", "log exported"))
def log_csv(repository: RepositoryDep) -> Response:
    """Return the whole log as CSV. Its cells are written so that spreadsheets do not run them as formulas."""
    rows = ((f"{one.at.isoformat()}Z", one.actor, one.deed, one.object, one.address) for one in repository.audit.all())
    lines = (csv_line(row, "\r\n") for row in chain([("at", "actor", "deed", "object", "address")], rows))
    blocks = iter(lambda: "".join(islice(lines, LINES)), "")  # worker threads read the lines, a block at a time
    headers = {"content-disposition": 'attachment; filename="log.csv"', "cache-control": "no-store"}
    return StreamingResponse(blocks, media_type="text/csv; charset=utf-8", headers=headers)
