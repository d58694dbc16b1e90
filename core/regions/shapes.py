"""How regions are drawn: smooth outlines, thickness, and which regions are parts of others."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from math import hypot

from core.regions import masks, outlines
from core.regions.masks import Size
from core.regions.relations import outline

STEP = 1.0  # px; a corner at most this far from a straight line is left out
SHARE = 0.25  # a left-out corner is at most this far from the straight line; share of the region's thickness
WITHIN = 0.9  # a region with at least this share of its area inside another counts as a part of the other


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


# Nouns for surroundings, which have no parts: a bird is no part of the sky, and a cup no part of a table.
SURROUNDINGS = _words(
    "air background backdrop beach bay bench bed bush bushes carpet cloud clouds coast couch counter court crowd "
    "desert desk dirt earth field floor foreground forest garden grass ground harbor harbour hill hills hillside "
    "ice lake land landscape lawn leaves meadow mountain mountains mud ocean park path pavement plate pond pool "
    "rink river road rug runway sand scene sea shelf shore sidewalk sky snow sofa street table tablecloth track "
    "tray tree trees wall water waves woods"
)
# Nouns of things that are parts of nothing: a bicycle before a building is no part of the building.
WHOLE_THINGS = _words(
    "adult baby boy child children gentleman girl guy kid lady man men passenger pedestrian people person player rider "
    "woman women animal bear bird cat cheetah chicken cow dog duck elephant giraffe goat goose horse lion lioness "
    "monkey sheep swan tiger zebra airplane bicycle bike boat bus car helicopter motorbike motorcycle plane scooter "
    "ship train tram truck van branch branches chair plant tree"
)
GROUPS = _words("audience family flock group herd men pack pair people team women")
ENDS = _words("of with in on at near behind under beside")  # a label's main noun stands before these words

Point = tuple[int, int]
Part = tuple[str, Size, str | None]  # the mask's rle and size, and the label; a region to compare with others


@dataclass(frozen=True, slots=True)
class Shape:
    """A region as it is drawn."""

    path: str  # SVG path in px, with the even-odd fill rule; straight lines replace the steps of pixels
    thickness: float  # px: twice the area, divided by the length of the outline


@lru_cache(maxsize=4096)  # cached, because a page draws the same masks again after each edit of its caption
def shape(rle: str, size: Size) -> Shape:
    """Return how to draw a mask. Lines of thin regions stay exact. Raises BadMask."""
    loops = outlines.outlines(rle, size)
    length = sum(abs(x1 - x0) + abs(y1 - y0) for loop in loops for (x0, y0), (x1, y1) in pairwise(loop))
    thickness = 2 * masks.area(rle, size) / length if length else 0.0
    path = "".join(_written(_simplified(loop[:-1], min(STEP, SHARE * thickness))) for loop in loops)
    return Shape(path, round(thickness, 2))


def _simplified(loop: Sequence[Point], most: float) -> list[Point]:
    """Leave out corners that are near straight lines. The outermost corners stay, so that rectangles stay so."""
    kept = {
        at
        for axis in (0, 1)
        for edge in (min(point[axis] for point in loop), max(point[axis] for point in loop))
        for at, point in enumerate(loop)
        if point[axis] == edge
    }
    fixed = sorted(kept)
    round_trip = [*loop, *loop[: fixed[0] + 1]]  # closes the loop at its first outermost corner
    ranges = list(pairwise([*fixed, len(loop) + fixed[0]]))
    while ranges:
        start, end = ranges.pop()
        (x0, y0), (x1, y1) = round_trip[start], round_trip[end]
        across, down, farthest, distance = x1 - x0, y1 - y0, start, most
        length = hypot(across, down)
        for at in range(start + 1, end):
            x, y = round_trip[at]
            away = abs(across * (y0 - y) - (x0 - x) * down) / length if length else hypot(x - x0, y - y0)
            if away > distance:
                farthest, distance = at, away
        if farthest != start:
            kept.add(farthest % len(loop))
            ranges += [(start, farthest), (farthest, end)]
    return [loop[at] for at in sorted(kept)]


def _written(corners: Sequence[Point]) -> str:
    steps = ((x1 - x0, y1 - y0) for (x0, y0), (x1, y1) in pairwise([*corners, corners[0]]))
    lines = (f"l{right} {down}" if right and down else f"h{right}" if right else f"v{down}" for right, down in steps)
    return f"M{corners[0][0]} {corners[0][1]}{''.join(lines)}Z"


@lru_cache(maxsize=512)  # cached, because a page asks for the same picture's regions after each edit of its caption
def wholes(regions: tuple[Part | None, ...]) -> tuple[tuple[int, ...], ...]:
    """Return for each region the indices of the larger regions that contain it as a part.

    Outlines and labels decide. None stands for the whole picture, which is left out. Raises BadMask.
    """
    areas = [masks.area(one[0], one[1]) if one else 0 for one in regions]

    def contains(whole: int, part: int) -> bool:
        inner, outer = regions[part], regions[whole]
        if inner is None or outer is None or areas[whole] <= areas[part] or not _may_be_part(inner[2], outer[2]):
            return False
        one, other = outline(inner[0], inner[1]), outline(outer[0], outer[1])
        return one is not None and other is not None and one.share_covered(other) >= WITHIN

    return tuple(tuple(w for w in range(len(regions)) if contains(w, part)) for part in range(len(regions)))


def _may_be_part(part: str | None, whole: str | None) -> bool:
    """Return whether a region may be a part of another, by their labels.

    Surroundings have no parts. A person, an animal or a vehicle is only part of a group, and a thing is no part of a
    thing with the same noun.
    """
    noun, of = _noun(part), _noun(whole)
    if of in SURROUNDINGS or of in GROUPS:
        return of not in SURROUNDINGS
    return not noun or not (noun == of or {noun, noun.removesuffix("s")} & WHOLE_THINGS)


def _noun(label: str | None) -> str:
    words = (label or "").lower().split()
    end = next((at for at, word in enumerate(words) if at and word in ENDS), len(words))
    return words[end - 1] if words else ""
