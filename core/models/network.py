"""Read how other machines are reached: certificates of one's own, and a proxy. Pages cannot set either."""

import ssl
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from core.errors import BadSetting
from core.models import Network

if TYPE_CHECKING:
    import httpx2

NO_PASS = "the proxy wants another user or password: see CAPSCOPE_PROXY"
UNTRUSTED = "CERTIFICATE_VERIFY_FAILED"  # in what OpenSSL says of a certificate that nobody known has signed


def ca_file(text: str, name: str) -> Path:
    """Return the file of certificates that a setting names. Raises BadSetting where it holds none."""
    path = Path(text)
    try:
        ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT).load_verify_locations(cafile=path)
    except OSError as error:  # an SSLError is one, too
        said = "no certificate in PEM form" if isinstance(error, ssl.SSLError) else error.strerror
        raise BadSetting(f"{name}: cannot read certificates from {path} ({said}).") from error
    return path


def host_names(text: str, name: str) -> tuple[str, ...]:
    """Return the hosts that a setting names, with commas between. Raises BadSetting."""
    hosts = tuple(host.strip().lower().removeprefix(".") for host in text.split(",") if host.strip())
    if any(sign in host for host in hosts for sign in "/*: "):
        raise BadSetting(f"{name} must be names of hosts with commas between, without ports and stars, found {text!r}.")
    return hosts


def proxy_url(text: str, name: str) -> str:
    """Return a proxy's address. Raises BadSetting, without the address: it may hold a password."""
    try:
        parts = urlsplit(text)
        sound = parts.scheme in ("http", "https") and parts.hostname and parts.path in ("", "/") and parts.port != 0
        sound = sound and text.isascii() and text.isprintable() and not (parts.query or parts.fragment or " " in text)
    except ValueError:
        sound = False
    if not sound:
        raise BadSetting(f"{name} must be an address such as http://proxy.example:3128; yours is not shown here.")
    return text.rstrip("/")


def tls_context(network: Network) -> ssl.SSLContext:
    """Return what checks the certificates of servers: the usual authorities, and those of the network's file."""
    import httpx2  # loads here, and no earlier

    context = httpx2.create_ssl_context(trust_env=False)
    if network.ca_file is not None:
        context.load_verify_locations(cafile=network.ca_file)
    return context


def proxy_for(network: Network, url: str, context: ssl.SSLContext) -> "httpx2.Proxy | None":
    """Return the proxy through which an address is asked, None for one that is asked directly."""
    import httpx2

    proxy = network.proxy_for(urlsplit(url).hostname or "")
    if proxy is None:
        return None
    return httpx2.Proxy(proxy, ssl_context=context if proxy.startswith("https:") else None)


def final_problem(error: BaseException) -> str | None:
    """Return why a connection will fail each time: an unknown certificate, a proxy that wants a password."""
    said: list[str] = []
    found: BaseException | None = error
    while found is not None and len(said) < 10:
        said.append(str(found))
        found = found.__cause__ or found.__context__
    untrusted = next((text for text in reversed(said) if UNTRUSTED in text), None)
    if untrusted is not None:
        words = untrusted.partition(f"{UNTRUSTED}] ")[2].partition(" (_ssl.c")[0] or "certificate verify failed"
        return f"{words}. If the server's certificate is your own authority's, set CAPSCOPE_CA_FILE to its PEM file"
    if said[0].startswith("407"):
        return NO_PASS
    return None
