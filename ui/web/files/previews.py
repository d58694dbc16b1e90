"""Describe a page for link previews: a picture, the page's name and a sentence, as Open Graph (ogp.me)."""

from markupsafe import Markup

from ui.web.files.static_files import StaticFiles

CARD, WIDTH, HEIGHT = "card.jpg", 1200, 630  # CARD: a picture that names no metric, because raters may see it
_ALT = "A photograph with coloured regions, and its caption with marked phrases"
_SENTENCE = "See what a caption leaves out, and what it makes up."


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
