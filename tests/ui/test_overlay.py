import io
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from core.errors import BadImage, BadMask, BadSetting
from core.regions import masks, outlines
from core.types import Explanation, Phrase, Region
from ui.overlay import MENTIONED, UNMENTIONED, drawn, names, overlay, overlay_png, save_overlay, titles

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
    return list(ElementTree.fromstring(svg).iter(f"{SVG}path"))


def test_every_region_but_the_whole_picture_is_a_path_the_largest_first() -> None:
    found = paths(overlay(explanation(SMALL, LARGE)))
    assert [path.get("d") for path in found] == [outlines.svg_path(LARGE.rle, SIZE), outlines.svg_path(SMALL.rle, SIZE)]
    assert all(path.get("fill-rule") == "evenodd" for path in found)


def test_mentioned_and_unmentioned_differ_in_colour_and_in_pattern() -> None:
    unmentioned, mentioned = paths(overlay(explanation(SMALL, LARGE)))
    assert (mentioned.get("class"), mentioned.get("fill"), mentioned.get("stroke-dasharray")) == (
        "mentioned",
        MENTIONED,
        None,
    )
    assert (unmentioned.get("class"), unmentioned.get("fill")) == ("unmentioned", "url(#capscope-hatch)")
    assert unmentioned.get("stroke") == UNMENTIONED and unmentioned.get("stroke-dasharray")


def test_a_support_on_the_cut_is_mentioned() -> None:
    (path,) = paths(overlay(explanation(region((2, 2, 5, 5), 0.5))))
    assert path.get("class") == "mentioned"


def test_the_hatching_that_paths_point_to_is_there() -> None:
    svg = overlay(explanation(SMALL, LARGE))
    (hatching,) = ElementTree.fromstring(svg).iter(f"{SVG}pattern")
    assert paths(svg)[0].get("fill") == f"url(#{hatching.get('id')})"


def test_regions_of_one_label_are_numbered_in_their_order_and_others_are_not() -> None:
    unlabelled = region((8, 8, 9, 9), 0.2, None)
    shown = explanation(SMALL, LARGE, region((6, 6, 9, 9), 0.3), unlabelled, region((9, 9, 12, 12), 0.3, ""))
    assert names(shown)[:5] == ("dog 1", "cat", "dog 2", "region 4", "region 5")
    assert titles(shown)[2] == "dog 2: not mentioned; nearest is “dog on sofa” (0.300)"


def test_titles_say_the_label_and_the_nearest_phrase() -> None:
    shown = explanation(SMALL, LARGE, region((8, 8, 9, 9), 0.2, None, None))
    assert titles(shown)[:3] == (
        "dog: mentioned by “dog on sofa” (0.610)",
        "cat: not mentioned; nearest is “dog on sofa” (0.310)",
        "region 3",
    )


@given(st.text(), st.text())
def test_no_label_or_phrase_breaks_out_of_the_svg(label: str, text: str) -> None:
    svg = overlay(explanation(region((2, 2, 5, 5), 0.6, label), text=text))
    (path,) = paths(svg)
    assert {child.tag for child in path} == {f"{SVG}title"}
    assert set(path.attrib) <= set(paths(overlay(explanation(SMALL)))[0].attrib)


def test_markup_in_a_label_stays_text() -> None:
    svg = overlay(explanation(region((2, 2, 5, 5), 0.6, '"><script>alert(1)</script>')))
    assert "<script" not in svg
    assert "<script>alert(1)</script>" in (paths(svg)[0].get("aria-label") or "")


def test_regions_of_different_sizes_or_none_are_refused() -> None:
    other = Region(masks.full((2, 2)), (2, 2), None, False, 0.1, 0, False)
    for shown in (explanation(other), Explanation()):
        with pytest.raises(BadMask):
            overlay(shown)


def test_the_whole_picture_alone_is_an_empty_overlay() -> None:
    assert paths(overlay(explanation())) == [] == drawn(explanation())


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


def test_a_png_file_shows_mentioned_regions_plain_and_unmentioned_ones_hatched() -> None:
    white = Image.new("RGB", (SIZE[1], SIZE[0]), "white")
    plain = np.array(Image.open(io.BytesIO(overlay_png(white, explanation(region((2, 2, 20, 20), 0.6))))))
    hatched = np.array(Image.open(io.BytesIO(overlay_png(white, explanation(region((2, 2, 20, 20), 0.1))))))
    assert (plain[25, 30] == 255).all() and (hatched[25, 30] == 255).all()
    assert len(np.unique(plain[4:18, 4:18].reshape(-1, 3), axis=0)) == 1
    assert len(np.unique(hatched[4:18, 4:18].reshape(-1, 3), axis=0)) == 2


def test_a_mask_of_another_resolution_than_the_picture_is_drawn_at_the_masks() -> None:
    larger = Image.new("RGB", (80, 60))
    assert Image.open(io.BytesIO(overlay_png(larger, explanation(SMALL)))).size == (40, 30)


def test_other_endings_and_broken_pictures_are_named(picture: Path, tmp_path: Path) -> None:
    with pytest.raises(BadSetting, match=".svg or .png"):
        save_overlay(tmp_path / "o.pdf", picture, explanation(SMALL))
    (tmp_path / "broken.png").write_bytes(b"no")
    with pytest.raises(BadImage):
        save_overlay(tmp_path / "o.svg", tmp_path / "broken.png", explanation(SMALL))
