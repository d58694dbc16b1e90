"""Pictures of one's own on the Inspect page: added, and given regions that are drawn and named."""

import io
import re
from typing import Any

import numpy as np
import pytest
from PIL import ExifTags, Image
from playwright.sync_api import Page, expect

from tests.browser.axe import findings
from tests.browser.conftest import SLOW_MS, Server
from tests.browser.inspecting import CAPTION
from tests.browser.inspecting import scenes as scenes


def bring(page: Page, server: Server, name: str, content: bytes, caption: str = CAPTION) -> None:
    page.goto(f"{server.url}/inspect")
    page.get_by_role("button", name="Add picture").click()
    kind = "image/png" if name.endswith("png") else "image/jpeg"
    page.get_by_label("Picture file").set_input_files({"name": name, "mimeType": kind, "buffer": content})
    page.get_by_label("Caption", exact=True).fill(caption)
    page.get_by_role("button", name="Inspect picture").click()


def test_a_region_drawn_by_keys_and_named_lets_the_caption_be_judged(page: Page, scenes: Server) -> None:
    bring(page, scenes, "own.png", encoded(320, 240, "PNG"), "A brown dog.")
    page.get_by_role("button", name="Draw boxes").click()
    for key in ("Space", *["ArrowRight"] * 9, *["ArrowDown"] * 9, "Space"):
        page.keyboard.press(key)
    page.locator(".suggested").get_by_role("button", name="dog").click()  # the caption names one
    expect(page.locator(".region-counts")).to_contain_text("1 of 1 region mentioned", timeout=SLOW_MS)  # models load
    sheet = page.locator("svg.drawing").bounding_box()  # the next box at once
    assert sheet is not None
    page.mouse.move(sheet["x"] + 5, sheet["y"] + 5)
    page.mouse.down()
    page.mouse.move(sheet["x"] + 60, sheet["y"] + 60)
    page.mouse.up()
    expect(page.locator(".suggested button")).to_have_count(0)
    page.get_by_label("What does the region show?").fill("umbrella")
    page.keyboard.press("Enter")
    expect(page.locator(".region-counts")).to_contain_text("1 of 2 regions mentioned")
    page.get_by_role("button", name="Remove umbrella").click()
    expect(page.locator(".region-counts")).to_contain_text("1 of 1 region mentioned")
    page.get_by_role("button", name="Remove dog").click()
    expect(page.locator("path.region")).to_have_count(0)
    assert findings(page) == []


def encoded(width: int, height: int, kind: str, **options: Any) -> bytes:
    """Return a picture of noise as a file."""
    small = np.random.default_rng(2).integers(0, 255, (height // 8, width // 8, 3), np.uint8)
    written = io.BytesIO()
    Image.fromarray(small).resize((width, height)).save(written, kind, **options)
    return written.getvalue()


def test_a_picture_of_ones_own_is_shown_upright_under_its_regions(page: Page, scenes: Server) -> None:
    width, height = 2000, 6000
    exif = Image.Exif()
    exif[ExifTags.Base.Orientation] = 6  # lies on its side in the file
    bring(page, scenes, "portrait.jpg", encoded(height, width, "JPEG", exif=exif))
    expect(page.get_by_role("button", name="Draw boxes")).to_be_visible(timeout=SLOW_MS)
    upper = {"label": "dog", "outline": [[0, 0], [width, 0], [width, height // 4], [0, height // 4]]}
    number = re.search(r"sample=(\d+)", page.url)
    assert number is not None
    address = f"{scenes.url}/api/samples/{number[1]}/regions"
    assert page.request.post(address, data=upper, headers={"X-Capscope": "1"}).json() == {"regions": 1}
    page.reload()
    expect(page.locator(".region-counts")).to_contain_text("1 of 1 region mentioned", timeout=SLOW_MS)
    photo = page.locator(".region-layer img")
    expect(photo).to_have_js_property("complete", True)
    shown = 4096 / height
    assert photo.evaluate("image => [image.naturalWidth, image.naturalHeight]") == [
        round(width * shown),
        round(height * shown),
    ]
    layer, dog = photo.bounding_box(), page.locator("path[aria-label^='dog']").bounding_box()
    assert layer is not None and dog is not None
    assert dog["height"] / layer["height"] == pytest.approx(0.25, abs=0.1)  # with its edge
    assert dog["width"] / layer["width"] == pytest.approx(1, abs=0.1)  # with its edge
    assert layer["width"] / layer["height"] == pytest.approx(width / height, rel=0.02)
