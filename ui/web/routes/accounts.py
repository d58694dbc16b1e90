"""Routes of the People page, for admins: accounts, sessions and the log."""

from collections.abc import Iterator
from itertools import islice
from typing import Annotated, Any

from fastapi import APIRouter, Form, Query, Request, Response
from fastapi.responses import RedirectResponse, StreamingResponse

from core.errors import ChangedMeanwhile, UserError
from storage.accounts.types import ROLES
from ui.services.accounts.audit_file import csv_lines, jsonl_lines
from ui.services.accounts.invitations import PASSWORD_HOURS, password_link
from ui.web.access.access_checks import change_of, note, visitor_of
from ui.web.access.gates import gate
from ui.web.routes import LARGEST_ID, Id, Stamp
from ui.web.routes.dependencies import BaseAddressDep, Dependencies, NeededDep, PagesDep, RepositoryDep

LINES = 1_000  # number of log entries read at a time
PAGE = 100  # number of log entries per page
Text = Annotated[str, Form(max_length=200)]
Opened = Annotated[Stamp, Form()]  # version of the account that the page showed

ROUTER = APIRouter(include_in_schema=False, prefix="/people")


def _page(needed: Dependencies, request: Request, problem: str = "", status: int = 200, **more: Any) -> Response:
    known = {"accounts": needed.repository.accounts.all(), "sessions": needed.repository.sessions.all()}
    shown = {"visitor": visitor_of(request), "problem": problem, "roles": ROLES, "hours": PASSWORD_HOURS}
    return needed.pages.page("people", status, **known, **shown, **more)


def _with_link(needed: Dependencies, base: str, request: Request, name: str) -> Response:
    note(request, f"account {name}")
    return _page(needed, request, link=password_link(needed.workplace, name, base), link_for=name)


def _changed(needed: Dependencies, request: Request, account_id: int, stamp: str, **change: Any) -> Response:
    accounts = needed.repository.accounts
    try:
        account = accounts.change(accounts.get(account_id).name, change=change_of(request, stamp), **change)
    except (ChangedMeanwhile, UserError) as error:
        return _page(needed, request, str(error), 409 if isinstance(error, ChangedMeanwhile) else 400)
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
def role(request: Request, account_id: Id, role: Text, stamp: Opened, needed: NeededDep) -> Response:
    """Change an account's role."""
    return _changed(needed, request, account_id, stamp, role=role)


@ROUTER.post("/{account_id}/close", **gate("admin", "account closed"))
def close(request: Request, account_id: Id, stamp: Opened, needed: NeededDep) -> Response:
    """Close an account."""
    return _changed(needed, request, account_id, stamp, disabled=True)


@ROUTER.post("/{account_id}/open", **gate("admin", "account opened"))
def open_again(request: Request, account_id: Id, stamp: Opened, needed: NeededDep) -> Response:
    """Open a closed account."""
    return _changed(needed, request, account_id, stamp, disabled=False)


@ROUTER.post("/sessions/{session_id}/end", **gate("admin", "session ended"))
def end_session(request: Request, session_id: Id, repository: RepositoryDep, pages: PagesDep) -> Response:
    """End a session."""
    ended = repository.sessions.revoke(session_id)
    note(request, f"session of {ended.account or f'rater {ended.rater}'}, {ended.browser}")
    return RedirectResponse(f"{pages.root}/people", 303)


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
    """Return the whole log as CSV."""
    return _file(csv_lines(repository.audit.all()), "text/csv; charset=utf-8", "log.csv")


@ROUTER.get("/log.jsonl", **gate("admin", "log exported"))
def log_jsonl(repository: RepositoryDep) -> Response:
    """Return the whole log as JSONL."""
    return _file(jsonl_lines(repository.audit.all()), "application/x-ndjson", "log.jsonl")


def _file(lines: Iterator[str], media_type: str, name: str) -> Response:
    headers = {"content-disposition": f'attachment; filename="{name}"', "cache-control": "no-store"}
    blocks = iter(lambda: "".join(islice(lines, LINES)), "")  # worker threads read the lines, a block at a time
    return StreamingResponse(blocks, media_type=media_type, headers=headers)
