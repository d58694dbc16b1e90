"""Check every request against the gates of the routes, and log actions.

If sign-in is not required, everybody who can reach the server counts as its owner.
"""

from dataclasses import dataclass
from urllib.parse import quote

from starlette.concurrency import run_in_threadpool
from starlette.datastructures import Headers
from starlette.middleware.body_limit import RequestBodyLimitResponder
from starlette.requests import Request
from starlette.responses import RedirectResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from storage import Repository
from storage.accounts.types import ROLES, Account, Role
from ui.services.accounts.attempt_counter import neighbourhood
from ui.web.access.cookies import Cookies
from ui.web.access.gates import Gate, Gates, Who
from ui.web.access.other_sites import SIGNED_IN
from ui.web.access.plain_pages import PlainPages
from ui.web.access.proxy import USER
from ui.web.access.refusals import Refusal, refused

_A = {"viewer": "a viewer", "researcher": "a researcher", "admin": "an admin"}
_KEY = "capscope.visitor"  # key of the visitor in the ASGI scope (data of a request)
_NOTE = "capscope.object"
STRANGERS_BODY = (
    16_000  # maximum bytes of a request to a route for strangers and raters, unless the route declares more
)
ACCOUNTS_BODY = 2_000_000  # maximum bytes of other requests, unless the route declares more


@dataclass(frozen=True, slots=True)
class Visitor:
    """The sender of a request."""

    name: str
    role: Role
    account: Account | None = None  # the visitor's account; None: nobody needs to sign in

    def may(self, who: Who) -> bool:
        """Return whether the visitor may use the routes for an audience."""
        return who in ("anyone", "rater") or (who in ROLES and ROLES.index(self.role) >= ROLES.index(who))


OWNER = Visitor("this machine", "admin")


def visitor_of(request: Request) -> Visitor:
    """Return the sender of a request that needs an account."""
    visitor = request.scope[_KEY]
    assert isinstance(visitor, Visitor)
    return visitor


def note(request: Request, object: str) -> None:
    """Set how the audit log describes the object of a request.

    object: text that the log contains in place of the request's path.
    """
    request.scope[_NOTE] = object


@dataclass(frozen=True, slots=True)
class Door:
    """Finds out who sends a request."""

    repository: Repository
    cookies: Cookies
    demands_sign_in: bool

    def visitor(self, request: Request) -> Visitor | None:
        """Return the signed-in account of a browser. If sign-in is not required, return the owner."""
        if not self.demands_sign_in:
            return OWNER
        named: str | None = request.scope.get(USER)
        if named is not None:  # a trusted proxy has signed this person in
            of_proxy = self.repository.accounts.signed_in_elsewhere(named)
            return None if of_proxy is None else Visitor(of_proxy.name, of_proxy.role, of_proxy)
        token = self.cookies.get(request, "account")
        account = self.repository.sessions.account(token) if token else None
        return None if account is None else Visitor(account.name, account.role, account)


class Access:
    """ASGI middleware: allows a request only if the gate of its route permits it, and logs actions."""

    def __init__(self, app: ASGIApp, door: Door, pages: PlainPages, gates: Gates) -> None:
        self._app, self._door, self._pages, self._gates = app, door, pages, gates

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one request."""
        if scope["type"] == "websocket":  # refused, because no route uses websockets
            return await send({"type": "websocket.close", "code": 1008})
        if scope["type"] != "http":
            return await self._app(scope, receive, send)
        route = self._gates.find(scope["method"], scope["path"])
        if route is None:
            return await refused(Refusal("not_found", "There is no page at this address."), 404)(scope, receive, send)
        visitor: Visitor | None = OWNER
        who = route.who
        if self._door.demands_sign_in:
            needs = not needs_no_account(who)
            visitor = await run_in_threadpool(self._door.visitor, Request(scope)) if needs else None
            if needs and (visitor is None or not visitor.may(who)):
                return await self._turned_away(scope, visitor, who)(scope, receive, send)
        if who == "rater" and scope["method"] != "GET" and not await run_in_threadpool(self._is_rater, Request(scope)):
            return await refused(Refusal("signed_out", "Enter your code first."), 401)(scope, receive, send)
        scope[_KEY] = visitor
        if visitor is not None and visitor.account is not None:
            scope[SIGNED_IN] = (visitor.name, visitor.role)
        most = route.most or (STRANGERS_BODY if needs_no_account(who) else ACCOUNTS_BODY)
        length = Headers(scope=scope).get("content-length", "0")
        if not length.isdecimal() or int(length[:20]) > most:
            return await refused(Refusal("too_large", "The request is too large."), 413)(scope, receive, send)
        send = self._telling(scope, visitor, route, send) if route.deed and visitor else send
        # a request that does not say its length is cut off while it is read
        await RequestBodyLimitResponder(self._app, most)(scope, receive, send)

    def _is_rater(self, request: Request) -> bool:
        """Return whether a browser has the session of a rater. The route checks the study."""
        sessions = self._door.repository.sessions
        return any(sessions.rater(token) is not None for token in self._door.cookies.raters(request))

    def _turned_away(self, scope: Scope, visitor: Visitor | None, who: Who) -> ASGIApp:
        is_page = scope["method"] in ("GET", "HEAD") and not scope["path"].startswith(("/api/", "/gradio_api/"))
        if visitor is not None:
            words = f"The account {visitor.name} has the role of {_A[visitor.role]}, but this page is for {_A[who]}."
            if not is_page:
                return refused(Refusal("not_allowed", words), 403)
            return self._pages.words("Not allowed with this account", words, 403, {"To the pages": "/"})
        if not is_page:
            return refused(Refusal("sign_in", "Sign in first."), 401)
        query = scope.get("query_string", b"").decode("latin-1")
        wanted = quote(scope["path"] + (f"?{query}" if query else ""), safe="/")
        return RedirectResponse(f"{self._pages.root}/sign-in?next={wanted}", 303)

    def _telling(self, scope: Scope, visitor: Visitor, route: Gate, send: Send) -> Send:
        """Return a `send` function that logs a successful action.

        The action is logged before the visitor receives the response.
        """

        async def tell(message: Message) -> None:
            if message["type"] == "http.response.start" and message["status"] < 400:
                about, client = scope.get(_NOTE) or scope["path"], scope.get("client")
                entry = (visitor.name, route.deed, about, neighbourhood(client[0]) if client else None)
                await run_in_threadpool(self._door.repository.audit.add, *entry)
            await send(message)

        return tell


def needs_no_account(who: Who) -> bool:
    """Return whether people without an account may use the routes for an audience."""
    return who in ("anyone", "rater")
