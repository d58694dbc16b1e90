"""Regions drawn over their picture, as SVG or PNG files: mentioned and unmentioned told apart by colour and pattern.

Pure: an Explanation in, a file out that stands alone; the pages draw for themselves (ui/static/regions/picture.js).
Mentioned regions are blue, plain and have a solid edge; unmentioned ones are vermilion, hatched and have a dashed
edge (Okabe-Ito colours).
"""

import base64
import io
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from xml.sax.saxutils import quoteattr

import numpy as np
from PIL import Image, ImageColor, ImageDraw

from core.errors import BadMask, BadSetting
from core.images import open_rgb
from core.regions import masks, outlines
from core.types import Explanation, Region

MENTIONED, UNMENTIONED = "#0072b2", "#d55e00"
HATCH = "capscope-hatch"  # id of the hatching within the SVG
HATCH_PX = 8  # distance of the hatching's lines, in px of the picture at 800 px across
_NOT_XML = re.compile(r"[^\t\n\r -\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def overlay(explanation: Explanation, picture: str | None = None) -> str:
    """Return an SVG of all regions but the whole picture, the largest first, so that small ones lie on top.

    picture: address of the picture to draw beneath. Raises BadMask where masks are broken or differ in size.
    """
    height, width = size_of(explanation)
    beneath = f'<image href={_quoted(picture)} width="{width}" height="{height}"/>' if picture else ""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="group" '
        f'aria-label="Regions of the picture">{_hatching(max(2.0, HATCH_PX * width / 800))}{beneath}'
        f"{''.join(_paths(explanation))}</svg>"
    )


def size_of(explanation: Explanation) -> tuple[int, int]:
    """Return the (height, width) in px that all regions share. Raises BadMask where they do not, or there are none."""
    sizes = {region.size for region in explanation.regions}
    if len(sizes) != 1:
        raise BadMask("regions of one picture, all of its size", f"{len(sizes)} sizes")
    return sizes.pop()


def drawn(explanation: Explanation) -> list[tuple[int, Region]]:
    """Return the regions to draw with their index in the explanation, the largest first. Raises BadMask."""
    parts = [(index, region) for index, region in enumerate(explanation.regions) if not region.is_full]
    return sorted(parts, key=lambda part: -masks.area(part[1].rle, part[1].size))


def names(explanation: Explanation) -> tuple[str, ...]:
    """Return what each region is called: its label, numbered where several share it, or its number among all."""
    labels = [None if region.is_full else region.label or None for region in explanation.regions]
    all_of, so_far = Counter(labels), Counter[str | None]()
    found = []
    for number, label in enumerate(labels, start=1):
        so_far[label] += 1
        numbered = f"{label} {so_far[label]}" if label and all_of[label] > 1 else label
        found.append(numbered or f"region {number}")
    return tuple(found)


def titles(explanation: Explanation) -> tuple[str, ...]:
    """Return what is said of each region: its name, and the phrase that mentions it best."""
    said = []
    for region, name in zip(explanation.regions, names(explanation), strict=True):
        words = "mentioned by" if region.mentioned else "not mentioned; nearest is"
        best = None if region.phrase is None else explanation.phrases[region.phrase].text
        said.append(name if best is None else f"{name}: {words} “{best}” ({region.support:.3f})")
    return tuple(said)


def _paths(explanation: Explanation) -> Iterator[str]:
    said = titles(explanation)
    for index, region in drawn(explanation):
        mentioned, title = region.mentioned, _quoted(said[index])
        colour = MENTIONED if mentioned else UNMENTIONED
        yield (
            f'<path class="{"mentioned" if mentioned else "unmentioned"}" role="img" aria-label={title} '
            f'fill="{colour if mentioned else f"url(#{HATCH})"}" fill-opacity="{0.25 if mentioned else 0.6}" '
            f'fill-rule="evenodd" stroke="{colour}" '
            f'stroke-width="2" {"" if mentioned else "stroke-dasharray=" + quoteattr("6 4") + " "}'
            f'vector-effect="non-scaling-stroke" d="{outlines.svg_path(region.rle, region.size)}">'
            f"<title>{title[1:-1]}</title></path>"
        )


def _hatching(px: float) -> str:
    return (
        f'<defs><pattern id="{HATCH}" width="{px:g}" height="{px:g}" patternUnits="userSpaceOnUse" '
        f'patternTransform="rotate(45)"><rect width="{px / 3:g}" height="{px:g}" fill="{UNMENTIONED}"/>'
        "</pattern></defs>"
    )


def _quoted(text: str) -> str:
    """Return text as an XML attribute in quotes, without characters that XML does not have."""
    return quoteattr(_NOT_XML.sub("", text), {'"': "&quot;", "'": "&#39;"})


QUALITY = 90  # of the JPEG inside an SVG, 0-100


def save_overlay(path: Path, picture: Path, explanation: Explanation) -> None:
    """Draw the regions over the picture into a .svg or .png file. Raises BadImage, BadMask, BadSetting."""
    writers = {".svg": overlay_svg, ".png": overlay_png}
    if path.suffix.lower() not in writers:
        raise BadSetting(f"expected an overlay file ending in .svg or .png, found {path.name}")
    path.write_bytes(writers[path.suffix.lower()](open_rgb(picture), explanation))


def overlay_svg(picture: Image.Image, explanation: Explanation) -> bytes:
    """Return a stand-alone SVG with the picture inside."""
    written = io.BytesIO()
    picture.save(written, "JPEG", quality=QUALITY)
    address = "data:image/jpeg;base64," + base64.b64encode(written.getvalue()).decode("ascii")
    return overlay(explanation, picture=address).encode()


def overlay_png(picture: Image.Image, explanation: Explanation) -> bytes:
    """Return a PNG of the picture with the regions as the SVG shows them: tinted or hatched, edges drawn."""
    height, width = size_of(explanation)
    canvas = np.array(picture.resize((width, height)) if picture.size != (width, height) else picture, np.float32)
    for _, region in drawn(explanation):
        _tint(canvas, region, region.mentioned)
    image = Image.fromarray(canvas.round().astype(np.uint8))
    for _, region in drawn(explanation):
        _outline(image, region, region.mentioned)
    written = io.BytesIO()
    image.save(written, "PNG")
    return written.getvalue()


def _tint(canvas: np.ndarray, region: Region, mentioned: bool) -> None:
    inside = masks.decode(region.rle, region.size)
    if not mentioned:
        rows, columns = np.ogrid[: region.size[0], : region.size[1]]
        distance = max(3, round(HATCH_PX * region.size[1] / 800))
        inside = inside & ((rows + columns) % distance < max(1, distance // 3))
    colour = np.array(ImageColor.getrgb(MENTIONED if mentioned else UNMENTIONED), np.float32)
    opacity = 0.25 if mentioned else 0.6
    canvas[inside] = canvas[inside] * (1 - opacity) + colour * opacity


def _outline(image: Image.Image, region: Region, mentioned: bool) -> None:
    draw, width = ImageDraw.Draw(image), max(1, round(region.size[1] / 400))
    for loop in outlines.outlines(region.rle, region.size):
        draw.line(loop, fill=MENTIONED if mentioned else UNMENTIONED, width=width)
