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
from dataclasses import dataclass
from pathlib import Path
from xml.sax.saxutils import quoteattr

from core.errors import BadMask, BadSetting
from core.images.pictures import open_rgb
from core.regions import masks, shapes
from core.regions.shapes import Shape
from core.statistics.rounding import half_up
from core.types import Explanation
from ui.region_words import Look, about_regions, looks, names

MENTIONED, UNMENTIONED, WAITING, OVER = "#0072b2", "#d55e00", "#767676", "#ffffff"
LINE_PX, PART_LINE_PX = 6, 3  # largest line widths in px, for regions and parts of regions; the outer half is hidden
LEAST_PX = 1.2  # smallest width of coloured lines in px
LIGHT = 1.5  # width of white lines, relative to the coloured line
LINE_SHARE, SCREEN_PX = 0.25, 800  # largest line width as a share of a region's thickness, in a picture 800 px wide
# Dash and gap of the white line in px
DASHES: dict[Look, str] = {"mentioned": "none", "unmentioned": "6 4", "part": "6 4", "waiting": "1 4"}
COLOURS: dict[Look, str] = {
    "mentioned": MENTIONED,
    "unmentioned": UNMENTIONED,
    "part": UNMENTIONED,
    "waiting": WAITING,
}
HATCH = "capscope-hatch"  # id of the hatching within the SVG
CLIP = "capscope-clip"  # prefix of the ids of clip paths, which hide the outer half of an outline's lines
HATCH_SHARES = (0.3, 0.12)  # widths of the coloured and the white stripe, as shares of the hatching's distance
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

    The largest region is drawn first, so that small regions are on top. The lines of mentioned regions are drawn last.
    picture: address of a picture that is drawn below the regions. Raises BadMask if masks are broken or differ in size.
    """
    height, width = _size_of(explanation)
    regions = _drawn(explanation)
    opacity = HATCH_OPACITY * (LIGHTER if len(explanation.regions) > MANY else 1)
    areas = [region.area(opacity) for region in regions]
    outlines = [one.outline(width) for one in sorted(regions, key=lambda region: region.look == "mentioned")]
    beneath = f'<image href={_quoted(picture)} width="{width}" height="{height}"/>' if picture else ""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="group" '
        f'aria-label="Regions of the picture">{_hatching(max(2.0, width / 100))}{beneath}'
        f"{''.join([*areas, *outlines])}</svg>"
    )


def _size_of(explanation: Explanation) -> tuple[int, int]:
    """Return the size (height, width) in px that all regions share. Raises BadMask."""
    sizes = {region.size for region in explanation.regions}
    if len(sizes) != 1:
        raise BadMask("regions of one picture that all have the same size", f"{len(sizes)} sizes")
    return sizes.pop()


@dataclass(frozen=True, slots=True)
class _Drawn:
    """A region to draw."""

    look: Look
    title: str
    shape: Shape

    @property
    def clip(self) -> str:
        """The id of the shape that clips the outline. Two SVGs on one page share an id only for one shape."""
        return f"{CLIP}-{zlib.crc32(self.shape.path.encode()):08x}"

    def area(self, opacity: float) -> str:
        """Return the area, which shows the region's title when somebody points at it."""
        path, title = self.shape.path, _quoted(self.title)
        fill = f"url(#{HATCH})" if self.look == "unmentioned" else "none"
        return (
            f'<clipPath id="{self.clip}"><path d="{path}" clip-rule="evenodd"/></clipPath>'
            f'<path class="{self.look}" role="img" aria-label={title} fill="{fill}" fill-opacity="{opacity:g}" '
            f'fill-rule="evenodd" pointer-events="all" d="{path}"><title>{title[1:-1]}</title></path>'
        )

    def outline(self, picture_width: int) -> str:
        """Return the coloured line and the white line.

        The lines of a part are thin, so that the outline of the larger region stays visible where both have the same
        border. The lines of small regions are thin too, so that the regions can be seen.
        """
        share = LINE_SHARE * SCREEN_PX * self.shape.thickness / picture_width
        width = max(LEAST_PX, min(PART_LINE_PX if self.look == "part" else LINE_PX, share))
        same = (
            f'aria-hidden="true" pointer-events="none" fill="none" vector-effect="non-scaling-stroke" '
            f'clip-path="url(#{self.clip})" d="{self.shape.path}"'
        )
        over, line = round(LIGHT * width, 2), round(width, 2)
        return (
            f'<path class="edge" stroke="{OVER}" stroke-width="{over:g}" stroke-dasharray="{DASHES[self.look]}" '
            f'{same}/><path class="rim {self.look}" stroke="{COLOURS[self.look]}" stroke-width="{line:g}" {same}/>'
        )


def _drawn(explanation: Explanation) -> list[_Drawn]:
    """Return the regions to draw, the largest first. Raises BadMask."""
    regions = explanation.regions
    told = zip(regions, looks(explanation), names(regions), about_regions(explanation), strict=True)
    parts = [one for one in told if not one[0].is_full]
    parts.sort(key=lambda one: -masks.area(one[0].rle, one[0].size))
    return [
        _Drawn(look, f"{name}: {words} (recall {half_up(one.recall, 3)})", shapes.shape(one.rle, one.size))
        for one, look, name, words in parts
    ]


def _hatching(px: float) -> str:
    coloured, over = (share * px for share in HATCH_SHARES)
    return (
        f'<defs><pattern id="{HATCH}" width="{px:g}" height="{px:g}" patternUnits="userSpaceOnUse" '
        f'patternTransform="rotate(45)"><rect width="{coloured:g}" height="{px:g}" fill="{UNMENTIONED}"/>'
        f'<rect x="{coloured:g}" width="{over:g}" height="{px:g}" fill="{OVER}"/></pattern></defs>'
    )


def _quoted(text: str) -> str:
    """Return a text as a quoted XML attribute, without the characters that XML forbids."""
    return quoteattr(_NOT_XML.sub("", text), {'"': "&quot;", "'": "&#39;"})
