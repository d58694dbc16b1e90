"""Support a server behind a proxy: its public path, and which headers to trust.

The proxy may keep the public path in requests (/capscope/rate) or remove it (/rate).
"""

import re
from collections.abc import Sequence
from ipaddress import IPv4Network, IPv6Network, ip_address
from typing import Any
from urllib.parse import urlsplit

from starlette.datastructures import MutableHeaders
from starlette.responses import RedirectResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from core.network import LOOPBACK_HOSTS
from ui.setting_values import PublicUrl

# Headers in which proxies describe the browser's request. uvicorn has already read X-Forwarded-For and -Proto of
# trusted proxies. All of these headers are removed, because Gradio would trust them from any client.
_SAID_BY_PROXIES = re.compile(rb"forwarded|x-gradio-server|x-real-ip|x-forwarded-.*")
# Paths of Capscope's scripts (static_files.py). Their beginning, /capscope, is never removed, even if it is also the
# server's public path.
_SCRIPTS = re.compile(r"/capscope/[0-9a-f]{12}/")


USER = "capscope.user"  # key in the ASGI scope; value: name of the account that a trusted proxy has signed in


class NamedByProxy:
    """ASGI middleware: reads the header in which a trusted proxy names an account, and removes it from all requests."""

    def __init__(
        self, app: ASGIApp, header: str | None = None, proxies: Sequence[IPv4Network | IPv6Network] = ()
    ) -> None:
        self._app, self._proxies = app, proxies
        self._header = None if header is None else header.lower().encode("latin-1")

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one request."""
        if self._header is not None and scope["type"] == "http":
            named = [value.decode("latin-1") for name, value in scope["headers"] if name == self._header]
            others = [header for header in scope["headers"] if header[0] != self._header]
            scope = {**scope, "headers": others}
            if len(named) == 1 and self._is_trusted(scope):
                scope[USER] = named[0]
        await self._app(scope, receive, send)

    def _is_trusted(self, scope: Scope) -> bool:
        try:
            address = ip_address((scope.get("client") or ("",))[0])
        except ValueError:
            return False
        return any(address in network for network in self._proxies)


class BehindProxy:
    """ASGI middleware: removes the server's public path from requests and adds it to redirects."""

    def __init__(self, app: ASGIApp, public_url: PublicUrl | None = None) -> None:
        self._app, self._url = app, public_url
        self._root = "" if public_url is None else public_url.path

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one request."""
        if scope["type"] != "http":
            return await self._app(scope, receive, send)
        path: str = scope["path"]
        if self._root and path == self._root:
            return await RedirectResponse(f"{self._root}/")(scope, receive, send)
        scope = {
            **scope,
            "client": self._client(scope),
            "headers": [header for header in scope["headers"] if not _SAID_BY_PROXIES.fullmatch(header[0])],
        }
        if self._root and path.startswith(f"{self._root}/") and not _SCRIPTS.match(path):
            scope |= {"path": path.removeprefix(self._root), "raw_path": _without(scope.get("raw_path"), self._root)}

        async def send_led(message: Message) -> None:
            if message["type"] == "http.response.start" and self._url is not None:
                headers = MutableHeaders(scope=message)
                if "location" in headers:
                    headers["location"] = self._led(headers["location"])
            await send(message)

        await self._app(scope, receive, send_led)

    def _client(self, scope: Scope) -> Any:
        """Return the client's address and port, as uvicorn read them from the header of a trusted proxy.

        None: a proxy on this machine names nobody, so all clients seem to have its address. Limits of wrong passwords
        by address would then let one stranger lock out everybody.
        """
        client = scope.get("client")
        is_proxy = self._url is not None and not self._url.is_loopback and client and client[0] in LOOPBACK_HOSTS
        return None if is_proxy else client

    def _led(self, location: str) -> str:
        """Return the address of a redirect as the browser must request it.

        An address of another site stays unchanged. An address on this server becomes a path without a host. The
        server's public path is added to its beginning.
        """
        assert self._url is not None
        parts = urlsplit(location)
        if parts.netloc not in ("", self._url.host) or not parts.path.startswith("/"):
            return location
        is_below = parts.path == self._root or parts.path.startswith(f"{self._root}/")
        path = parts.path if is_below else self._root + parts.path
        return parts._replace(scheme="", netloc="", path=path).geturl()


def _without(raw_path: bytes | None, root: str) -> bytes | None:
    return None if raw_path is None else raw_path.removeprefix(root.encode("ascii"))
