"""How a link to a page looks where it is shared."""

import re

import pytest

from tests.making import HOSTILE
from ui.web.access.plain_pages import PlainPages
from ui.web.files.bundles import app_files
from ui.web.files.head_elements import CARD, HEIGHT, WIDTH, preview

FILES = app_files()


def said(head: str) -> dict[str, str]:
    return dict(re.findall(r'<meta property="(og:[\w:]+)" content="([^"]*)">', head))


def test_a_link_shows_the_picture_at_its_whole_address() -> None:
    for base in ("https://x.example/lab", "https://x.example/lab/"):
        found = said(preview(FILES, base))
        assert found["og:image"] == f"https://x.example/lab{FILES.address(CARD)}"
        assert (found["og:image:width"], found["og:image:height"]) == (str(WIDTH), str(HEIGHT))
        assert found["og:title"] == "Capscope"


@pytest.mark.parametrize("root", ["", "/lab"])
def test_pages_outside_the_frame_say_it_too(root: str) -> None:
    page = PlainPages(FILES, root, f"https://x.example{root}").text("words", title="T", text="x", way={})
    assert said(page)["og:image"].startswith(f"https://x.example{root}/capscope/")


def test_an_address_is_text_and_not_markup() -> None:
    assert "<" not in re.sub(r"</?meta[^<]*>", "", preview(FILES, f"https://x.example/{HOSTILE}"))
