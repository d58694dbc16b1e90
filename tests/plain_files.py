"""A plain file server, as any web host is one."""

from http.server import SimpleHTTPRequestHandler
from typing import Any


class QuietFiles(SimpleHTTPRequestHandler):
    """Says nothing, and hands out nothing but files."""

    def log_message(self, format: str, *args: Any) -> None:
        """Say nothing."""

    def list_directory(self, path: Any) -> None:
        """Refuse: there is no such file."""
        self.send_error(404)
