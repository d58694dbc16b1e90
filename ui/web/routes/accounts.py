"""The People page: accounts, who is signed in, and the log. For admins."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Annotated, Any

from fastapi import APIRouter, Form, Query, Request, Response
from fastapi.responses import RedirectResponse, StreamingResponse

from core.errors import ChangedMeanwhile, UserError
from storage.accounts.types import ROLES
from ui.services.accounts.audit_file import csv_lines, jsonl_lines
from ui.services.accounts.invitations import PASSWORD_HOURS, password_link
from ui.services.workplace import Workplace
from ui.web.access.checks import change_of, note, visitor_of
from ui.web.access.forwarding import Senders
from ui.web.access.plain_pages import PlainPages
from ui.web.routes import LARGEST_ID, Id, Stamp
from ui.web.routes.signing_in import LARGEST_FORM

LINES = 1_000  # of a log that are sent at a time
PAGE = 100  # entries of the log
Text = Annotated[str, Form(max_length=200)]
Opened = Annotated[Stamp, Form()]  # under which the page was shown


@dataclass(frozen=True, slots=True)
class Refused:
    """A change that was not stored, because another admin changed the same account after the page was shown."""

    account: int
    deed: str  # the last part of the address to send it to
    role: str  # the wanted one; empty: the role was to stay


def people_routes(workplace: Workplace, pages: PlainPages, address: str | None, senders: Senders) -> APIRouter:
    """Return the routes. address: at which people reach the server; None: as the admin does who asks."""
    router = APIRouter(include_in_schema=False, prefix="/people", max_body_size=LARGEST_FORM)
    repository = workplace.repository
    accounts = repository.accounts

    def page(
        request: Request,
        problem: str = "",
        link: str = "",
        link_for: str = "",
        status: int = 200,
        refused: Refused | None = None,
    ) -> Response:
        known: dict[str, Any] = {"accounts": accounts.all_with_stamps(), "sessions": repository.sessions.all()}
        known |= {"roles": ROLES, "refused": refused}
        fresh = {"link": link, "link_for": link_for, "hours": PASSWORD_HOURS}
        return pages.page(
            "people", status, visitor=visitor_of(request), problem=problem, warnings=senders.warnings, **known, **fresh
        )

    def with_link(request: Request, name: str) -> Response:
        base = address or f"{request.url.scheme}://{request.headers['host']}"
        note(request, f"account {name}")
        return page(request, link=password_link(workplace, name, base), link_for=name)

    def changed(request: Request, account_id: int, deed: str, stamp: str, **change: Any) -> Response:
        account = accounts.get(account_id)
        try:
            account = accounts.change(account.name, change=change_of(request, stamp), **change)
        except ChangedMeanwhile as error:
            return page(request, str(error), status=409, refused=Refused(account_id, deed, change.get("role", "")))
        except UserError as error:
            return page(request, str(error), status=400)
        note(request, f"account {account.name}" + (f", {account.role}" if "role" in change else ""))
        return RedirectResponse(f"{pages.root}/people", 303)

    @router.get("")
    def people(request: Request) -> Response:
        return page(request)

    @router.post("")
    def add(request: Request, name: Text, role: Text) -> Response:
        try:
            account = accounts.add(name, role)
        except UserError as error:
            return page(request, str(error), status=400)
        return with_link(request, account.name)

    @router.post("/{account_id}/link")
    def new_link(request: Request, account_id: Id) -> Response:
        try:
            return with_link(request, accounts.get(account_id).name)
        except UserError as error:
            return page(request, str(error), status=400)

    @router.post("/{account_id}/role")
    def role(request: Request, account_id: Id, role: Text, stamp: Opened) -> Response:
        return changed(request, account_id, "role", stamp, role=role)

    @router.post("/{account_id}/close")
    def close(request: Request, account_id: Id, stamp: Opened) -> Response:
        return changed(request, account_id, "close", stamp, disabled=True)

    @router.post("/{account_id}/open")
    def open_again(request: Request, account_id: Id, stamp: Opened) -> Response:
        return changed(request, account_id, "open", stamp, disabled=False)

    @router.post("/sessions/{session_id}/end")
    def end_session(request: Request, session_id: Id) -> Response:
        ended = repository.sessions.revoke(session_id)
        note(request, f"session of {ended.account or f'rater {ended.rater}'}, {ended.browser}")
        return RedirectResponse(f"{pages.root}/people", 303)

    @router.get("/log")
    def log(request: Request, before: Annotated[int | None, Query(ge=1, le=LARGEST_ID)] = None) -> Response:
        entries = repository.audit.newest(PAGE, before)
        older = entries[-1].id if len(entries) == PAGE else None
        return pages.page("log", visitor=visitor_of(request), entries=entries, older=older)

    @router.get("/log.csv")
    def log_csv() -> Response:
        return _file(csv_lines(repository.audit.all()), "text/csv; charset=utf-8", "log.csv")

    @router.get("/log.jsonl")
    def log_jsonl() -> Response:
        return _file(jsonl_lines(repository.audit.all()), "application/x-ndjson", "log.jsonl")

    return router


def _file(lines: Iterator[str], media_type: str, name: str) -> Response:
    headers = {"content-disposition": f'attachment; filename="{name}"', "cache-control": "no-store"}
    blocks = iter(lambda: "".join(islice(lines, LINES)), "")  # each is asked for in another thread
    return StreamingResponse(blocks, media_type=media_type, headers=headers)
