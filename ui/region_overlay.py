"""Draw regions over their picture, as SVG or PNG files.

Colour and pattern distinguish regions that the caption mentions from unmentioned regions.

Input is an Explanation; output is a stand-alone file. The drawing is the same as on the pages
(ui/static/regions/picture.js; a test compares them). The only difference is that the pages hatch a region only while
the user points at it. Every outline has a coloured line and a white line along its inner side, so that it is visible on
any background. Both lines lie inside the region: they are drawn twice as wide, and the region's own shape clips them.
So the colours of two neighbours are side by side, and neither covers the other. Mentioned regions are blue and
unfilled, with a solid white line. Unmentioned regions are vermilion and hatched, with a dashed white line (Okabe-Ito
colours). An unmentioned region inside a larger mentioned region is not hatched, and its lines are thin. Otherwise a
part of the larger region would look unmentioned. If the metric did not compare the caption's words with the regions,
all regions are grey with a dotted white line.
"""

import base64
import io
import re
import zlib
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from xml.sax.saxutils import quoteattr

import numpy as np
from PIL import Image, ImageChops, ImageColor, ImageDraw

from core.errors import BadMask, BadSetting
from core.images.pictures import open_rgb
from core.regions import masks, outlines
from core.types import Explanation, Region

MENTIONED, UNMENTIONED, WAITING, OVER = "#0072b2", "#d55e00", "#767676", "#ffffff"
LINES_PX, PART_LINES_PX = (6, 9), (4, 6)  # (coloured, white) line widths, px; only the half inside a region is visible
DASHES = {"mentioned": None, "unmentioned": (6, 4), "waiting": (1, 4)}  # white line's dash and gap, px; None: solid
COLOURS = {"mentioned": MENTIONED, "unmentioned": UNMENTIONED, "waiting": WAITING}
HATCH = "capscope-hatch"  # id of the hatching within the SVG
CLIP = "capscope-clip"  # prefix of the ids of clip paths, which hide the outer half of an outline's lines
HATCH_SHARES = (0.3, 0.12)  # widths of the coloured and the white stripe, as fractions of hatch_distance
HATCH_OPACITY, MANY = 0.7, 15  # opacity of fills; lower with more than MANY regions, to keep the picture visible
LIGHTER = 0.4
WITHIN = 0.9  # a region is part of a larger region if at least this share of its area is inside the larger region
_NOT_XML = re.compile(r"[^\t\n\r -\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


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
    marked_masks = [(masks.decode(region.rle, region.size), region.mentioned) for _, region in drawn(explanation)]
    order = [index for index, _ in drawn(explanation)]
    found = set()
    for place, (mask, mentioned) in enumerate(marked_masks):
        larger = (other for other, is_there in marked_masks[:place] if is_there and other.sum() > mask.sum())
        if not mentioned and not any((mask & other).sum() >= WITHIN * mask.sum() for other in larger):
            found.add(order[place])
    return frozenset(found)


def _paths(explanation: Explanation) -> Iterator[str]:
    said, opacity, hatch = titles(explanation), hatch_opacity(explanation), hatched(explanation)
    for index, region in drawn(explanation):
        line_px, over_px = lines_px(explanation, index, hatch)
        looks, title = look(explanation, region), _quoted(said[index])
        fill, dashes = f"url(#{HATCH})" if index in hatch else "none", DASHES[looks]
        written = "none" if dashes is None else f"{dashes[0]} {dashes[1]}"
        shape = outlines.svg_path(region.rle, region.size)
        clip = f"{CLIP}-{zlib.crc32(shape.encode()):08x}"  # one id per shape, because a page can have several SVGs
        outline = f'vector-effect="non-scaling-stroke" clip-path="url(#{clip})" d="{shape}"'
        yield (
            f'<clipPath id="{clip}"><path d="{shape}" clip-rule="evenodd"/></clipPath>'
            f'<path class="edge" aria-hidden="true" fill="none" stroke="{OVER}" stroke-width="{over_px}" '
            f'stroke-dasharray="{written}" {outline}/>'
            f'<path class="{looks}" role="img" aria-label={title} '
            f'fill="{fill}" fill-opacity="{opacity:g}" fill-rule="evenodd" stroke="{COLOURS[looks]}" '
            f'stroke-width="{line_px}" {outline}><title>{title[1:-1]}</title></path>'
        )


def lines_px(explanation: Explanation, index: int, hatch: Collection[int]) -> tuple[int, int]:
    """Return the widths in px of a region's coloured and white lines.

    The lines are thin if the region is part of a larger mentioned region. So the outline of the larger region stays
    visible where both regions have the same border. hatch: the indices of the hatched regions.
    """
    is_part = look(explanation, explanation.regions[index]) == "unmentioned" and index not in hatch
    return PART_LINES_PX if is_part else LINES_PX


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


QUALITY = 90  # quality of the JPEG inside an SVG, 0-100


def save_overlay(path: Path, picture: Path, explanation: Explanation) -> None:
    """Draw the regions over the picture into a .svg or .png file. Raises BadImage, BadMask, BadSetting."""
    writers = {".svg": overlay_svg, ".png": overlay_png}
    if path.suffix.lower() not in writers:
        raise BadSetting(f"the name of an overlay file must end in .svg or .png, found {path.name}")
    path.write_bytes(writers[path.suffix.lower()](open_rgb(picture), explanation))


def overlay_svg(picture: Image.Image, explanation: Explanation) -> bytes:
    """Return a stand-alone SVG that contains the picture."""
    written = io.BytesIO()
    picture.save(written, "JPEG", quality=QUALITY)
    address = "data:image/jpeg;base64," + base64.b64encode(written.getvalue()).decode("ascii")
    return overlay(explanation, picture=address).encode()


def overlay_png(picture: Image.Image, explanation: Explanation) -> bytes:
    """Return a PNG of the picture with the regions drawn as in the SVG."""
    height, width = size_of(explanation)
    canvas = np.array(picture.resize((width, height)) if picture.size != (width, height) else picture, np.float32)
    hatch = hatched(explanation)
    for index, region in drawn(explanation):
        if index in hatch:
            _hatch(canvas, region, hatch_opacity(explanation))
    image = Image.fromarray(canvas.round().astype(np.uint8))
    for index, region in drawn(explanation):
        _outline(image, region, look(explanation, region), lines_px(explanation, index, hatch))
    written = io.BytesIO()
    image.save(written, "PNG")
    return written.getvalue()


def _hatch(canvas: np.ndarray, region: Region, opacity: float) -> None:
    inside, distance = masks.decode(region.rle, region.size), hatch_distance(region.size[1])
    rows, columns = np.ogrid[: region.size[0], : region.size[1]]
    along = (rows + columns) / np.sqrt(2) % distance / distance  # position of pixels between two hatching lines, [0, 1)
    coloured, over = HATCH_SHARES
    for stripe, colour in ((along < coloured, UNMENTIONED), ((along >= coloured) & (along < coloured + over), OVER)):
        tinted = inside & stripe
        canvas[tinted] = canvas[tinted] * (1 - opacity) + np.array(ImageColor.getrgb(colour), np.float32) * opacity


def _outline(image: Image.Image, region: Region, looks: str, widths: tuple[int, int]) -> None:
    dashes, loops = DASHES[looks], outlines.outlines(region.rle, region.size)
    inside = Image.fromarray(masks.decode(region.rle, region.size))
    line_px, over_px = widths
    stretches = [stretch for loop in loops for stretch in ([loop] if dashes is None else _dashes(loop, *dashes))]
    for lines, colour, width in ((stretches, OVER, over_px), (loops, COLOURS[looks], line_px)):
        stencil = Image.new("1", image.size)
        draw = ImageDraw.Draw(stencil)
        for line in lines:
            draw.line(line, fill=1, width=width, joint="curve")
        image.paste(colour, mask=ImageChops.logical_and(stencil, inside))


def _dashes(loop: Sequence[tuple[int, int]], dash: int, gap: int) -> Iterator[list[tuple[int, int]]]:
    """Yield the dashes of a dashed outline, each as two end points.

    loop: the corners of the outline, whose edges are vertical and horizontal. dash, gap: lengths in px.
    """
    walked = 0
    for (x0, y0), (x1, y1) in pairwise(loop):
        length = abs(x1 - x0) + abs(y1 - y0)
        step_x, step_y = (x1 > x0) - (x1 < x0), (y1 > y0) - (y1 < y0)
        for start in range(-(walked % (dash + gap)), length, dash + gap):
            begin, end = max(0, start), min(length, start + dash)
            if begin < end:
                yield [(x0 + step_x * at, y0 + step_y * at) for at in (begin, end)]
        walked += length
