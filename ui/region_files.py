"""Save a picture with its regions as an SVG or PNG file, drawn as ui/region_overlay.py states."""

import base64
import io
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path

import numpy as np
from PIL import Image, ImageChops, ImageColor, ImageDraw

from core.errors import BadSetting
from core.images.pictures import open_rgb
from core.regions import masks, outlines
from core.types import Explanation, Region
from ui.region_overlay import (
    COLOURS,
    DASHES,
    HATCH_SHARES,
    OVER,
    UNMENTIONED,
    drawn,
    hatch_distance,
    hatch_opacity,
    hatched,
    lined,
    lines_px,
    look,
    overlay,
    size_of,
)

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
    for index, region in lined(explanation):
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


def _outline(image: Image.Image, region: Region, looks: str, widths: tuple[float, float]) -> None:
    dashes, loops = DASHES[looks], outlines.outlines(region.rle, region.size)
    inside = Image.fromarray(masks.decode(region.rle, region.size))
    line_px, over_px = widths
    stretches = [stretch for loop in loops for stretch in ([loop] if dashes is None else _dashes(loop, *dashes))]
    for lines, colour, width in ((stretches, OVER, over_px), (loops, COLOURS[looks], line_px)):
        stencil = Image.new("1", image.size)
        draw = ImageDraw.Draw(stencil)
        for line in lines:
            draw.line(line, fill=1, width=max(1, round(width)), joint="curve")
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
