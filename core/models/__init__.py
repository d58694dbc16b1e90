"""Neural models. Torch, transformers, ultralytics and spaCy are imported only in here, and only on loading.

This module itself imports none of them: it holds the values by which models are asked for.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from core.errors import BadSetting

TIMEOUT_S = 300.0  # for one answer of a server
LOOPBACK_HOSTS = ("127.0.0.1", "localhost", "::1")
OnChange = Literal["stop", "new-signature", "ignore"]  # what a run does when a server's model changes


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """Published weights that a metric stands on; what `models` lists."""

    purpose: str  # what the metric needs it for
    repo: str  # hub repository, or the file's name where there is no repository
    revision: str  # commit or version, pinned
    size_gb: float  # download size in gigabytes (1e9 bytes)
    licence: str
    address: str = ""  # where a file that is on no hub is downloaded; "" for unknown
    sha256: str | None = None  # of the file; None for unknown
    needed: Literal["always", "annotated", "found", "optional"] = "always"  # where regions are annotated, or found here


@dataclass(frozen=True, slots=True)
class Network:
    """How other machines are reached: set once where Capscope starts, never by a page."""

    ca_file: Path | None = None  # certificates to trust, PEM, besides the usual ones
    proxy: str | None = field(default=None, repr=False)  # http://[user:password@]host:port; never printed or stored
    no_proxy: tuple[str, ...] = ()  # hosts that are asked directly, and hosts that end so; this machine always is

    def proxy_for(self, host: str) -> str | None:
        """Return the proxy for a host, None for a host that is asked directly."""
        named = host.lower().strip("[]")
        direct = any(named == one or named.endswith(f".{one}") for one in self.no_proxy)
        return None if direct or named in LOOPBACK_HOSTS else self.proxy


@dataclass(frozen=True, slots=True)
class Endpoint:
    """A server elsewhere that runs a model and speaks OpenAI's chat protocol."""

    url: str  # of its API: "http://gpu:8000/v1"
    model: str | None = None  # as the server names it; None: the only one that fits
    key: str | None = field(default=None, repr=False)  # a bearer token; never printed, stored or signed
    parallel: int = 8  # requests that each address is sent at a time
    timeout_s: float = TIMEOUT_S  # for one answer; a later answer is given up
    network: Network = Network()
    others: tuple[str, ...] = ()  # further addresses that share the work and give the same scores
    rate: float | None = None  # requests a minute to each address; None: any number
    tokens_per_min: float | None = None  # to and from each address
    on_change: OnChange = "stop"  # ignore: fingerprints may change, and signatures say fingerprint:any

    @property
    def urls(self) -> tuple[str, ...]:
        """All addresses, each once."""
        return tuple(dict.fromkeys((self.url, *self.others)))

    def __post_init__(self) -> None:
        """Trim the key. Raises BadSetting for a key that no HTTP header can hold."""
        object.__setattr__(self, "key", sound_key(self.key, "A model server's key"))


def sound_key(key: str | None, name: str) -> str | None:
    """Return a key without white space around it, None for an empty key.

    name: of the setting. Raises BadSetting, without the key, for other than printable ASCII.
    """
    trimmed = (key or "").strip()
    if not trimmed.isascii() or not trimmed.isprintable() or " " in trimmed:
        raise BadSetting(
            f"{name} must be one line of letters, digits and signs, without spaces; found other characters. "
            "Copy the key again. It is not shown here."
        )
    return trimmed or None


@dataclass(frozen=True, slots=True)
class ModelSettings:
    """How a metric's models are to be loaded and run."""

    model: str | None = None  # hub repository or local folder; None: the metric's default
    adapter: str | None = None  # hub repository or local folder of a LoRA adapter
    endpoint: Endpoint | None = None  # asked instead of a model of this computer
    device: str = "auto"  # "auto", "cpu", "cuda", "cuda:1" ...
    batch_size: int = 8  # samples at a time
    explain: bool = False  # also ask for an explanation where that costs extra
    strict_reference: bool = False  # repeat what the published code did where it moves the number
    cache_dir: Path | None = None  # where image features are kept; None: nowhere
    options: Mapping[str, str] = field(default_factory=dict)  # the metric's own options, by name


def check_options(options: Mapping[str, str], known: Collection[str]) -> None:
    """Raise BadSetting for the first option that is none of the known ones."""
    for name in options:
        if name not in known:
            expected = f"an option of {', '.join(sorted(known))}" if known else "no options"
            raise BadSetting(f"expected {expected}, found {name!r}")
