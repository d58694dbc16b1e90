"""Find each client's address, to limit wrong sign-ins and new raters per address. Warn about unknown proxies.

uvicorn has already read the header X-Forwarded-For of trusted proxies. With a proxy that the settings do not name, all
clients seem to have the proxy's address.
"""

import logging
from ipaddress import ip_address

from starlette.datastructures import Headers
from starlette.types import Scope

from ui.services.accounts.attempt_counter import neighbourhood
from ui.setting_values import PublicUrl
from ui.web.access.security import HEALTH

COUNTED_BY = "capscope.counted_by"  # ASGI scope key; value: address of the client, None if clients cannot be told apart
MOST_PROXIES = 20  # maximum number of proxies about which the log warns, once each
_UNTRUSTED = (
    "Requests from {proxy} have the header X-Forwarded-For, but CAPSCOPE_TRUSTED_PROXIES does not contain {proxy}. "
    "If {proxy} is your proxy, add it and start Capscope again. Until then, Capscope may treat everybody behind "
    "{proxy} as one person when it limits wrong sign-ins and new raters."
)
_SILENT = (
    "Requests come from this computer itself without the header X-Forwarded-For. Configure your proxy to set this "
    "header; see “Put Capscope on the internet” in the documentation. Until then, Capscope cannot distinguish "
    "people, so it does not limit wrong sign-ins and new raters by address."
)


class Senders:
    """Finds the clients' addresses, and collects warnings if clients cannot be distinguished."""

    def __init__(self, public_url: PublicUrl | None = None) -> None:
        self._url = public_url
        self._warnings: dict[str, None] = {}

    @property
    def warnings(self) -> tuple[str, ...]:
        """Return warnings about settings that an admin must change, found since the start."""
        return tuple(self._warnings)

    def counted_by(self, scope: Scope) -> str | None:
        """Return the client's address, to limit wrong sign-ins and new raters.

        They are limited per address. None: many clients share an address and cannot be distinguished. A proxy that the
        settings do not name may state the client's address in a header. This address is returned if the proxy is on
        this machine or in a private network. It is ignored from any other sender, which could invent a new address for
        each request. The address is used only for these limits.
        """
        if scope.get("client") is None:
            return None
        client: str = scope["client"][0]
        addresses = [
            part.strip() for part in Headers(scope=scope).get("x-forwarded-for", "").split(",") if part.strip()
        ]
        if self._url is None or client in addresses:
            return neighbourhood(client)
        if addresses:
            self._warn(_UNTRUSTED.format(proxy=client))
            is_near = _is_address(client) and ip_address(client).is_private
            return neighbourhood(addresses[-1]) if is_near and _is_address(addresses[-1]) else neighbourhood(client)
        if _is_address(client) and ip_address(client).is_loopback and not self._url.is_loopback:
            if scope["path"] != HEALTH:
                self._warn(_SILENT)
            return None
        return neighbourhood(client)

    def _warn(self, words: str) -> None:
        if words not in self._warnings and len(self._warnings) < MOST_PROXIES:
            self._warnings[words] = None
            logging.getLogger("capscope").warning(words)


def _is_address(text: str) -> bool:
    try:
        ip_address(text)
    except ValueError:
        return False
    return True
