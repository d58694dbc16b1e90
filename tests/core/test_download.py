"""Downloads from servers that break off, lie, redirect, fall silent and are absent."""

import base64
import errno
import hashlib
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from core.errors import FetchFailed
from core.network import Downloads
from core.network import download as module
from core.network.download import PublishedFile, client_for, download
from tests.file_server import FileServer, serving_files
from tests.own_network import proxying

PATH = "/Yebin46/FLEUR/b9cd/annotations/file.json"
TEXT = b'{"a": "' + b"0123456789" * 20_000 + b'"}'
IMPATIENT = Downloads(timeout_s=0.2)


def content_of(text: bytes = TEXT, **more: Any) -> PublishedFile:
    blob = hashlib.sha1(b"blob %d\0" % len(text) + text).hexdigest()
    return PublishedFile(PATH, blob, hashlib.sha256(text).hexdigest(), **{"size": len(text)} | more)


@pytest.fixture
def server() -> Iterator[FileServer]:
    with serving_files({PATH: TEXT}) as held:
        yield held


def fetch(
    server: FileServer, target: Path, content: PublishedFile | None = None, downloads: Downloads = IMPATIENT
) -> list[tuple[int, int]]:
    """Fetch the file and return the progress that was told."""
    told: list[tuple[int, int]] = []
    address = server.url + PATH
    with client_for(downloads, address) as client:
        download(client, address, target, content or content_of(), lambda *now: told.append(now))
    return told


def parts(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_a_file_arrives_with_progress_in_bytes(server: FileServer, tmp_path: Path) -> None:
    told = fetch(server, tmp_path / "deep" / "file.json")
    assert (tmp_path / "deep" / "file.json").read_bytes() == TEXT
    assert told[-1] == (len(TEXT), len(TEXT)) and [done for done, _ in told] == sorted(done for done, _ in told)
    assert parts(tmp_path / "deep") == ["file.json"]


@pytest.mark.parametrize("known", ["blob", "sha256"])
def test_one_wrong_byte_is_found_by_either_checksum_and_nothing_is_kept(
    server: FileServer, tmp_path: Path, known: str
) -> None:
    server.files[PATH] = TEXT[:-9] + b"!" + TEXT[-8:]
    whole = content_of()
    content = PublishedFile(PATH, **{known: getattr(whole, known)})
    with pytest.raises(
        FetchFailed, match="is not the published file: its (Git|SHA-256) checksum is .* The download was discarded"
    ):
        fetch(server, tmp_path / "file.json", content)
    assert parts(tmp_path) == []


def test_what_the_server_refuses_is_named_with_its_address(server: FileServer, tmp_path: Path) -> None:
    server.statuses[PATH] = 429
    with pytest.raises(FetchFailed, match=r"refuses .*file\.json \(429\)"):
        fetch(server, tmp_path / "file.json")
    del server.files[PATH], server.statuses[PATH]
    with pytest.raises(FetchFailed, match=rf"127.0.0.1:\d+ refuses http://127.0.0.1:\d+{PATH} \(404\)"):
        fetch(server, tmp_path / "file.json")
    with socket.create_server(("127.0.0.1", 0)) as listening:
        server.url = f"http://127.0.0.1:{listening.getsockname()[1]}"
    with pytest.raises(FetchFailed, match=r"127.0.0.1:\d+ cannot be reached \("):
        fetch(server, tmp_path / "file.json")


def test_a_silent_server_is_given_up_after_the_timeout_of_the_settings(server: FileServer, tmp_path: Path) -> None:
    server.silent.add(PATH)
    with pytest.raises(FetchFailed, match=r"127.0.0.1:\d+ sent nothing for 0\.2 s"):
        fetch(server, tmp_path / "file.json")


@pytest.mark.parametrize("to", ["http://169.254.169.254/latest/meta-data", "file:///etc/passwd", "/elsewhere"])
def test_a_redirect_is_not_followed(server: FileServer, tmp_path: Path, to: str) -> None:
    server.redirects[PATH] = to
    with pytest.raises(FetchFailed, match="redirects to .* Capscope does not follow redirects"):
        fetch(server, tmp_path / "file.json")
    assert len(server.asked) == 1


def test_a_server_that_sends_more_than_it_announced_is_found_out(server: FileServer, tmp_path: Path) -> None:
    server.files[PATH], server.announced[PATH] = TEXT + b"more", len(TEXT) - 4
    with pytest.raises(FetchFailed, match="is not the published file"):
        fetch(server, tmp_path / "file.json", content_of(size=None))
    assert parts(tmp_path) == []


@pytest.mark.parametrize(
    "content", [content_of(), content_of(size=None, most=len(TEXT) + 10)], ids=["known", "unknown"]
)
def test_a_server_that_never_ends_is_stopped_at_the_largest_size(
    server: FileServer, tmp_path: Path, content: PublishedFile
) -> None:
    server.files[PATH] = TEXT * 100
    server.unannounced.add(PATH)
    with pytest.raises(FetchFailed, match="is not the published file: it has more than"):
        fetch(server, tmp_path / "file.json", content)
    assert parts(tmp_path) == []


def test_a_disk_that_fills_up_between_two_writes_is_said(server: FileServer, tmp_path: Path) -> None:
    address = server.url + PATH

    def full(done: int, total: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    with client_for(IMPATIENT, address) as client, pytest.raises(FetchFailed, match="cannot be written .No space left"):
        download(client, address, tmp_path / "file.json", content_of(), full)
    assert parts(tmp_path) == []


def test_room_for_raters_answers_stays_free(
    server: FileServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "ROOM", 10**18)
    with pytest.raises(FetchFailed, match="The disk is full; free some space .* for raters' answers"):
        fetch(server, tmp_path / "file.json")


def named(server: FileServer, host: str, monkeypatch: pytest.MonkeyPatch, **variables: str) -> None:
    """Give the server a name that only a proxy knows, and set the environment's proxies."""
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.lower(), raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    server.url = f"http://{host}"


def test_the_proxy_of_the_environment_is_used(
    server: FileServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with proxying({"raw.example": server.port}) as proxy:
        named(server, "raw.example", monkeypatch, HTTP_PROXY=proxy.url)
        fetch(server, tmp_path / "file.json", downloads=Downloads(timeout_s=5.0))
    assert proxy.asked == [f"GET http://raw.example{PATH}"] and (tmp_path / "file.json").read_bytes() == TEXT


def test_a_proxy_that_rejects_the_password_is_named(
    server: FileServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    password = "Basic " + base64.b64encode(b"ann:secret").decode()
    with proxying({"raw.example": server.port}, password) as proxy:
        named(server, "raw.example", monkeypatch, HTTP_PROXY=proxy.url)
        with pytest.raises(FetchFailed, match="the proxy rejected the user or password") as told:
            fetch(server, tmp_path / "file.json", downloads=Downloads(timeout_s=5.0))
    assert proxy.url not in str(told.value)


def test_gits_id_is_that_of_git(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"hello\n")  # printf 'hello\\n' | git hash-object --stdin
    assert PublishedFile("a", "ce013625030ba8dba906f756967f9e9ca394464a").flaw(tmp_path / "a") is None
