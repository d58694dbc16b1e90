"""Elements of pages' HTML heads: scripts inside the HTML, and link previews as Open Graph (ogp.me).

One inline script handles files that fail to load. If this script were a file itself, it could also fail to load. A
second inline script must run before Gradio's scripts, but a browser may run separate files in another order.
"""

import base64
import hashlib

from markupsafe import Markup

from ui.web.files.static_files import StaticFiles

RETRYING = "plain_pages/retrying.js"
LOADING_TIMER = "shared/loading_timer.js"  # script that only pages drawn by Gradio need
CARD, WIDTH, HEIGHT = "card.jpg", 1200, 630  # CARD: a picture that names no metric, because raters may see it
_ALT = "A photograph with coloured regions, and its caption with marked phrases"
_SENTENCE = "See what a caption leaves out, and what it makes up."


def inline_script(files: StaticFiles, name: str) -> Markup:
    """Return a script element with the text of a static file.

    Raises KeyError. Raises ValueError if the text would end the element early.
    """
    text = files.text(name)
    if "</script" in text.lower() or "<!--" in text:
        raise ValueError(f"{name} cannot be written into a page, because it contains the end of a script or a comment.")
    return Markup(f"<script>{text}</script>")


def script_hash(files: StaticFiles, name: str) -> str:
    """Return the CSP source expression that allows exactly this script.

    It has the form 'sha256-…', with quotes. CSP: content security policy.
    """
    digest = hashlib.sha256(files.contents[name]).digest()
    return f"'sha256-{base64.b64encode(digest).decode()}'"


def card_address(files: StaticFiles, base: str) -> str:
    """Return the complete address of the preview picture. base: the public address, including the host."""
    return base.rstrip("/") + files.address(CARD)


def preview(files: StaticFiles, base: str | None) -> Markup:
    """Return the elements for link previews in a page's HTML head.

    base: the server's public address; None: the result is empty.
    """
    if base is None:
        return Markup()
    tags = {
        "og:type": "website",
        "og:title": "Capscope",
        "og:description": _SENTENCE,
        "og:image": card_address(files, base),
        "og:image:width": str(WIDTH),
        "og:image:height": str(HEIGHT),
        "og:image:alt": _ALT,
    }
    tag = Markup('<meta property="{}" content="{}">')
    return Markup().join(tag.format(name, value) for name, value in tags.items()) + Markup(
        '<meta name="twitter:card" content="summary_large_image">'
    )
