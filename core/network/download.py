"""Download files. An interrupted download continues later.

A file gets its final name only after its content was checked. Servers are not trusted. The size of a file is limited,
and redirects are not followed. Compressed responses are not decompressed, and the content must have the known
checksums.
"""

import errno
import fcntl
import re
import shutil
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import IO
from urllib.parse import urlsplit

import httpx2

from core.errors import AbsentFile, FetchFailed, Unreachable
from core.network import LOOPBACK_HOSTS, Downloads
from core.network.content import Content
from core.network.reach import NO_PASS, final_problem, proxy_for, tls_context

OnBytes = Callable[[int, int], None]  # takes (bytes received, total bytes or 0: unknown); raises to cancel
TRIES = 5  # maximum number of connections for one file; a connection that brings no bytes ends the download
ROOM = 500_000_000  # bytes of the disk that must stay free for raters' answers
_NO_ROOM = (errno.ENOSPC, errno.EDQUOT)
_RANGE = re.compile(r"bytes (\d+)-\d+/(\d+)")
DISK_FULL = "the disk is full; free some space"


def client_for(downloads: Downloads, address: str) -> httpx2.Client:
    """Return an HTTP client for the server of an address. The caller closes the client.

    The proxy comes from the settings. If the settings name none, it comes from the environment variables. Connections
    to this computer use no proxy.
    """
    network, host = downloads.network, urlsplit(address).hostname or ""
    context = tls_context(network)
    proxy = proxy_for(network, address, context)
    by_environment = network.proxy is None and host not in LOOPBACK_HOSTS
    return httpx2.Client(verify=context, proxy=proxy, trust_env=by_environment, timeout=downloads.timeout_s)


def download(client: httpx2.Client, address: str, target: Path, content: Content, on_bytes: OnBytes) -> None:
    """Download a file, or continue an interrupted download of it.

    The part of the file that was received before an interruption stays on disk. `target` is written only after the
    content was checked. on_bytes is called with the number of received bytes and the total, and may raise an error to
    cancel. Raises FetchFailed with the reason.
    """
    part = target.with_name(f".{target.name}.part")
    try:
        target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with part.open("ab") as file:
            _lock(file)
            flaw = _filled(client, address, file, part, content, on_bytes)
        if flaw is not None:
            part.unlink()
            raise FetchFailed(f"{address} is not the published file: {flaw}. The download was discarded.")
        part.replace(target)
    except OSError as error:
        reason = DISK_FULL if error.errno in _NO_ROOM else f"cannot write {target} ({error.strerror})"
        raise FetchFailed(f"{target.name} cannot be stored: {reason}.") from error


def download_first(
    client: httpx2.Client, addresses: Sequence[str], target: Path, content: Content, before_each: Callable[[], object]
) -> None:
    """Download a file from the first address that has it. Raises FetchFailed.

    before_each is called before each request, e.g. to wait.
    """
    for place, address in enumerate(addresses, start=1):
        before_each()
        try:
            return download(client, address, target, content, _ignore)
        except AbsentFile:
            if place == len(addresses):
                raise


def _ignore(received: int, total: int) -> None:
    """Do nothing. Used when nobody wants to know the progress."""


def _lock(file: IO[bytes]) -> None:
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as error:
        raise FetchFailed(
            "Another Capscope process is downloading this file. Wait until that download has ended."
        ) from error


def _filled(
    client: httpx2.Client, address: str, file: IO[bytes], part: Path, content: Content, on_bytes: OnBytes
) -> str | None:
    """Download the missing rest of a file. Return why its content is wrong, or None.

    If the content is wrong after an earlier download was continued, the earlier bytes may be the cause. So the whole
    file is downloaded again.
    """
    if file.tell() and content.blob is not None and content.flaw(part) is None:
        return None  # complete: an earlier call was interrupted after it had received the whole file
    while True:
        was_begun = file.tell() > 0
        _receive_patiently(client, address, file, content, on_bytes)
        flaw = content.flaw(part)
        if flaw is None or not was_begun:
            return flaw
        _empty(file)


def _receive_patiently(
    client: httpx2.Client, address: str, file: IO[bytes], content: Content, on_bytes: OnBytes
) -> None:
    """Receive a file, and continue after interruptions. Raises FetchFailed."""
    host = urlsplit(address).netloc
    for tries_left in reversed(range(TRIES)):
        before = file.tell()
        try:
            return _receive(client, address, file, content, on_bytes)
        except httpx2.TimeoutException as error:
            silence = client.timeout.read
            raise Unreachable(f"{host} sent nothing for {silence:g} s. The received bytes are kept.") from error
        except (httpx2.ReadError, httpx2.RemoteProtocolError) as error:
            file.flush()
            if not tries_left or file.tell() <= before:
                words = (
                    f"{host} closed the connection after {file.tell():,} bytes. These bytes are kept, and the next "
                    "try continues there."
                )
                raise FetchFailed(words) from error
        except httpx2.TransportError as error:
            reason = final_problem(error) or " ".join(str(error).split())[:200]
            raise Unreachable(f"{host} cannot be reached ({reason}).") from error


def _receive(client: httpx2.Client, address: str, file: IO[bytes], content: Content, on_bytes: OnBytes) -> None:
    """Receive the rest of a file with one request. Raises FetchFailed, TransportError, OSError."""
    begun = file.tell()
    headers = {"Accept-Encoding": "identity"} | ({"Range": f"bytes={begun}-"} if begun else {})
    with client.stream("GET", address, headers=headers) as answer:
        place = _RANGE.fullmatch(answer.headers.get("content-range", ""))
        continues = answer.status_code == 206 and place is not None and int(place[1]) == begun
        if begun and not continues:
            _empty(file)
            if answer.status_code in (206, 416):  # a wrong part of the file, or no part: request the whole file
                return _receive(client, address, file, content, on_bytes)
        if not continues:
            _check(answer, address)
        announced = place[2] if continues and place else answer.headers.get("content-length", "")
        total = int(announced) if announced.isascii() and announced.isdigit() else 0
        _check_size(address, total, content, file)
        for chunk in answer.iter_raw():
            if file.tell() + len(chunk) > content.limit:
                _empty(file)
                raise FetchFailed(
                    f"{address} is not the published file, because the server sent more bytes than the published "
                    "file has."
                )
            file.write(chunk)
            on_bytes(file.tell(), total or content.size or 0)
    file.flush()


def _check(answer: httpx2.Response, address: str) -> None:
    """Raise FetchFailed if the response does not contain the file."""
    host, status = urlsplit(address).netloc, answer.status_code
    if answer.is_redirect:
        to = answer.headers.get("location", "")[:200]
        raise FetchFailed(f"{host} redirects to {to!r}. Capscope does not follow redirects.")
    if status == 407:
        raise Unreachable(f"{host} was not reached, because {NO_PASS}.")
    if status == 404:
        raise AbsentFile(f"{host} has no file at {address} (404).")
    if status != 200:
        raise FetchFailed(f"{host} refuses {address} ({status}).")


def _check_size(address: str, total: int, content: Content, file: IO[bytes]) -> None:
    """Raise FetchFailed if the announced size is wrong or larger than the free disk space.

    total: bytes; 0: unknown.
    """
    problem = content.wrong_size(total) if total else None
    if problem is not None:
        _empty(file)
        raise FetchFailed(f"{address} is not the published file: {problem}. The download was discarded.")
    needed = (total or content.size or 0) - file.tell()
    free = shutil.disk_usage(Path(file.name).parent).free
    if free < needed + ROOM:
        left = f"{free / 1e6:,.0f} MB are free, and Capscope reserves {ROOM / 1e6:.0f} MB for raters' answers"
        raise FetchFailed(f"{DISK_FULL[0].upper()}{DISK_FULL[1:]} ({left}).")


def _empty(file: IO[bytes]) -> None:
    file.seek(0)
    file.truncate()
