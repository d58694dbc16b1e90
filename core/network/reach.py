"""Read the network settings: extra certificates and a proxy. Web pages cannot change these settings."""

import re
import ssl
from pathlib import Path
from traceback import format_exception
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from core.errors import BadSetting
from core.network import Network

if TYPE_CHECKING:
    import httpx2

NO_PASS = "the proxy rejected the user or password; check CAPSCOPE_PROXY"
UNTRUSTED = "CERTIFICATE_VERIFY_FAILED"  # OpenSSL's code for a certificate of an unknown authority


def ca_file(text: str, name: str) -> Path:
    """Return the certificate file that a setting names.

    text: the setting's value. name: its name, for messages. Raises BadSetting for a file without certificates.
    """
    path = Path(text)
    try:
        ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT).load_verify_locations(cafile=path)
    except OSError as error:  # includes SSLError
        reason = "it contains no certificate in PEM format" if isinstance(error, ssl.SSLError) else error.strerror
        raise BadSetting(f"{name}: cannot read certificates from {path} ({reason}).") from error
    return path


def host_names(text: str, name: str) -> tuple[str, ...]:
    """Return the host names in a setting, in which commas separate them. Raises BadSetting."""
    hosts = tuple(host.strip().lower().removeprefix(".") for host in text.split(",") if host.strip())
    if any(sign in host for host in hosts for sign in "/*: "):
        raise BadSetting(f"{name} must be host names separated by commas, without ports and wildcards, found {text!r}.")
    return hosts


def proxy_url(text: str, name: str) -> str:
    """Return the proxy's address in a setting. Raises BadSetting.

    The error message does not contain the address, because it may include a password.
    """
    try:
        parts = urlsplit(text)
        sound = parts.scheme in ("http", "https") and parts.hostname and parts.path in ("", "/") and parts.port != 0
        sound = sound and text.isascii() and text.isprintable() and not (parts.query or parts.fragment or " " in text)
    except ValueError:
        sound = False
    if not sound:
        raise BadSetting(
            f"{name} must be an address such as http://proxy.example:3128. Your value is not shown here because it "
            "may contain a password."
        )
    return text.rstrip("/")


def connection(network: Network, url: str) -> "tuple[ssl.SSLContext, httpx2.Proxy | None]":
    """Return the TLS context for a server, and the proxy or None for a direct connection.

    The context trusts the usual certificate authorities, and those in the certificate file of the network settings.
    """
    import httpx2  # imported late, because it is slow

    context = httpx2.create_ssl_context(trust_env=False)
    if network.ca_file is not None:
        context.load_verify_locations(cafile=network.ca_file)
    proxy = network.proxy_for(urlsplit(url).hostname or "")
    if proxy is None:
        return context, None
    return context, httpx2.Proxy(proxy, ssl_context=context if proxy.startswith("https:") else None)


def final_problem(error: BaseException) -> str | None:
    """Return why a retry after this error would also fail; None if a retry may succeed.

    Reasons are an unknown certificate, or a proxy that rejects the password.
    """
    if str(error).startswith("407"):
        return NO_PASS
    found = re.search(rf"{UNTRUSTED}\] (.*?) \(_ssl", "".join(format_exception(error)))
    if found is None:
        return None
    return (
        f"{found[1]}. If your own authority signed the server's certificate, set CAPSCOPE_CA_FILE to the authority's "
        "PEM file"
    )
