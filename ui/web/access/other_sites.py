"""Refuse requests of other sites and to other hosts, and add security headers to responses.

Routes declare who may use them (ui/web/access/gates.py). Headers with which a sender describes itself are not
trusted.
"""

import re
from collections.abc import Iterable

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from ui.setting_values import PublicUrl
from ui.web.access.refusals import Refusal, refused

WRITE_HEADER = "x-capscope"  # a page of another site cannot send this header without a preflight request

# Inline scripts are allowed for Gradio's pages, and evaluation for the templates of its HTML component.
_CONTENT_SECURITY_POLICY = (
    "default-src 'self'; script-src 'self' 'unsafe-inline' 'unsafe-eval'; style-src 'self' 'unsafe-inline'; "
    "img-src 'self' data: blob:; font-src 'self' data:; connect-src 'self'; object-src 'none'; "
    "frame-ancestors 'none'; base-uri 'self'; form-action 'self'"
)
_HEADERS = {
    "content-security-policy": _CONTENT_SECURITY_POLICY,
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "same-origin",  # "no-referrer" would hide the origin of forms, for example of the sign-out form
    "cross-origin-opener-policy": "same-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=()",
}


SIGNED_IN = "capscope.signed_in"  # key in the ASGI scope; value: name and role of the sender's account
HEALTH = "/healthz"  # path that monitoring on this machine requests directly, not through the proxy
# A host name or an address (IPv6 in brackets), with an optional port. Nothing else may match.
_HOST_HEADER = re.compile(r"(?:([a-z0-9._-]+)|\[([0-9a-f:.]+)\])(?::[0-9]{1,5})?")
_OURS = ("/api/", "/gradio_api/")
_OTHERS = ("cross-site", "same-site")  # values of Sec-Fetch-Site for requests from other sites


class Guard:
    """ASGI middleware that protects the server from other sites.

    It refuses requests to unknown host names, and requests of other sites that read or change data. It adds security
    headers to responses. hosts: names of this machine, on any port. public_url: the only accepted host behind a proxy,
    instead of `hosts`.
    """

    def __init__(self, app: ASGIApp, hosts: Iterable[str], public_url: PublicUrl | None = None) -> None:
        self._app, self._url = app, public_url
        self._hosts = frozenset(hosts)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in _HEADERS.items():
                    headers.setdefault(name, value)  # a header that the page has set, which may be stricter, stays
                if keeping := _keeping(scope["path"], headers):
                    headers.setdefault("cache-control", keeping)
            await send(message)

        refusal = self._refusal(scope)
        target: ASGIApp = refused(refusal[1], refusal[0]) if refusal else self._app
        await target(scope, receive, send_with_headers)

    def _refusal(self, scope: Scope) -> tuple[int, Refusal] | None:
        headers, path = Headers(scope=scope), scope["path"]
        host = headers.get("host", "").lower()
        if not self._is_ours(host, path):
            return 400, Refusal("foreign", "This address does not belong to Capscope.")
        if path.startswith(_OURS) and _is_of_another_site(headers):
            return 403, Refusal("foreign", "Only Capscope's own pages may request this.")
        if scope["method"] not in ("GET", "HEAD"):
            origin = headers.get("origin")
            unmarked = path.startswith(_OURS) and WRITE_HEADER not in headers
            # elsewhere: the request has no origin, but the browser says that it comes from another site
            elsewhere = origin is None and headers.get("sec-fetch-site") in _OTHERS
            if unmarked or elsewhere or origin not in (None, self._origin(host)):
                return 403, Refusal("foreign", "Only Capscope's own pages may change data.")
        return None

    def _origin(self, host: str) -> str:
        return f"http://{host}" if self._url is None else self._url.origin

    def _is_ours(self, host: str, path: str) -> bool:
        if self._url is not None and (host == self._url.host or path != HEALTH):
            return host == self._url.host
        parts = _HOST_HEADER.fullmatch(host)
        return parts is not None and (parts[1] or parts[2]) in self._hosts


def _keeping(path: str, headers: MutableHeaders) -> str | None:
    """Return the default Cache-Control value of a response, or None.

    JSON and pages may contain personal data. So the value prevents proxies from storing them, and browsers from showing
    them after sign-out. None: for other files, HTTP's own rules apply.
    """
    if path.startswith("/api/") or headers.get("content-type", "").startswith("application/json"):
        return "no-store"
    return "private, no-cache" if headers.get("content-type", "").startswith("text/html") else None


def _is_of_another_site(headers: Headers) -> bool:
    """Return whether a page of another site requests data or pictures.

    The result is False if a user follows a link on another site, because that is allowed.
    """
    followed = headers.get("sec-fetch-mode") == "navigate" and headers.get("sec-fetch-dest") == "document"
    return headers.get("sec-fetch-site") in _OTHERS and not followed
