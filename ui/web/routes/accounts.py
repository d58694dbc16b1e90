"""Routes of the People page, for admins: accounts, sessions and the log."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Annotated, Any

from fastapi import APIRouter, Form, Query, Request, Response
from fastapi.responses import RedirectResponse, StreamingResponse

from core.errors import ChangedMeanwhile, UserError
from storage import Repository
from storage.accounts.types import ROLES
from ui.services.accounts.audit_file import csv_lines, jsonl_lines
from ui.services.accounts.invitations import PASSWORD_HOURS, password_link
from ui.services.workplace import Workplace
from ui.web.access.access_checks import change_of, note, visitor_of
from ui.web.access.forwarding import Senders
from ui.web.access.plain_pages import PlainPages
from ui.web.routes import LARGEST_ID, Id, Stamp
from ui.web.routes.dependencies import BaseAddressDep, PagesDep, RepositoryDep, SendersDep, WorkplaceDep
from ui.web.routes.signing_in import LARGEST_FORM

LINES = 1_000  # number of log entries read at a time
PAGE = 100  # number of log entries per page
Text = Annotated[str, Form(max_length=200)]
Opened = Annotated[Stamp, Form()]  # version of the account that the page showed


@dataclass(frozen=True, slots=True)
class Refused:
    """A change that was not stored, because another admin changed the account after the page was shown."""

    account: int
    deed: str  # name of the action, the last part of the form's path
    role: str  # new role of the account; "": the role stays


ROUTER = APIRouter(include_in_schema=False, prefix="/people", max_body_size=LARGEST_FORM)


def _page(
    repository: Repository,
    senders: Senders,
    pages: PlainPages,
    request: Request,
    problem: str = "",
    link: str = "",
    link_for: str = "",
    status: int = 200,
    refused: Refused | None = None,
) -> Response:
    known: dict[str, Any] = {"accounts": repository.accounts.all_with_stamps(), "sessions": repository.sessions.all()}
    known |= {"roles": ROLES, "refused": refused}
    fresh = {"link": link, "link_for": link_for, "hours": PASSWORD_HOURS}
    return pages.page(
        "people", status, visitor=visitor_of(request), problem=problem, warnings=senders.warnings, **known, **fresh
    )


def _with_link(
    workplace: Workplace,
    repository: Repository,
    senders: Senders,
    pages: PlainPages,
    base: str,
    request: Request,
    name: str,
) -> Response:
    note(request, f"account {name}")
    return _page(repository, senders, pages, request, link=password_link(workplace, name, base), link_for=name)


def _changed(
    repository: Repository,
    senders: Senders,
    pages: PlainPages,
    request: Request,
    account_id: int,
    deed: str,
    stamp: str,
    **change: Any,
) -> Response:
    account = repository.accounts.get(account_id)
    try:
        account = repository.accounts.change(account.name, change=change_of(request, stamp), **change)
    except ChangedMeanwhile as error:
        return _page(
            repository,
            senders,
            pages,
            request,
            str(error),
            status=409,
            refused=Refused(account_id, deed, change.get("role", "")),
        )
    except UserError as error:
        return _page(repository, senders, pages, request, str(error), status=400)
    note(request, f"account {account.name}" + (f", {account.role}" if "role" in change else ""))
    return RedirectResponse(f"{pages.root}/people", 303)


@ROUTER.get("")
def people(request: Request, repository: RepositoryDep, senders: SendersDep, pages: PagesDep) -> Response:
    """Show the People page."""
    return _page(repository, senders, pages, request)


@ROUTER.post("")
def add(
    request: Request,
    name: Text,
    role: Text,
    workplace: WorkplaceDep,
    repository: RepositoryDep,
    senders: SendersDep,
    pages: PagesDep,
    base: BaseAddressDep,
) -> Response:
    """Make an account and a link that sets its password."""
    try:
        account = repository.accounts.add(name, role)
    except UserError as error:
        return _page(repository, senders, pages, request, str(error), status=400)
    return _with_link(workplace, repository, senders, pages, base, request, account.name)


@ROUTER.post("/{account_id}/link")
def new_link(
    request: Request,
    account_id: Id,
    workplace: WorkplaceDep,
    repository: RepositoryDep,
    senders: SendersDep,
    pages: PagesDep,
    base: BaseAddressDep,
) -> Response:
    """Make a new link that sets an account's password."""
    try:
        return _with_link(
            workplace, repository, senders, pages, base, request, repository.accounts.get(account_id).name
        )
    except UserError as error:
        return _page(repository, senders, pages, request, str(error), status=400)


@ROUTER.post("/{account_id}/role")
def role(
    request: Request,
    account_id: Id,
    role: Text,
    stamp: Opened,
    repository: RepositoryDep,
    senders: SendersDep,
    pages: PagesDep,
) -> Response:
    """Change an account's role."""
    return _changed(repository, senders, pages, request, account_id, "role", stamp, role=role)


@ROUTER.post("/{account_id}/close")
def close(
    request: Request, account_id: Id, stamp: Opened, repository: RepositoryDep, senders: SendersDep, pages: PagesDep
) -> Response:
    """Close an account."""
    return _changed(repository, senders, pages, request, account_id, "close", stamp, disabled=True)


@ROUTER.post("/{account_id}/open")
def open_again(
    request: Request, account_id: Id, stamp: Opened, repository: RepositoryDep, senders: SendersDep, pages: PagesDep
) -> Response:
    """Open a closed account."""
    return _changed(repository, senders, pages, request, account_id, "open", stamp, disabled=False)


@ROUTER.post("/sessions/{session_id}/end")
def end_session(request: Request, session_id: Id, repository: RepositoryDep, pages: PagesDep) -> Response:
    """End a session."""
    ended = repository.sessions.revoke(session_id)
    note(request, f"session of {ended.account or f'rater {ended.rater}'}, {ended.browser}")
    return RedirectResponse(f"{pages.root}/people", 303)


@ROUTER.get("/log")
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


@ROUTER.get("/log.csv")
def log_csv(repository: RepositoryDep) -> Response:
    """Return the whole log as CSV."""
    return _file(csv_lines(repository.audit.all()), "text/csv; charset=utf-8", "log.csv")


@ROUTER.get("/log.jsonl")
def log_jsonl(repository: RepositoryDep) -> Response:
    """Return the whole log as JSONL."""
    return _file(jsonl_lines(repository.audit.all()), "application/x-ndjson", "log.jsonl")


def _file(lines: Iterator[str], media_type: str, name: str) -> Response:
    headers = {"content-disposition": f'attachment; filename="{name}"', "cache-control": "no-store"}
    blocks = iter(lambda: "".join(islice(lines, LINES)), "")  # worker threads read the lines, a block at a time
    return StreamingResponse(blocks, media_type=media_type, headers=headers)
