"""Describe a page for link previews: a picture, the name and a sentence. The form is Open Graph (ogp.me)."""

from markupsafe import Markup

from ui.web.files.static_files import StaticFiles

CARD, WIDTH, HEIGHT = "card.jpg", 1200, 630  # names no metric, because raters receive links too
_ALT = "A photograph under coloured regions, and its caption with what it mentions"
_SENTENCE = "See what a caption leaves out, and what it makes up."


def card_address(files: StaticFiles, base: str) -> str:
    """Return the complete address of the picture. base: the public address, with its host."""
    return base.rstrip("/") + files.address(CARD)


def preview(files: StaticFiles, base: str | None) -> Markup:
    """Return the elements for link previews in a page's head. Empty if the public address is unknown."""
    if base is None:
        return Markup()
    said = {
        "og:type": "website",
        "og:title": "Capscope",
        "og:description": _SENTENCE,
        "og:image": card_address(files, base),
        "og:image:width": str(WIDTH),
        "og:image:height": str(HEIGHT),
        "og:image:alt": _ALT,
    }
    tag = Markup('<meta property="{}" content="{}">')
    return Markup().join(tag.format(name, value) for name, value in said.items()) + Markup(
        '<meta name="twitter:card" content="summary_large_image">'
    )
