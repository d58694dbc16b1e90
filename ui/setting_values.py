"""Read the values of single settings: numbers, folders, addresses and networks."""

import re
from dataclasses import dataclass
from ipaddress import IPv4Network, IPv6Network, ip_network
from typing import Literal
from urllib.parse import urlsplit

from core.errors import BadSetting
from core.network import LOOPBACK_HOSTS

_POSTGRESQL = ("postgresql+psycopg", "postgresql")  # schemes of addresses; PostgreSQL's own programs use the second
_OWN_PORTS = {"http": 80, "https": 443}
_HOST = re.compile(r"[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?|\[[0-9a-f:.]+\]")
_PATH = re.compile(r"(?:/[A-Za-z0-9_~-][A-Za-z0-9._~-]*)*")  # matches a path in which no part begins with "."


@dataclass(frozen=True, slots=True)
class PublicUrl:
    """The public address of a server behind a proxy: http(s)://host[:port][/path]."""

    scheme: Literal["http", "https"]
    host: str  # as in browsers' Host header: lower case, port only if not the default, IPv6 in brackets
    path: str = ""  # path prefix of all pages: "" or "/capscope", never with "/" at its end

    @property
    def origin(self) -> str:
        """Return the address without its path, as in browsers' Origin header."""
        return f"{self.scheme}://{self.host}"

    @property
    def is_https(self) -> bool:
        """Return whether the connection is encrypted."""
        return self.scheme == "https"

    @property
    def is_loopback(self) -> bool:
        """Return whether the address is only reachable from this machine."""
        return self.host.startswith("[::1]") or self.host.partition(":")[0] in LOOPBACK_HOSTS

    def __str__(self) -> str:
        return self.origin + self.path


def port_number(text: str, variable: str) -> int:
    """Return the number of a port. Raises BadSetting."""
    if not text.isascii() or not text.isdigit() or not 0 < int(text) < 65_536:
        raise BadSetting(f"{variable} must be a port from 1 to 65535, found {text!r}.")
    return int(text)


def count(text: str, variable: str) -> int:
    """Return a whole number from 1 to 1,000,000. Raises BadSetting."""
    if not text.isascii() or not text.isdigit() or not 0 < int(text) <= 1_000_000:
        raise BadSetting(f"{variable} must be a whole number from 1 to 1000000, found {text!r}.")
    return int(text)


def yes_or_no(text: str, variable: str) -> bool:
    """Return True for 1 and False for 0. Raises BadSetting."""
    if text not in ("0", "1"):
        raise BadSetting(f"{variable} must be 1 or 0, found {text!r}.")
    return text == "1"


def public_address(text: str, variable: str) -> PublicUrl:
    """Return the public address of a server behind a proxy. Raises BadSetting."""
    problem = BadSetting(f"{variable} must be an address such as https://example.org/capscope, found {text!r}.")
    try:
        parts = urlsplit(text)
        port = parts.port
    except ValueError as error:
        raise problem from error
    scheme, path = parts.scheme, parts.path.rstrip("/")
    name = (parts.netloc.rpartition(":")[0] if port is not None else parts.netloc).lower()
    # False if the address has a query, a fragment or other extra characters
    is_whole = text.lower() == f"{scheme}://{parts.netloc}{parts.path}".lower()
    if scheme not in _OWN_PORTS or not is_whole or not _HOST.fullmatch(name) or not _PATH.fullmatch(path):
        raise problem
    host = name if port in (None, _OWN_PORTS[scheme]) else f"{name}:{port}"
    return PublicUrl("https" if scheme == "https" else "http", host, path)


def database_url(text: str, name: str) -> str:
    """Return the address of a PostgreSQL database for SQLAlchemy.

    Raises BadSetting. The message omits everything that may be a password.
    """
    try:
        parts = urlsplit(text)
        sound = parts.scheme in _POSTGRESQL and len(parts.path) > 1 and "/" not in parts.path[1:] and parts.port != 0
    except ValueError:
        sound = False
    if not sound:
        raise BadSetting(f"{name} must be an address such as postgresql+psycopg://user:password@host/database.")
    return f"{_POSTGRESQL[0]}://{text.partition('://')[2]}"


def endpoint_url(text: str, name: str) -> str:
    """Return the address of a model server's API, with /v1 if it has no path. Raises BadSetting."""
    address = _web_address(text, name, "http://gpu:8000/v1")
    return address + ("" if urlsplit(address).path.strip("/") else "/v1")


def mirror_url(text: str, name: str) -> str:
    """Return the address of a mirror of published data. Raises BadSetting."""
    return _web_address(text, name, "https://mirror.example/raw")


def _web_address(text: str, name: str, example: str) -> str:
    """Return an address without "/" at its end. Raises BadSetting unless it is a plain http or https address."""
    try:
        parts = urlsplit(text)
        sound = parts.scheme in _OWN_PORTS and parts.hostname and not parts.query and not parts.fragment
        sound = sound and parts.port != 0 and text.isprintable() and " " not in text
    except ValueError:
        sound = False
    if not sound or "@" in text:
        raise BadSetting(f"{name} must be an address such as {example}, found {text!r}.")
    return text.rstrip("/")


def networks(text: str, variable: str) -> tuple[IPv4Network | IPv6Network, ...]:
    """Return addresses and networks, separated by commas. Raises BadSetting."""
    try:
        return tuple(ip_network(part.strip()) for part in text.split(",") if part.strip())
    except ValueError as error:
        wanted = "addresses or networks, separated by commas, such as 127.0.0.1, 10.0.0.0/8"
        raise BadSetting(f"{variable} must be {wanted}, found {text!r} ({error}).") from error
