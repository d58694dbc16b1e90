"""How a link to a page looks where it is shared."""

import io
import re

import pytest
from PIL import Image

from tests.making import HOSTILE
from ui.web.access.plain_pages import PlainPages
from ui.web.files.bundles import app_files
from ui.web.files.previews import CARD, HEIGHT, WIDTH, preview

FILES = app_files()
MOST_BYTES = 150_000


def said(head: str) -> dict[str, str]:
    return dict(re.findall(r'<meta property="(og:[\w:]+)" content="([^"]*)">', head))


def test_a_link_shows_the_picture_at_its_whole_address() -> None:
    for base in ("https://x.example/lab", "https://x.example/lab/"):
        found = said(preview(FILES, base))
        assert found["og:image"] == f"https://x.example/lab{FILES.address(CARD)}"
        assert (found["og:image:width"], found["og:image:height"]) == (str(WIDTH), str(HEIGHT))
        assert found["og:title"] == "Capscope"


def test_nothing_is_said_where_nobody_knows_the_address() -> None:
    assert preview(FILES, None) == ""
    assert said(PlainPages(FILES).text("words", title="T", text="x", way={})) == {}


@pytest.mark.parametrize("root", ["", "/lab"])
def test_pages_outside_the_frame_say_it_too(root: str) -> None:
    page = PlainPages(FILES, root, f"https://x.example{root}").text("words", title="T", text="x", way={})
    assert said(page)["og:image"].startswith(f"https://x.example{root}/capscope/")


def test_an_address_is_text_and_not_markup() -> None:
    assert "<" not in re.sub(r"</?meta[^<]*>", "", preview(FILES, f"https://x.example/{HOSTILE}"))


def test_the_picture_has_the_size_that_is_said_and_is_small() -> None:
    content = FILES.contents[CARD]
    assert Image.open(io.BytesIO(content)).size == (WIDTH, HEIGHT) and len(content) <= MOST_BYTES
