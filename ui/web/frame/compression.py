"""Compressed answers where they are large: what the pages for researchers get. Scripts and styles come compressed."""

from starlette.middleware.gzip import GZipMiddleware
from starlette.types import ASGIApp, Receive, Scope, Send

# Pictures are compressed already. Rating is left alone: its answers are small, and some hold a rater's return key,
# whose length under compression beside a chosen text could give it away.
COMPRESSED = ("/api/analyse/", "/api/coding/", "/api/samples")
LEVEL = 4  # the arrays of 42,166 samples shrink by a third at any level; higher ones only take longer
SMALLEST = 1000  # bytes


class Compress:
    """ASGI middleware: sends answers under some addresses as gzip to whoever accepts it."""

    def __init__(self, app: ASGIApp) -> None:
        self._plain = app
        self._compressed = GZipMiddleware(app, minimum_size=SMALLEST, compresslevel=LEVEL)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one request."""
        chosen = scope["type"] == "http" and scope["path"].startswith(COMPRESSED)
        await (self._compressed if chosen else self._plain)(scope, receive, send)
