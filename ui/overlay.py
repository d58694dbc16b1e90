"""One SVG over a picture: a region an outline, mentioned and unmentioned told apart by colour and by pattern.

Pure: an Explanation in, text out. Mentioned regions are blue, plain and have a solid edge; unmentioned ones are
vermilion, hatched and have a dashed edge (Okabe-Ito colours). The attributes are defaults that a page's CSS may
override; data-support lets the page move the cut without asking the server.
"""

import re
from collections.abc import Iterator
from xml.sax.saxutils import quoteattr

from core import masks, outlines
from core.errors import BadMask
from core.types import Explanation, Region

MENTIONED, UNMENTIONED = "#0072b2", "#d55e00"
HATCH_PX = 8  # distance of the hatching's lines, in px of the picture at 800 px across
_NOT_XML = re.compile(r"[^\t\n\r -\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_-]*")


def overlay(explanation: Explanation, cut: float, name: str = "overlay", picture: str | None = None) -> str:
    """Return an SVG of all regions but the whole picture, the largest first, so that small ones lie on top.

    cut: support from which a region counts as mentioned. name: what the ids begin with. picture: address of the
    picture to draw beneath, for a file of its own. Raises BadMask where masks are broken or differ in size.
    """
    if not _NAME.fullmatch(name):
        raise ValueError(f"name: expected letters, digits, _ and - after a letter, found {name!r}")
    height, width = size_of(explanation)
    hatch = max(2.0, HATCH_PX * width / 800)
    beneath = f'<image href={_quoted(picture)} width="{width}" height="{height}"/>' if picture else ""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" id="{name}" viewBox="0 0 {width} {height}" role="group" '
        f'aria-label="Regions of the picture">{_hatching(name, hatch)}{beneath}'
        f"{''.join(_paths(explanation, cut, name))}</svg>"
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


def title(explanation: Explanation, index: int, cut: float) -> str:
    """Return what a region is called: its label or number, and the phrase that mentions it best."""
    region = explanation.regions[index]
    what = region.label or f"region {index + 1}"
    if region.phrase is None:
        return what
    best = explanation.phrases[region.phrase].text
    said = "mentioned by" if region.support >= cut else "not mentioned; nearest is"
    return f"{what}: {said} “{best}” ({region.support:.3f})"


def _paths(explanation: Explanation, cut: float, name: str) -> Iterator[str]:
    for index, region in drawn(explanation):
        mentioned = region.support >= cut
        colour = MENTIONED if mentioned else UNMENTIONED
        fill = colour if mentioned else f"url(#{name}-hatch)"
        said = _quoted(title(explanation, index, cut))
        yield (
            f'<path id="{name}-region-{index}" class="region {"mentioned" if mentioned else "unmentioned"}" '
            f'data-region="{index}" data-phrase="{"" if region.phrase is None else region.phrase}" '
            f'data-support="{region.support!r}" tabindex="0" role="img" aria-label={said} '
            f'fill="{fill}" fill-opacity="{0.25 if mentioned else 0.6}" fill-rule="evenodd" stroke="{colour}" '
            f'stroke-width="2" {"" if mentioned else "stroke-dasharray=" + quoteattr("6 4") + " "}'
            f'vector-effect="non-scaling-stroke" d="{outlines.svg_path(region.rle, region.size)}">'
            f"<title>{said[1:-1]}</title></path>"
        )


def _hatching(name: str, px: float) -> str:
    return (
        f'<defs><pattern id="{name}-hatch" width="{px:g}" height="{px:g}" patternUnits="userSpaceOnUse" '
        f'patternTransform="rotate(45)"><rect width="{px / 3:g}" height="{px:g}" fill="{UNMENTIONED}"/>'
        "</pattern></defs>"
    )


def _quoted(text: str) -> str:
    """Return text as an XML attribute in quotes, without characters that XML does not have."""
    return quoteattr(_NOT_XML.sub("", text), {'"': "&quot;", "'": "&#39;"})
