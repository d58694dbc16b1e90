"""Network access of Capscope: settings, proxies, certificates, and downloads of files."""

from dataclasses import dataclass, field
from pathlib import Path

LOOPBACK_HOSTS = ("127.0.0.1", "localhost", "::1")


@dataclass(frozen=True, slots=True)
class Network:
    """Settings for the access to the network.

    They are set once when Capscope starts. Web pages cannot change them.
    """

    ca_file: Path | None = None  # PEM file of certificates to trust in addition to the system's
    proxy: str | None = field(default=None, repr=False)  # http://[user:password@]host:port; never printed or stored
    no_proxy: tuple[str, ...] = ()  # hosts and domains that are reached without the proxy; this computer always is

    def proxy_for(self, host: str) -> str | None:
        """Return the proxy for a host, or None for a direct connection."""
        named = host.lower().strip("[]")
        direct = any(named == one or named.endswith(f".{one}") for one in self.no_proxy)
        return None if direct or named in LOOPBACK_HOSTS else self.proxy


@dataclass(frozen=True, slots=True)
class Downloads:
    """Settings for downloads of published data.

    They are set once when Capscope starts. Web pages cannot change them.
    """

    network: Network = Network()
    mirror: str | None = None  # address that replaces https://raw.githubusercontent.com; None: no mirror
    timeout_s: float = 30  # longest time in s for which a server may send nothing
