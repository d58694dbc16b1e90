"""Put scripts and styles into the HTML head of every page.

So a page requests its data while Gradio still builds the page's frame. Gradio itself would add scripts and styles only
after its own script has run, half a second later.
"""

from html import escape

from starlette.datastructures import MutableHeaders
from starlette.middleware.gzip import GZipMiddleware
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from core.installation import COMMAND
from ui.web.access.other_sites import SIGNED_IN
from ui.web.files.bundles import gradio_bundle
from ui.web.files.head_elements import LOADING_TIMER, RETRYING, inline_script
from ui.web.files.static_files import StaticFiles
from ui.web.frame.pages import PAGES, Page

_END = b"</head>"
_ICON = "icon.svg"
_FRONT = "/"
FRONT_TOO = "/inspect"  # a second address of the front page
# Pictures are compressed already. Responses to raters are not listed: they are small, and some contain a rater's return
# key. If such a response also contained an attacker's text, its compressed size could reveal the key. Pages contain
# no key.
COMPRESSED = ("/api/analyse/", "/api/coding/", "/api/samples")
LEVEL = 4  # lowest gzip level that makes the values of 42,166 samples a third smaller; higher levels only take longer
SMALLEST = 1000  # bytes


def head(page: Page, files: StaticFiles, root: str = "") -> str:
    """Return the elements of a page's HTML head: Capscope's scripts and styles.

    Nothing is loaded from other hosts. root: path prefix of all pages.
    """
    bundle = gradio_bundle(page.script)

    def address(name: str) -> str:
        return root + files.address(name)

    return (
        str(inline_script(files, RETRYING))
        + str(inline_script(files, LOADING_TIMER))
        + f'<link rel="stylesheet" href="{address(bundle.sheet)}">'
        + "<title>Capscope</title>"  # needed, because Gradio sets no title before its script runs
        + f'<link rel="icon" type="image/svg+xml" href="{address(_ICON)}">'
        + f'<meta name="capscope-page" content="{page.script}">'
        + f'<meta name="capscope-command" content="{COMMAND}">'
        + f'<link rel="modulepreload" href="{address(bundle.script)}">'
        + "".join(f'<link rel="preload" as="script" href="{root}{library}">' for library in page.libraries)
        + f'<script type="module" async src="{address(bundle.script)}"></script>'
    )


class Frame:
    """ASGI middleware: adds Capscope's HTML head to Gradio's pages, and redirects old addresses."""

    def __init__(self, app: ASGIApp, files: StaticFiles, root: str = "") -> None:
        self._app = app
        self._heads = {f"/{page.route}": head(page, files, root).encode() for page in PAGES}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one request."""
        if scope["type"] != "http":
            return await self._app(scope, receive, send)
        path = scope["path"].rstrip("/") or _FRONT
        if path == FRONT_TOO:
            path, scope = _FRONT, {**scope, "path": _FRONT, "raw_path": _FRONT.encode()}
        added = self._heads.get(path)
        if added:  # remove the query, which is only for Capscope's scripts; Gradio would misread `page` and fail
            scope = {**scope, "query_string": b""}
            added += signed_in_meta(scope.get(SIGNED_IN)).encode()
        await self._app(scope, receive, _adding(send, added) if added else send)


def signed_in_meta(who: tuple[str, str] | None) -> str:
    """Return the HTML element that tells scripts who is signed in.

    who: (name, role) of the account; None: the result is empty.
    """
    if who is None:
        return ""
    name, role = map(escape, who)
    return f'<meta name="capscope-account" content="{name}" data-role="{role}">'


def _adding(send: Send, added: bytes) -> Send:
    """Return a `send` function that adds elements to the HTML head of a page.

    The response starts only when the page is known, because the added elements change its length. Gradio sends a page
    as a whole.
    """
    start: Message | None = None

    async def send_with_head(message: Message) -> None:
        nonlocal start
        if message["type"] == "http.response.start" and _is_page(message):
            start = message
            return
        if start is not None:
            body = message["body"].replace(_END, added + _END, 1)
            if body:  # responses to HEAD have none
                MutableHeaders(scope=start)["content-length"] = str(len(body))
            await send(start)
            start, message = None, {**message, "body": body}
        await send(message)

    return send_with_head


def _is_page(start: Message) -> bool:
    return start["status"] == 200 and MutableHeaders(scope=start).get("content-type", "").startswith("text/html")


class Compress:
    """ASGI middleware: sends some responses as gzip to clients that accept it: pages, and data for researchers."""

    def __init__(self, app: ASGIApp) -> None:
        self._plain = app
        self._compressed = GZipMiddleware(app, minimum_size=SMALLEST, compresslevel=LEVEL)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one request."""
        path = scope["path"] if scope["type"] == "http" else ""
        is_page = (path.rstrip("/") or _FRONT) in {FRONT_TOO, *(f"/{page.route}" for page in PAGES)}
        await (self._compressed if is_page or path.startswith(COMPRESSED) else self._plain)(scope, receive, send)
