"""Download files. A file gets its name only after its content was checked.

Servers are not trusted: the size of a file is limited, redirects are not followed, compressed responses are not
decompressed, and the content must have the known checksums.
"""

import hashlib
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from core.errors import FetchFailed, Unreachable
from core.files import written_whole
from core.network import NO_PASS, Downloads, final_problem, is_remote

if TYPE_CHECKING:
    import httpx2  # imported late elsewhere, because it is slow

OnBytes = Callable[[int, int], None]  # takes (bytes received, total bytes or 0: unknown); raises to cancel
ROOM = 500_000_000  # bytes of the disk that must stay free for raters' answers
MOST_BYTES = 500_000_000  # usual maximum bytes of a file whose size is unknown
_BLOCK = 1 << 20  # bytes


@dataclass(frozen=True, slots=True)
class PublishedFile:
    """A file to download, and what is known about its content. It is used only if its size and checksums match."""

    path: str  # path in its repository or folder
    blob: str | None = None  # Git's id: SHA-1 of "blob <bytes>", a NUL and the content
    sha256: str | None = None
    size: int | None = None  # bytes; None: unknown
    most: int = MOST_BYTES  # maximum bytes if the size is unknown

    @property
    def name(self) -> str:
        """Return the file's name, from which the import takes names of data sets, categories and metrics."""
        return PurePosixPath(self.path).name

    def flaw(self, path: Path) -> str | None:
        """Return how a file differs from the published file; None if it does not differ. Raises OSError."""
        size = path.stat().st_size
        if self.size is not None and size != self.size:
            return f"it has {size:,} bytes instead of {self.size:,}"
        git, sha256 = hashlib.sha1(b"blob %d\0" % size, usedforsecurity=False), hashlib.sha256()
        with path.open("rb") as file:
            while block := file.read(_BLOCK):
                git.update(block)
                sha256.update(block)
        for name, known, found in (("Git", self.blob, git.hexdigest()), ("SHA-256", self.sha256, sha256.hexdigest())):
            if known is not None and found != known:
                return f"its {name} checksum is {found[:12]}… instead of {known[:12]}…"
        return None


def client_for(downloads: Downloads, address: str, follows_redirects: bool = False) -> "httpx2.Client":
    """Return an HTTP client for the server of an address. The caller closes the client.

    follows_redirects: only for addresses that Capscope itself names.
    """
    import httpx2

    return httpx2.Client(
        verify=httpx2.create_ssl_context(),
        trust_env=is_remote(address),
        timeout=downloads.timeout_s,
        follow_redirects=follows_redirects,
    )


def download(
    client: "httpx2.Client", address: str, target: Path, file: PublishedFile, on_bytes: OnBytes = lambda *_: None
) -> None:
    """Download a file, check its content, and store it. Raises FetchFailed with the reason.

    on_bytes is called with the number of received bytes and the total, and may raise an error to cancel.
    """
    import httpx2

    host = urlsplit(address).netloc
    try:
        target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        free = shutil.disk_usage(target.parent).free
        if free < (file.size or file.most) + ROOM:
            left = f"{free / 1e6:,.0f} MB are free, and Capscope reserves {ROOM / 1e6:.0f} MB for raters' answers"
            raise FetchFailed(f"The disk is full; free some space ({left}).")
        with written_whole(target) as unfinished:
            with client.stream("GET", address, headers={"Accept-Encoding": "identity"}) as answer:
                _check(answer, address)
                _receive(answer, address, unfinished, file, on_bytes)
            flaw = file.flaw(unfinished)
            if flaw is not None:
                raise FetchFailed(f"{address} is not the published file: {flaw}. The download was discarded.")
    except httpx2.TimeoutException as error:
        raise Unreachable(f"{host} sent nothing for {client.timeout.read:g} s.") from error
    except httpx2.TransportError as error:
        reason = final_problem(error) or " ".join(str(error).split())[:200]
        raise Unreachable(f"{host} cannot be reached ({reason}).") from error
    except OSError as error:
        raise FetchFailed(f"{target} cannot be written ({error.strerror}).") from error


def _receive(answer: "httpx2.Response", address: str, path: Path, file: PublishedFile, on_bytes: OnBytes) -> None:
    """Write a response to a file. Raises FetchFailed if it has more bytes than allowed."""
    most, announced = file.most if file.size is None else file.size, answer.headers.get("content-length", "")
    total = file.size or (int(announced) if announced.isascii() and announced.isdigit() else 0)
    with path.open("wb") as written:
        for chunk in answer.iter_raw():
            if written.tell() + len(chunk) > most:
                raise FetchFailed(f"{address} is not the published file: it has more than {most:,} bytes.")
            written.write(chunk)
            on_bytes(written.tell(), total)


def _check(answer: "httpx2.Response", address: str) -> None:
    host, status = urlsplit(address).netloc, answer.status_code
    if answer.is_redirect:
        to = answer.headers.get("location", "")[:200]
        raise FetchFailed(f"{host} redirects to {to!r}. Capscope does not follow redirects.")
    if status == 407:
        raise Unreachable(f"{host} was not reached, because {NO_PASS}.")
    if status != 200:
        raise FetchFailed(f"{host} refuses {address} ({status}).")
