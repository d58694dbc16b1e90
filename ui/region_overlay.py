"""Draw regions over their picture, as an SVG file.

Colour and pattern distinguish regions that the caption mentions from unmentioned regions.

Input is an Explanation; output is a stand-alone file. The drawing is the same as on the pages
(ui/static/regions/picture.js; a test compares them), except that the pages hatch a region only while the user points at
it. The shapes of both come from core/regions/shapes.py. Every outline has a coloured line and a white
line along its inner side, so that it is visible on any background. Both lines lie inside the region: they are drawn
twice as wide, and the region's own shape clips them. So the colours of two neighbours are side by side, and neither
covers the other. Lines of mentioned regions lie over the others, and small regions have thin lines. Mentioned regions
are blue and unfilled, with a solid white line. Unmentioned regions are vermilion and hatched, with a dashed white line
(Okabe-Ito colours). An unmentioned region inside a larger mentioned region is not hatched, and its lines are thin.
Otherwise a part of the larger region would look unmentioned. If the metric did not compare the caption's words with the
regions, all regions are grey with a dotted white line.
"""

import base64
import io
import re
import zlib
from collections import Counter
from collections.abc import Collection, Iterator
from pathlib import Path
from xml.sax.saxutils import quoteattr

from core.errors import BadMask, BadSetting
from core.images.pictures import open_rgb
from core.regions import masks, shapes
from core.types import Explanation, Region

MENTIONED, UNMENTIONED, WAITING, OVER = "#0072b2", "#d55e00", "#767676", "#ffffff"
LINE_PX, PART_LINE_PX = 6, 3  # largest line widths in px, for regions and parts of regions; the outer half is hidden
LEAST_PX = 1.2  # smallest width of coloured lines in px
LIGHT = 1.5  # width of white lines, relative to the coloured line
LINE_SHARE, SCREEN_PX = 0.25, 800  # largest line width as a share of a region's thickness, in a picture 800 px wide
DASHES = {"mentioned": None, "unmentioned": (6, 4), "waiting": (1, 4)}  # white line's dash and gap, px; None: solid
COLOURS = {"mentioned": MENTIONED, "unmentioned": UNMENTIONED, "waiting": WAITING}
HATCH = "capscope-hatch"  # id of the hatching within the SVG
CLIP = "capscope-clip"  # prefix of the ids of clip paths, which hide the outer half of an outline's lines
HATCH_SHARES = (0.3, 0.12)  # widths of the coloured and the white stripe, as fractions of hatch_distance
HATCH_OPACITY, MANY = 0.7, 15  # opacity of fills; lower with more than MANY regions, so the picture stays visible
LIGHTER = 0.4
QUALITY = 90  # quality of the JPEG inside the SVG, 0-100
_NOT_XML = re.compile(r"[^\t\n\r -\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def save_overlay(path: Path, picture: Path, explanation: Explanation) -> None:
    """Draw the regions over the picture into an SVG file. Raises BadImage, BadMask, BadSetting."""
    if path.suffix.lower() != ".svg":
        raise BadSetting(f"the name of an overlay file must end in .svg, found {path.name}")
    written = io.BytesIO()
    open_rgb(picture).save(written, "JPEG", quality=QUALITY)
    address = "data:image/jpeg;base64," + base64.b64encode(written.getvalue()).decode("ascii")
    path.write_text(overlay(explanation, picture=address), encoding="utf-8")


def overlay(explanation: Explanation, picture: str | None = None) -> str:
    """Return an SVG of all regions except the whole picture.

    The largest region is drawn first, so that small regions are on top. picture: address of a picture that is drawn
    below the regions. Raises BadMask if masks are broken or differ in size.
    """
    height, width = size_of(explanation)
    beneath = f'<image href={_quoted(picture)} width="{width}" height="{height}"/>' if picture else ""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="group" '
        f'aria-label="Regions of the picture">{_hatching(hatch_distance(width))}{beneath}'
        f"{''.join(_paths(explanation))}</svg>"
    )


def hatch_distance(width: int) -> float:
    """Return the distance between hatching lines for a picture's width.

    Both are in px.
    """
    return max(2.0, width / 100)


def size_of(explanation: Explanation) -> tuple[int, int]:
    """Return the size (height, width) in px that all regions share.

    Raises BadMask if regions have different sizes, or if there are no regions.
    """
    sizes = {region.size for region in explanation.regions}
    if len(sizes) != 1:
        raise BadMask("regions of one picture that all have the same size", f"{len(sizes)} sizes")
    return sizes.pop()


def drawn(explanation: Explanation) -> list[tuple[int, Region]]:
    """Return the regions to draw with their indices, the largest first. Raises BadMask."""
    parts = [(index, region) for index, region in enumerate(explanation.regions) if not region.is_full]
    return sorted(parts, key=lambda part: -masks.area(part[1].rle, part[1].size))


def names(explanation: Explanation) -> tuple[str, ...]:
    """Return the name of each region.

    The name is its label, with a number if several regions share it. Without a label it is the region's number.
    """
    labels = [None if region.is_full else region.label or None for region in explanation.regions]
    all_of, so_far = Counter(labels), Counter[str | None]()
    words = []
    for number, label in enumerate(labels, start=1):
        so_far[label] += 1
        numbered = f"{label} {so_far[label]}" if label and all_of[label] > 1 else label
        words.append(numbered or f"region {number}")
    return tuple(words)


def look(explanation: Explanation, region: Region) -> str:
    """Return how a region is drawn: "mentioned", "unmentioned" or "waiting".

    A region is "waiting" if the metric did not compare the caption's words with the regions.
    """
    if not explanation.is_read:
        return "waiting"
    return "mentioned" if region.mentioned else "unmentioned"


def titles(explanation: Explanation) -> tuple[str, ...]:
    """Return the title of each region: its name and its best-matching phrase."""
    said = []
    for region, name in zip(explanation.regions, names(explanation), strict=True):
        words = "mentioned by" if region.mentioned else "not mentioned; nearest phrase is"
        best = None if region.phrase is None else explanation.phrases[region.phrase]
        said.append(name if best is None else f"{name}: {words} “{best.shown or best.text}” ({region.support:.3f})")
    return tuple(said)


def hatched(explanation: Explanation) -> frozenset[int]:
    """Return the indices of the regions to hatch.

    They are unmentioned and not part of a larger mentioned region. No region is hatched if the metric did not compare
    the caption's words with the regions.
    """
    if not explanation.is_read:
        return frozenset()
    regions = explanation.regions
    wholes = shapes.wholes(tuple(None if one.is_full else (one.rle, one.size, one.label) for one in regions))
    return frozenset(
        index
        for index, region in drawn(explanation)
        if not region.mentioned and not any(regions[whole].mentioned for whole in wholes[index])
    )


def _paths(explanation: Explanation) -> Iterator[str]:
    said, opacity, hatch = titles(explanation), hatch_opacity(explanation), hatched(explanation)
    for index, region in drawn(explanation):
        looks, title = look(explanation, region), _quoted(said[index])
        fill, shape = f"url(#{HATCH})" if index in hatch else "none", shapes.shape(region.rle, region.size).path
        yield (
            f'<clipPath id="{_clip(shape)}"><path d="{shape}" clip-rule="evenodd"/></clipPath>'
            f'<path class="{looks}" role="img" aria-label={title} fill="{fill}" fill-opacity="{opacity:g}" '
            f'fill-rule="evenodd" pointer-events="all" d="{shape}"><title>{title[1:-1]}</title></path>'
        )
    for index, region in lined(explanation):
        line_px, over_px = lines_px(explanation, index, hatch)
        looks, shape = look(explanation, region), shapes.shape(region.rle, region.size).path
        dashes = DASHES[looks]
        written = "none" if dashes is None else f"{dashes[0]} {dashes[1]}"
        outline = (
            f'aria-hidden="true" pointer-events="none" fill="none" vector-effect="non-scaling-stroke" '
            f'clip-path="url(#{_clip(shape)})" d="{shape}"'
        )
        yield (
            f'<path class="edge" stroke="{OVER}" stroke-width="{over_px:g}" stroke-dasharray="{written}" {outline}/>'
            f'<path class="rim {looks}" stroke="{COLOURS[looks]}" stroke-width="{line_px:g}" {outline}/>'
        )


def _clip(shape: str) -> str:
    """Return the id of the shape that clips an outline. Two SVGs on one page share an id only for one shape."""
    return f"{CLIP}-{zlib.crc32(shape.encode()):08x}"


def lined(explanation: Explanation) -> list[tuple[int, Region]]:
    """Return the regions in the order in which their lines are drawn: mentioned regions last, small over large ones."""
    return sorted(drawn(explanation), key=lambda part: look(explanation, part[1]) == "mentioned")


def lines_px(explanation: Explanation, index: int, hatch: Collection[int]) -> tuple[float, float]:
    """Return the widths in px of a region's coloured and white lines.

    The lines are thin if the region is part of a larger mentioned region. So the outline of the larger region stays
    visible where both regions have the same border. The lines of small regions are thin too, so that the regions can be
    seen. hatch: the indices of the hatched regions.
    """
    region = explanation.regions[index]
    is_part = look(explanation, region) == "unmentioned" and index not in hatch
    share = LINE_SHARE * SCREEN_PX * shapes.shape(region.rle, region.size).thickness / region.size[1]
    width = max(LEAST_PX, min(PART_LINE_PX if is_part else LINE_PX, share))
    return round(width, 2), round(LIGHT * width, 2)


def hatch_opacity(explanation: Explanation) -> float:
    """Return the opacity of the hatching, in [0, 1].

    The hatching marks unmentioned regions.
    """
    return HATCH_OPACITY * (LIGHTER if len(explanation.regions) > MANY else 1)


def _hatching(px: float) -> str:
    coloured, over = (share * px for share in HATCH_SHARES)
    return (
        f'<defs><pattern id="{HATCH}" width="{px:g}" height="{px:g}" patternUnits="userSpaceOnUse" '
        f'patternTransform="rotate(45)"><rect width="{coloured:g}" height="{px:g}" fill="{UNMENTIONED}"/>'
        f'<rect x="{coloured:g}" width="{over:g}" height="{px:g}" fill="{OVER}"/></pattern></defs>'
    )


def _quoted(text: str) -> str:
    """Return a text as a quoted XML attribute.

    Characters that XML forbids are removed.
    """
    return quoteattr(_NOT_XML.sub("", text), {'"': "&quot;", "'": "&#39;"})
