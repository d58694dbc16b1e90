"""Compress pages and large answers for researchers. Scripts and styles are compressed elsewhere."""

from starlette.middleware.gzip import GZipMiddleware
from starlette.types import ASGIApp, Receive, Scope, Send

from ui.web.frame.head import FRONT_TOO
from ui.web.frame.pages import PAGES

# Pictures are compressed already. Answers to raters are excluded, because they are small. Some hold a rater's return
# key, and the size of a compressed answer with a chosen text could reveal the key. Pages hold no key.
COMPRESSED = ("/api/analyse/", "/api/coding/", "/api/samples")
_HTML = {f"/{page.route}" for page in PAGES} | {FRONT_TOO}
LEVEL = 4  # the arrays of 42,166 samples become a third smaller at any level; higher levels only take longer
SMALLEST = 1000  # bytes


class Compress:
    """ASGI middleware: sends answers of some addresses as gzip to clients that accept it."""

    def __init__(self, app: ASGIApp) -> None:
        self._plain = app
        self._compressed = GZipMiddleware(app, minimum_size=SMALLEST, compresslevel=LEVEL)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one request."""
        chosen = scope["type"] == "http" and _is_large(scope["path"])
        await (self._compressed if chosen else self._plain)(scope, receive, send)


def _is_large(path: str) -> bool:
    return path.startswith(COMPRESSED) or (path.rstrip("/") or "/") in _HTML
