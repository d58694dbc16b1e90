"""Network access of Capscope: settings of downloads, and errors that a retry does not help.

Proxies and certificates come from the environment variables that other programs use too: HTTP_PROXY, HTTPS_PROXY,
NO_PROXY and SSL_CERT_FILE.
"""

import re
from dataclasses import dataclass
from traceback import format_exception
from urllib.parse import urlsplit

LOOPBACK_HOSTS = ("127.0.0.1", "localhost", "::1")
NO_PASS = "the proxy rejected the user or password; check HTTP_PROXY and HTTPS_PROXY"
UNTRUSTED = "CERTIFICATE_VERIFY_FAILED"  # OpenSSL's code for a certificate of an unknown authority


@dataclass(frozen=True, slots=True)
class Downloads:
    """Settings for downloads of published data.

    They are set once when Capscope starts. Web pages cannot change them.
    """

    mirror: str | None = None  # address that replaces https://raw.githubusercontent.com; None: no mirror
    timeout_s: float = 30  # longest time in s for which a server may send nothing


def is_remote(url: str) -> bool:
    """Return whether a server is on another computer, so that the environment's proxy applies."""
    return urlsplit(url).hostname not in LOOPBACK_HOSTS


def final_problem(error: BaseException) -> str | None:
    """Return why a retry after this error would also fail; None if a retry may succeed.

    Reasons are an unknown certificate, or a proxy that rejects the password.
    """
    if str(error).startswith("407"):
        return NO_PASS
    found = re.search(rf"{UNTRUSTED}\] (.*?) \(_ssl", "".join(format_exception(error)))
    if found is None:
        return None
    return f"{found[1]}. If your own authority signed the server's certificate, set SSL_CERT_FILE to a PEM file with it"
