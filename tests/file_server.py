"""A server of files that breaks off, lies, redirects and falls silent as a test says."""

import re
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


@dataclass
class FileServer:
    """What a server holds, how it behaves, and what it was asked."""

    files: dict[str, bytes]
    url: str = ""
    port: int = 0
    cuts: dict[str, list[int]] = field(default_factory=dict)  # bytes of each answer before the connection ends
    announced: dict[str, int] = field(default_factory=dict)  # the Content-Length instead of the true one
    unannounced: set[str] = field(default_factory=set)  # sent until the connection ends, without a length
    redirects: dict[str, str] = field(default_factory=dict)
    statuses: dict[str, int] = field(default_factory=dict)
    silent: set[str] = field(default_factory=set)  # nothing is sent until the test ends
    ignores_ranges: bool = False
    misplaced: bool = False  # a range begins elsewhere than asked
    asked: list[tuple[str, str]] = field(default_factory=list)  # path and Range of each request
    was_asked: threading.Event = field(default_factory=threading.Event)
    ended: threading.Event = field(default_factory=threading.Event)


@contextmanager
def serving_files(files: Mapping[str, bytes], port: int = 0) -> Iterator[FileServer]:
    """Serve files by path, such as /owner/name/commit/file.json. port: 0 for any free one."""
    held = FileServer(dict(files))
    with ThreadingHTTPServer(("127.0.0.1", port), partial(_Handler, held)) as server:
        server.daemon_threads = True
        held.port = server.server_address[1]
        held.url = f"http://127.0.0.1:{held.port}"
        thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
        thread.start()
        try:
            yield held
        finally:
            held.ended.set()
            server.shutdown()
            thread.join()


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def __init__(self, held: FileServer, *more: object) -> None:
        self.held = held
        super().__init__(*more)  # type: ignore[arg-type]

    def do_GET(self) -> None:
        held, path = self.held, self.path
        wanted = self.headers.get("Range", "")
        held.asked.append((path, wanted))
        held.was_asked.set()
        self.close_connection = True
        if path in held.silent:
            held.ended.wait()
            return
        if path in held.redirects:
            return self._head(302, 0, Location=held.redirects[path])
        if path not in held.files:
            return self._head(404, 0)
        if path in held.statuses:
            return self._head(held.statuses[path], 0)
        self._send(path, held.files[path], wanted)

    def _send(self, path: str, content: bytes, wanted: str) -> None:
        held, found = self.held, re.fullmatch(r"bytes=(\d+)-", wanted)
        begin = 0 if found is None or held.ignores_ranges else int(found[1])
        if begin > len(content) or (begin and begin == len(content)):
            return self._head(416, 0)
        rest = content[begin:]
        length = None if path in held.unannounced else held.announced.get(path, len(rest))
        if begin:
            told = begin - 1 if held.misplaced else begin
            place = f"bytes {told}-{len(content) - 1}/{len(content)}"
            self._head(206, length, **{"Content-Range": place})
        else:
            self._head(200, length)
        cuts = held.cuts.get(path, [])
        with suppress(ConnectionError):  # the client has heard enough
            self.wfile.write(rest[: cuts.pop(0)] if cuts else rest)

    def _head(self, status: int, length: int | None, **more: str) -> None:
        self.send_response(status)
        if length is not None:
            self.send_header("Content-Length", str(length))
        for name, value in {"Connection": "close", **more}.items():
            self.send_header(name, value)
        self.end_headers()

    def log_message(self, *_: object) -> None:
        """Write nothing."""
