"""Routes of the People page, for admins: accounts and the log."""

from itertools import chain, islice
from typing import Annotated, Any

from fastapi import APIRouter, Form, Response
from fastapi.responses import StreamingResponse

from core.csv_text import csv_line
from core.errors import UserError
from storage.accounts.types import ROLES
from ui.services.accounts.invitations import PASSWORD_HOURS, password_link
from ui.web.access.access_checks import note
from ui.web.access.gates import gate
from ui.web.routes import Id
from ui.web.routes.dependencies import BaseAddressDep, PageDep, PageRequest, RepositoryDep

LINES = 1_000  # number of log entries read at a time
SHOWN = 100  # number of log entries on the page
Text = Annotated[str, Form(max_length=200)]

ROUTER = APIRouter(include_in_schema=False, prefix="/people")


def _page(page: PageRequest, problem: str = "", status: int = 200, **more: Any) -> Response:
    accounts = page.repository.accounts.all()
    return page.show("people", status, accounts=accounts, problem=problem, roles=ROLES, hours=PASSWORD_HOURS, **more)


def _with_link(page: PageRequest, base: str, name: str) -> Response:
    note(page.request, f"account {name}")
    return _page(page, link=password_link(page.workplace, name, base), link_for=name)


def _changed(page: PageRequest, account_id: int, **change: Any) -> Response:
    accounts = page.repository.accounts
    try:
        account = accounts.change(accounts.get(account_id).name, **change)
    except UserError as error:
        return _page(page, str(error), 400)
    note(page.request, f"account {account.name}" + (f", {account.role}" if "role" in change else ""))
    return page.lead("/people")


@ROUTER.get("", **gate("admin"))
def people(page: PageDep) -> Response:
    """Show the People page."""
    return _page(page)


@ROUTER.post("", **gate("admin", "account made"))
def add(page: PageDep, name: Text, role: Text, base: BaseAddressDep) -> Response:
    """Make an account and a link that sets its password."""
    try:
        account = page.repository.accounts.add(name, role)
    except UserError as error:
        return _page(page, str(error), 400)
    return _with_link(page, base, account.name)


@ROUTER.post("/{account_id}/link", **gate("admin", "password link made"))
def new_link(page: PageDep, account_id: Id, base: BaseAddressDep) -> Response:
    """Make a new link that sets an account's password."""
    try:
        return _with_link(page, base, page.repository.accounts.get(account_id).name)
    except UserError as error:
        return _page(page, str(error), 400)


@ROUTER.post("/{account_id}/role", **gate("admin", "role changed"))
def role(page: PageDep, account_id: Id, role: Text) -> Response:
    """Change an account's role."""
    return _changed(page, account_id, role=role)


@ROUTER.post("/{account_id}/close", **gate("admin", "account closed"))
def close(page: PageDep, account_id: Id) -> Response:
    """Close an account."""
    return _changed(page, account_id, disabled=True)


@ROUTER.post("/{account_id}/open", **gate("admin", "account opened"))
def open_again(page: PageDep, account_id: Id) -> Response:
    """Open a closed account."""
    return _changed(page, account_id, disabled=False)


@ROUTER.get("/log", **gate("admin"))
def log(page: PageDep) -> Response:
    """Show the newest entries of the log."""
    return page.show("log", entries=page.repository.audit.newest(SHOWN))


@ROUTER.get("/log.csv", **gate("admin", "log exported"))
def log_csv(repository: RepositoryDep) -> Response:
    """Return the whole log as CSV. Its cells are written so that spreadsheets do not run them as formulas."""
    rows = ((f"{one.at.isoformat()}Z", one.actor, one.deed, one.object, one.address) for one in repository.audit.all())
    lines = (csv_line(row, "\r\n") for row in chain([("at", "actor", "deed", "object", "address")], rows))
    blocks = iter(lambda: "".join(islice(lines, LINES)), "")  # worker threads read the lines, a block at a time
    headers = {"content-disposition": 'attachment; filename="log.csv"', "cache-control": "no-store"}
    return StreamingResponse(blocks, media_type="text/csv; charset=utf-8", headers=headers)
