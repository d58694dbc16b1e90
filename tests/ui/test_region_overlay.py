import json
import re
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from core.errors import BadImage, BadSetting
from core.regions import masks, shapes
from core.types import Explanation, Phrase, Region, Thing
from ui.region_overlay import MENTIONED, UNMENTIONED, WAITING, overlay, save_overlay
from ui.region_words import about_phrases, about_regions, counts, looks, names, note

SIZE = (30, 40)
SVG = "{http://www.w3.org/2000/svg}"


def region(box: tuple[int, int, int, int], support: float, label: str | None = "dog", phrase: int | None = 0) -> Region:
    mask = np.zeros(SIZE, bool)
    mask[box[1] : box[3], box[0] : box[2]] = True
    return Region(masks.encode(mask), SIZE, label, False, support, phrase, support >= 0.5)


def explanation(*regions: Region, text: str = "dog on sofa") -> Explanation:
    whole = Region(masks.full(SIZE), SIZE, None, True, 0.9, 0, True)
    return Explanation(phrases=(Phrase(text, (0, 3), 0.6, 0, "correct"),), regions=(*regions, whole))


SMALL, LARGE = region((2, 2, 5, 5), 0.61), region((0, 0, 30, 20), 0.31, "cat")


def paths(svg: str) -> list[ElementTree.Element]:
    """The areas of regions."""
    return [path for path in ElementTree.fromstring(svg).iter(f"{SVG}path") if path.get("role") == "img"]


def rims(svg: str) -> list[ElementTree.Element]:
    """The coloured lines of regions; each has a white line beneath it."""
    found = ElementTree.fromstring(svg).iter(f"{SVG}path")
    return [path for path in found if (path.get("class") or "").startswith("rim")]


def test_every_region_but_the_whole_picture_is_a_path_the_largest_first() -> None:
    found = paths(overlay(explanation(SMALL, LARGE)))
    assert [path.get("d") for path in found] == [shapes.shape(LARGE.rle, SIZE).path, shapes.shape(SMALL.rle, SIZE).path]
    assert all(path.get("fill-rule") == "evenodd" for path in found)


def test_mentioned_and_unmentioned_differ_in_colour_and_in_pattern() -> None:
    svg = overlay(explanation(SMALL, LARGE))
    assert [(area.get("class"), area.get("fill")) for area in paths(svg)] == [
        ("unmentioned", "url(#capscope-hatch)"),
        ("mentioned", "none"),
    ]
    assert [rim.get("stroke") for rim in rims(svg)] == [UNMENTIONED, MENTIONED]


def test_regions_beside_a_caption_that_was_not_read_are_plain() -> None:
    unread = Explanation(regions=(region((2, 2, 9, 9), 0.6, phrase=None), region((0, 0, 30, 20), 0.3, phrase=None)))
    for path in paths(overlay(unread)):
        assert (path.get("class"), path.get("fill")) == ("waiting", "none")
    assert {rim.get("stroke") for rim in rims(overlay(unread))} == {WAITING}


def test_a_part_of_something_mentioned_is_not_hatched() -> None:
    part, beside = region((2, 2, 5, 5), 0.3, "ear"), region((7, 0, 12, 3), 0.3, "cat")
    whole = region((0, 0, 9, 9), 0.6)
    assert looks(explanation(whole, part, beside))[:3] == ("mentioned", "part", "unmentioned")
    assert set(looks(explanation(region((0, 0, 9, 9), 0.3), part, beside))[:3]) == {"unmentioned"}
    assert [path.get("fill") for path in paths(overlay(explanation(whole, part)))] == ["none", "none"]


def test_regions_of_one_label_are_numbered_in_their_order_and_others_are_not() -> None:
    unlabelled = region((8, 8, 9, 9), 0.2, None)
    shown = explanation(SMALL, LARGE, region((6, 6, 9, 9), 0.3), unlabelled, region((9, 9, 12, 12), 0.3, ""))
    assert names(shown.regions) == ("dog 1", "cat", "dog 2", "region 4", "region 5", "the whole picture")


def test_titles_say_the_label_and_the_nearest_phrase() -> None:
    svg = overlay(explanation(SMALL, LARGE, region((8, 8, 9, 9), 0.2, None, None)))
    assert {path.get("aria-label") for path in paths(svg)} == {
        "dog: mentioned by “dog on sofa” (recall 0.610)",
        "cat: not mentioned; nearest phrase is “dog on sofa” (recall 0.310)",
        "region 3: not mentioned (recall 0.200)",
    }


def test_words_of_labels_give_their_reasons_and_a_mark_that_disagrees_with_its_number_is_named() -> None:
    thing = Thing("dog", (0, 3), "incorrect")
    phrase = Phrase("dog on sofa", (0, 3), 0.9, 0, "incorrect", (thing,), reason="Annotators found no dog.")
    denied = Phrase("cat", (4, 7), 0.1, None, "correct", kind="denied", shown="no cat", compared=False)
    reasoned = replace(SMALL, reason="Label “dog” matches “dog”.")
    shown = replace(explanation(reasoned, LARGE), phrases=(phrase, denied), cut=0.5, encoder="labels/x@1")
    assert about_regions(shown)[0] == "mentioned. Label “dog” matches “dog”."
    assert about_phrases(shown) == (
        "“dog on sofa”: contradicted by the annotations. Annotators found no dog. "
        "Precision 0.900: similarity to the region that fits best.",
        "“no cat”: supported by the annotations; no region matches it. The score does not compare this phrase.",
    )
    assert about_phrases(shown, numbered=False)[1] == "“no cat”: supported by the picture; no region matches it."
    assert counts(shown) == "1 of 2 regions mentioned · 0 of 1 thing found"
    assert "negation" in note(shown) and "✗ dog on sofa: labels decide the mark" in note(shown)
    assert note(replace(shown, phrases=(replace(phrase, support=0.2),))) == ""


@given(st.text(), st.text())
def test_no_label_or_phrase_breaks_out_of_the_svg(label: str, text: str) -> None:
    svg = overlay(explanation(region((2, 2, 5, 5), 0.6, label), text=text))
    (path,) = paths(svg)
    assert {child.tag for child in path} == {f"{SVG}title"}
    assert set(path.attrib) <= set(paths(overlay(explanation(SMALL)))[0].attrib)


# -- the page's drawing --

DENO = Path(sys.executable).parent / "deno"  # comes with the development requirements
STATIC = Path(__file__).parents[2] / "ui" / "static"


def drawn_by_the_page(shown: Explanation) -> list[tuple[str, dict[str, str]]]:
    """What the page's script draws, tag and attributes."""
    sheet = (STATIC / "shared" / "style.css").read_text()
    regions = [
        {
            "is_full": region.is_full,
            "area": masks.area(region.rle, SIZE),
            "path": shapes.shape(region.rle, SIZE).path,
            "thickness": shapes.shape(region.rle, SIZE).thickness,
            "look": look,
        }
        for region, look in zip(shown.regions, looks(shown), strict=True)
    ]
    light = sheet[: sheet.index("body.dark")]
    content = {"size": SIZE, "regions": regions, "colours": dict(re.findall(r"(--[\w-]+): ([^;]+);", light))}
    script = Path(__file__).parent / "static" / "drawing.js"
    command = [DENO, "run", "--no-check", "--no-config", "--quiet", "--allow-read", script]
    done = subprocess.run(command, input=json.dumps(content), capture_output=True, text=True, check=True)
    return [(tag, attributes) for tag, attributes in json.loads(done.stdout)]


def seen_of(tag: str, attributes: Mapping[str, str]) -> list[object]:
    """What of an element is seen. A plain fill of no opacity is none; the page shows hatching when pointed at."""
    seen = {name: attributes.get(name, "") for name in ("d", "stroke", "vector-effect")}
    sizes = {name: float(attributes[name]) for name in ("width", "height", "x", "stroke-width") if name in attributes}
    fill = attributes.get("fill")
    hatched = bool(fill and fill.startswith("url("))
    filled = fill if float(attributes.get("fill-opacity", 1)) else "none"
    dashes = attributes.get("stroke-dasharray", "none")
    return [tag, seen["d"], seen["stroke"], seen["vector-effect"], sizes, hatched or filled, dashes]


@pytest.mark.parametrize("more", [0, 20], ids=["few regions", "many regions"])
def test_a_file_is_drawn_as_the_page_draws_it(more: int) -> None:
    others = (region((at, 3, at + 4, 9), 0.2 + at / 30) for at in range(more))
    shown = explanation(SMALL, LARGE, *others)
    page = [seen_of(*drawn) for drawn in drawn_by_the_page(shown) if "whole" not in drawn[1].get("class", "")]
    root = ElementTree.fromstring(overlay(shown))
    file = [seen_of(node.tag.removeprefix(SVG), node.attrib) for node in root.iter()]
    kept = [[node for node in drawing if node[0] in ("rect", "pattern") or node[2]] for drawing in (page, file)]
    assert len(kept[0]) == 2 * (2 + more) + 3
    assert kept[0] == kept[1]


def clipped_shapes(nodes: list[tuple[str, dict[str, str]]]) -> list[tuple[str, str]]:
    """The shape of each outline, and the shape that clips it."""
    shapes = {nodes[at][1]["id"]: nodes[at + 1][1]["d"] for at in range(len(nodes) - 1) if nodes[at][0] == "clipPath"}
    lines = [attributes for tag, attributes in nodes if tag == "path" and "stroke" in attributes]
    return [(line["d"], shapes[line["clip-path"][len("url(#") : -1]]) for line in lines]


def test_every_outline_is_drawn_inside_its_region_on_the_page_and_in_a_file() -> None:
    shown = explanation(SMALL, LARGE)
    file = [(node.tag.removeprefix(SVG), dict(node.attrib)) for node in ElementTree.fromstring(overlay(shown)).iter()]
    for nodes in (file, drawn_by_the_page(shown)):
        found = clipped_shapes(nodes)
        assert len(found) == 4 and all(line == clip for line, clip in found)


def test_the_line_of_a_part_is_thinner_than_that_of_its_whole() -> None:
    part, whole = rims(overlay(explanation(region((0, 0, 19, 19), 0.6), region((0, 2, 9, 9), 0.3, "ear"))))
    assert float(part.get("stroke-width", 0)) < float(whole.get("stroke-width", 0))


# -- files --


@pytest.fixture
def picture(tmp_path: Path) -> Path:
    path = tmp_path / "p.png"
    Image.new("RGB", (SIZE[1], SIZE[0]), "white").save(path)
    return path


def test_an_svg_file_carries_its_picture(picture: Path, tmp_path: Path) -> None:
    save_overlay(tmp_path / "o.svg", picture, explanation(SMALL))
    root = ElementTree.parse(tmp_path / "o.svg").getroot()
    (image,) = root.iter(f"{SVG}image")
    assert (image.get("href") or "").startswith("data:image/jpeg;base64,")


def test_other_endings_and_broken_pictures_are_named(picture: Path, tmp_path: Path) -> None:
    with pytest.raises(BadSetting, match=".svg"):
        save_overlay(tmp_path / "o.pdf", picture, explanation(SMALL))
    (tmp_path / "broken.png").write_bytes(b"no")
    with pytest.raises(BadImage):
        save_overlay(tmp_path / "o.svg", tmp_path / "broken.png", explanation(SMALL))
