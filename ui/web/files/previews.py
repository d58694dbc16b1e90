"""How a link to a page looks where people share it: a picture, the name and a sentence (Open Graph, ogp.me)."""

from markupsafe import Markup

from ui.web.files.static_files import StaticFiles

CARD, WIDTH, HEIGHT = "card.jpg", 1200, 630  # names no metric: raters get links, too
_ALT = "A photograph under coloured regions, and its caption with what it mentions"
_SENTENCE = "See what a caption leaves out, and what it makes up."


def card_address(files: StaticFiles, base: str) -> str:
    """Return the whole address of the picture. base: where everything lies, with its host."""
    return base.rstrip("/") + files.address(CARD)


def preview(files: StaticFiles, base: str | None) -> Markup:
    """Return what a page's head says of it to others; nothing where nobody knows its whole address."""
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
