"""The overlay as a file of its own: SVG with the picture inside, or PNG."""

import base64
import io
from pathlib import Path

import numpy as np
from PIL import Image, ImageColor, ImageDraw

from core.errors import BadSetting
from core.images import open_rgb
from core.regions import masks, outlines
from core.types import Explanation, Region
from ui.overlay import HATCH_PX, MENTIONED, UNMENTIONED, drawn, overlay, size_of

QUALITY = 90  # of the JPEG inside an SVG, 0-100


def save_overlay(path: Path, picture: Path, explanation: Explanation, cut: float) -> None:
    """Draw the regions over the picture into a .svg or .png file. Raises BadImage, BadMask, BadSetting."""
    writers = {".svg": overlay_svg, ".png": overlay_png}
    if path.suffix.lower() not in writers:
        raise BadSetting(f"expected an overlay file ending in .svg or .png, found {path.name}")
    path.write_bytes(writers[path.suffix.lower()](open_rgb(picture), explanation, cut))


def overlay_svg(picture: Image.Image, explanation: Explanation, cut: float) -> bytes:
    """Return a stand-alone SVG with the picture inside."""
    written = io.BytesIO()
    picture.save(written, "JPEG", quality=QUALITY)
    address = "data:image/jpeg;base64," + base64.b64encode(written.getvalue()).decode("ascii")
    return overlay(explanation, cut, picture=address).encode()


def overlay_png(picture: Image.Image, explanation: Explanation, cut: float) -> bytes:
    """Return a PNG of the picture with the regions as the SVG shows them: tinted or hatched, edges drawn."""
    height, width = size_of(explanation)
    canvas = np.array(picture.resize((width, height)) if picture.size != (width, height) else picture, np.float32)
    for _, region in drawn(explanation):
        _tint(canvas, region, region.support >= cut)
    image = Image.fromarray(canvas.round().astype(np.uint8))
    for _, region in drawn(explanation):
        _outline(image, region, region.support >= cut)
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
