"""Make the HTML page of the demo's copy, and a README for a static Space on Hugging Face."""

from collections.abc import Sequence
from datetime import date

from jinja2 import Template

from core.metrics.hice import HICE
from ui.demo_copy.parts import RECORDED
from ui.services.demo import LICENCES
from ui.web.access.plain_pages import TEMPLATES, PlainPages
from ui.web.files.bundles import FOLDER, bundled, page_bundle
from ui.web.files.previews import CARD, card_address
from ui.web.files.static_files import StaticFiles

FIRST = "index.html"
PLACES = {"/": f"/{FIRST}", "/inspect": f"/{FIRST}"}  # path in the app -> path in the copy
_BUNDLE = page_bundle("copy-inspect", "inspect", first=("recorded/start.js",))
_WORDS = (
    "{metric} gave these scores on {day}, for these captions and for the edits after “Try”. No metric runs on this "
    "page."
)


def copy_files() -> StaticFiles:
    """Return the app's current source files, bundled for the copy's page."""
    return bundled(StaticFiles.read(), (_BUNDLE,))


def html_page(files: StaticFiles, day: date, url: str | None, ahead: Sequence[str]) -> bytes:
    """Return the copy's page.

    url: the future address of the copy. ahead: the files of recorded responses that the page needs first.
    """
    text = PlainPages(files, ".", url).text(
        "copy",
        title="Inspect",
        script="inspect",
        bundle=_BUNDLE,
        places=PLACES,
        note=_WORDS.format(metric=HICE.name, day=f"{day.day} {day:%B %Y}"),
        ahead=(f"{RECORDED}/index.json", *ahead),
    )
    return text.encode()


def own_files(files: StaticFiles) -> dict[str, bytes]:
    """Return the files that the copy's page loads; key: address.

    They are the bundles (joined scripts and style sheets), the icon and the preview picture.
    """
    bundles = [name for name in files.contents if name.startswith(FOLDER)]
    return {files.address(name).lstrip("/"): files.contents[name] for name in (*bundles, "icon.svg", CARD)}


def readme(files: StaticFiles, day: date, url: str | None) -> bytes:
    """Return a README for a static Space on Hugging Face.

    The README's front matter makes the folder such a Space.
    """
    pictures = [f"- {name}: {licence}" for name, licence in LICENCES.items()]
    template = Template((TEMPLATES / "copy.md").read_text(encoding="utf-8"), keep_trailing_newline=True)
    card = None if url is None else card_address(files, url)
    text: str = template.render(day=day.isoformat(), card=card, pictures="\n".join(pictures), first=FIRST)
    return text.encode()
