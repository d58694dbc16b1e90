"""Compress the HTML of pages, and large responses to researchers, not to raters.

Scripts and styles are compressed by other code.
"""

from starlette.middleware.gzip import GZipMiddleware
from starlette.types import ASGIApp, Receive, Scope, Send

from ui.web.frame.head import FRONT_TOO
from ui.web.frame.pages import PAGES

# Pictures are compressed already. Responses to raters are not listed: they are small, and some contain a rater's return
# key. If such a response also contained an attacker's text, its compressed size could reveal the key. Pages contain
# no key.
COMPRESSED = ("/api/analyse/", "/api/coding/", "/api/samples")
_HTML = {f"/{page.route}" for page in PAGES} | {FRONT_TOO}
LEVEL = 4  # lowest gzip level that makes the values of 42,166 samples a third smaller; higher levels only take longer
SMALLEST = 1000  # bytes


class Compress:
    """ASGI middleware: sends the responses of some paths as gzip to clients that accept it."""

    def __init__(self, app: ASGIApp) -> None:
        self._plain = app
        self._compressed = GZipMiddleware(app, minimum_size=SMALLEST, compresslevel=LEVEL)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one request."""
        chosen = scope["type"] == "http" and _is_large(scope["path"])
        await (self._compressed if chosen else self._plain)(scope, receive, send)


def _is_large(path: str) -> bool:
    return path.startswith(COMPRESSED) or (path.rstrip("/") or "/") in _HTML
