"""A picture that is saved with its regions: size, caption with marks, legend, and what the file says of itself."""

from pathlib import Path
from xml.etree import ElementTree

import numpy as np
from PIL import Image
from playwright.sync_api import Page, expect

from tests.browser.conftest import Server
from tests.browser.inspecting import BOXES, CAPTION, SCENE, open_sample, opened_menu
from tests.browser.inspecting import scenes as scenes

SVG = "{http://www.w3.org/2000/svg}"
LEAST_WIDTH = 1600
SOURCE = "Picture scene.jpg: its licence is unknown"


def saved(page: Page, kind: str) -> Path:
    with page.expect_download() as download:  # the button may be in a menu that is closed
        page.locator(f"[aria-label='Save the picture with its regions as {kind}']").dispatch_event("click")
    return download.value.path()


def texts(drawing: ElementTree.Element) -> list[str]:
    return ["".join(text.itertext()) for text in drawing.iter(f"{SVG}text")]


def numbers_in(page: Page, rows: str) -> dict[str, str]:
    """Return the listed numbers by the names beside them."""
    names, numbers = (page.locator(f"{rows} {part}").all_text_contents() for part in (".name", ".number"))
    return dict(zip(names, numbers, strict=True))


def opacities(page: Page) -> dict[str, float]:
    """Return the opacities of the outlines by the regions' names."""
    found = page.locator("path.region").evaluate_all(
        "(areas) => areas.map((area) => [area.getAttribute('aria-label').split(':')[0], "
        "Number(getComputedStyle(document.querySelector(`.rim[data-region='${area.dataset.region}']`)).opacity)])"
    )
    return {str(name): float(opacity) for name, opacity in found}


def test_a_saved_svg_has_caption_marks_and_legend_and_its_signature_in_the_metadata(page: Page, scenes: Server) -> None:
    open_sample(page, scenes, CAPTION)
    drawing = ElementTree.fromstring(saved(page, "SVG").read_text())
    assert float(drawing.attrib["width"]) >= LEAST_WIDTH and drawing.findtext(f"{SVG}title") == CAPTION
    assert (drawing.findtext(f"{SVG}metadata") or "").startswith("HICE-S|")
    words = texts(drawing)
    said = " ".join(words)
    assert not any(word.startswith("HICE-S|") for word in words)
    assert said.startswith(CAPTION) and said.endswith(SOURCE)
    chips = page.locator(".phrase-line .phrase").all_text_contents()  # phrases and things, as the page lists them
    listed = said[said.index("Confirmed: ") :]
    assert chips and all(" ".join(chip.split()) in listed for chip in chips)  # with the precisions of phrases
    recalls = numbers_in(page, ".region-row")
    assert recalls and all(f"{name} {recall}" in listed for name, recall in recalls.items())
    assert all(page.locator(f".mean-of-{kind}").inner_text() in listed for kind in ("phrases", "regions"))
    assert [word for word in words if word in ("mentioned", "not mentioned")] == ["mentioned", "not mentioned"]
    lines = [path.attrib for path in drawing.iter(f"{SVG}path") if "clip-path" in path.attrib]
    assert len({line["stroke-width"] for line in lines}) == 2 and not any("vector-effect" in line for line in lines)
    assert (
        len({(line["stroke"], line["stroke-dasharray"]) for line in lines}) == 4
    )  # solid and dashed, each with its colour
    shapes = {clip.attrib["id"]: clip[0].attrib["d"] for clip in drawing.iter(f"{SVG}clipPath")}
    assert lines and all(shapes[line["clip-path"].removeprefix("url(#")[:-1]] == line["d"] for line in lines)


def test_larger_recalls_have_stronger_outlines_if_chosen_on_the_page_and_in_the_file(
    page: Page, scenes: Server
) -> None:
    open_sample(page, scenes, CAPTION)
    rims = page.locator(".rim")
    expect(rims).to_have_count(len(BOXES))
    assert set(opacities(page).values()) == {1}
    opened_menu(page)
    choice = page.get_by_label("Stronger outlines for larger recalls")
    expect(choice).to_have_css("appearance", "auto")  # else nobody sees whether it is checked
    choice.check()
    recalls, shown = numbers_in(page, ".region-row"), opacities(page)
    assert sorted(shown, key=lambda name: shown[name]) == sorted(recalls, key=lambda name: recalls[name])
    assert len(set(shown.values())) == len(BOXES)
    drawing = ElementTree.fromstring(saved(page, "SVG").read_text())
    lines = [path.attrib for path in drawing.iter(f"{SVG}path") if "clip-path" in path.attrib]
    assert {float(line["opacity"]) for line in lines} == set(shown.values())


def test_a_saved_png_is_wide_enough_for_print_and_has_the_caption_below_the_picture(page: Page, scenes: Server) -> None:
    open_sample(page, scenes, CAPTION)
    picture = Image.open(saved(page, "PNG"))
    height = round(SCENE[1] * LEAST_WIDTH / SCENE[0])
    assert picture.format == "PNG" and picture.width == LEAST_WIDTH and picture.height > height
    foot = np.asarray(picture.convert("L").crop((0, height, *picture.size)))
    assert np.median(foot) == 255 and foot.min() < 100  # letters on white
