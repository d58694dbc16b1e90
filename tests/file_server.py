"""A server of files that lies, redirects and falls silent as a test says."""

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
    announced: dict[str, int] = field(default_factory=dict)  # the Content-Length instead of the true one
    unannounced: set[str] = field(default_factory=set)  # sent until the connection ends, without a length
    redirects: dict[str, str] = field(default_factory=dict)
    statuses: dict[str, int] = field(default_factory=dict)
    silent: set[str] = field(default_factory=set)  # nothing is sent until the test ends
    asked: list[str] = field(default_factory=list)  # the path of each request
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
        held.asked.append(path)
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
        content = held.files[path]
        self._head(200, None if path in held.unannounced else held.announced.get(path, len(content)))
        with suppress(ConnectionError):  # the client has heard enough
            self.wfile.write(content)

    def _head(self, status: int, length: int | None, **more: str) -> None:
        self.send_response(status)
        if length is not None:
            self.send_header("Content-Length", str(length))
        for name, value in {"Connection": "close", **more}.items():
            self.send_header(name, value)
        self.end_headers()

    def log_message(self, *_: object) -> None:
        """Write nothing."""
