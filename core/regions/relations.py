"""Find the relation that a caption's predicate states, and decide from outlines whether two regions have it.

For example, "stand next to" states the relation "beside", and "travel on" states "ride". An action states a relation
only if the action is impossible without this relation. A person who walks a dog is near the dog. A person who looks at
a dog may be anywhere. Outlines never show the action itself: a man beside a bus need not push it.

Each relation has one rule, which compares boxes and masks. Each rule has a text for readers, which says what the
outlines show if the relation holds. If a rule fails, the relation stays unknown. For example, a man may stand behind a
bus although their outlines do not touch.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from core.regions import masks
from core.regions.masks import Box, Mask, Size
from core.types import ImageRegion

GRID = 96  # number of cells along the longer side of the grid on which outlines are compared
NEAR = 4  # outlines are near if at most this many cells apart, about 4 % of the grid's longer side
WITHIN = 0.75  # a box is within another box if at least this share of its area is inside
MOSTLY = 0.5
SIDE = 0.75
SOLID = 0.3  # nothing counts as within an outline that fills less than this share of its own box
EDGE = 0.1  # a thing is left of another if at most this share of the other is to the left of the thing's middle
LIFTED = 0.1  # a thing in or held by another must end above the other's lower edge by this share of the other's height
LOWER = 0.02  # content may end this share of the container's height below the container, because outlines are inexact


@dataclass(frozen=True, slots=True)
class Outline:
    """The box and the coarse mask of a region, which the rules compare."""

    box: Box  # x0, y0, x1, y1 in px
    cells: Mask  # the mask on a coarse grid
    near: Mask  # the mask and all cells that are at most NEAR cells away from it

    @property
    def area(self) -> int:
        """Return the area of the box in px."""
        return (self.box[2] - self.box[0]) * (self.box[3] - self.box[1])

    @property
    def middle(self) -> float:
        """Return the distance of the box's centre from the top of the picture, in px."""
        return (self.box[1] + self.box[3]) / 2

    def column(self, share: float) -> int:
        """Return the first grid column that completes a share of the mask.

        At least this share of the mask's cells lies in this column and the columns to its left. share: in [0, 1].
        """
        return int(np.searchsorted(self.cells.sum(axis=0).cumsum(), share * self.cells.sum()))

    def share_within(self, other: "Outline") -> float:
        """Return the share of the box that lies within another box, in [0, 1]."""
        width = min(self.box[2], other.box[2]) - max(self.box[0], other.box[0])
        height = min(self.box[3], other.box[3]) - max(self.box[1], other.box[1])
        return max(width, 0) * max(height, 0) / self.area

    def share_covered(self, other: "Outline") -> float:
        """Return the share of the mask that lies within the other mask, in [0, 1]."""
        return float((self.cells & other.cells).sum() / self.cells.sum())

    def touches(self, other: "Outline") -> bool:
        """Return whether two outlines overlap or touch each other."""
        return bool((self.near & other.cells).any())


def holds(stated: str, one: ImageRegion, other: ImageRegion) -> str | None:
    """Return as text why the outlines of two regions show a relation.

    stated: the relation, a key of RULES. Returns None if the outlines do not show the relation. Raises BadMask.
    """
    outlines = outline(one.rle, one.size), outline(other.rle, other.size)
    if outlines[0] is None or outlines[1] is None or not outlines[0].touches(outlines[1]):
        return None
    rule, words = RULES[stated]
    if stated in ONE_WAY and rule(outlines[1], outlines[0]):
        return None  # the outlines fit the relation in both directions, so they prove neither
    return words if rule(outlines[0], outlines[1]) else None


@lru_cache(maxsize=2048)
def outline(rle: str, size: Size) -> Outline | None:
    """Return the box and coarse mask that the rules of relations compare; None for an empty mask. Raises BadMask."""
    box = masks.box(rle, size)
    if box is None:
        return None
    step = max(1, -(-max(size) // GRID))
    mask = masks.decode(rle, size)
    padded = np.pad(mask, [(0, -side % step) for side in mask.shape])
    cells = np.asarray(padded.reshape(padded.shape[0] // step, step, padded.shape[1] // step, step).any(axis=(1, 3)))
    near = cells
    for _ in range(NEAR):
        near = _grown(near)
    return Outline(box, cells, near)


def _grown(cells: Mask) -> Mask:
    grown = cells.copy()
    grown[1:] |= cells[:-1]
    grown[:-1] |= cells[1:]
    grown[:, 1:] |= cells[:, :-1]
    grown[:, :-1] |= cells[:, 1:]
    return grown


def _beside(one: Outline, other: Outline) -> bool:
    return True


def _left(one: Outline, other: Outline) -> bool:
    """Return whether the first outline lies to the left of the second.

    Nearly all of the second outline must be to the right of the first outline's middle. Nearly all of the first outline
    must be to the left of the second outline's middle. So a man in front of a bus is not to the left of the bus.
    """
    return one.column(0.5) < other.column(EDGE) and other.column(0.5) > one.column(1 - EDGE)


def _over(one: Outline, other: Outline) -> bool:
    """Return whether the first outline lies higher than the second.

    A bed does not count as higher than a cat whose outline lies within the bed's box.
    """
    is_higher = one.middle < other.middle and not _is_beside(one, other) and not _is_smaller_within(other, one)
    return is_higher and _overlap(one, other) >= MOSTLY


def _overlap(one: Outline, other: Outline) -> float:
    """Return how far two outlines overlap horizontally, in [0, 1].

    The narrower outline covers some columns of the grid. The result is the share of these columns that the other
    outline covers as well. In the shared columns, one outline lies above or below the other.
    """
    columns, others = one.cells.any(axis=0), other.cells.any(axis=0)
    return float((columns & others).sum() / min(columns.sum(), others.sum()))


def _on(one: Outline, other: Outline) -> bool:
    """Return whether the first outline lies above or within the second.

    If the second outline fills little of its box, the first never counts as within it. An example of a second outline
    is that of scattered roofs.
    """
    rows, columns = (np.flatnonzero(other.cells.any(axis=axis)) for axis in (1, 0))
    is_solid = other.cells.sum() >= SOLID * (rows[-1] + 1 - rows[0]) * (columns[-1] + 1 - columns[0])
    return _over(one, other) or (is_solid and _is_smaller_within(one, other))


def _is_beside(one: Outline, other: Outline) -> bool:
    """Return whether most of one outline's height is level with the other.

    This is true for a bus and a man who stands in front of it.
    """
    shared = min(one.box[3], other.box[3]) - max(one.box[1], other.box[1])
    return shared > SIDE * (one.box[3] - one.box[1])


def _is_smaller_within(one: Outline, other: Outline) -> bool:
    return one.share_within(other) >= WITHIN and one.area < other.area


def _reaches_lower(one: Outline, other: Outline) -> bool:
    return one.box[3] > other.box[3] + LOWER * (other.box[3] - other.box[1])


def is_lifted(one: Outline, other: Outline) -> bool:
    """Return whether the first outline ends clearly above the second's lower edge.

    For example, the outline of a man in a bus ends above the lower edge of the bus.
    """
    return one.box[3] <= other.box[3] - LIFTED * (other.box[3] - other.box[1])


def _in_front(one: Outline, other: Outline) -> bool:
    return one.share_within(other) > 0 and one.box[3] >= other.box[3]


def _inside(one: Outline, other: Outline) -> bool:
    if _reaches_lower(one, other):
        return False  # for example, a man whose feet are lower than the bus stands in front of the bus
    overlap = float((one.cells & other.near).sum() / one.cells.sum())
    return _is_smaller_within(one, other) or overlap >= WITHIN


def _held(one: Outline, other: Outline) -> bool:
    return other.area < one.area and bool((one.cells & _grown(other.cells)).any())


def _ridden(one: Outline, other: Outline) -> bool:
    is_above = one.middle < other.middle and _overlap(one, other) >= MOSTLY
    return is_above or (_is_smaller_within(one, other) and not _reaches_lower(one, other))


def _worn(one: Outline, other: Outline) -> bool:
    return float((other.cells & one.near).sum() / other.cells.sum()) >= MOSTLY and other.area < one.area


ONE_WAY = frozenset(  # relations that never hold in both directions
    {"in front of", "behind", "on", "over", "under", "in", "contain"}
)
RULES: Mapping[str, tuple[Callable[[Outline, Outline], bool], str]] = {
    "beside": (_beside, "their outlines touch or are near each other"),
    "with": (_beside, "their outlines touch or are near each other"),
    "have": (_held, "their outlines touch, and the second is smaller"),
    "left": (_left, "their outlines are near, and the first is further left"),
    "right": (lambda one, other: _left(other, one), "their outlines are near, and the first is further right"),
    "in front of": (_in_front, "their outlines meet, and the first reaches lower in the picture"),
    "behind": (lambda one, other: _in_front(other, one), "their outlines meet, and the second reaches lower"),
    "on": (_on, "their outlines touch, and the first lies higher or within the second"),
    "over": (_over, "their outlines touch, and the first lies higher"),
    "under": (lambda one, other: _on(other, one), "their outlines touch, and the first lies lower"),
    "in": (_inside, "the first outline lies mostly within the second and reaches no lower"),
    "hold": (_held, "their outlines touch, and the second is smaller"),
    "ride": (_ridden, "their outlines touch, and the first is above or within the second"),
    "drive": (lambda one, other: _ridden(one, other) or _inside(one, other), "the first is above or within the second"),
    "wear": (_worn, "the second outline lies mostly within the first"),
    "contain": (lambda one, other: _inside(other, one), "the second lies mostly within the first and reaches no lower"),
}

POSTURES = frozenset(
    "sit stand lay lie park rest place put set perch lean hang position pose stop be seat sleep nap doze wait kneel "
    "crouch squat curl crawl huddle gather walk run jump swim graze serve display arrange pile stack prop locate "
    "balance stretch relax".split()
)
STATED_BY = {
    "have": "have",
    "hold": "hold|carry|hold up|hold on|hold onto|eat|bite|use|swing|hand|pet|play with|talk on|speak on|cut|slice"
    "|cut into|pick up|catch|chew|work on|type on|dry with|brush with|cut with|eat with|hit with|drink from|eat from",
    "ride": "ride|ride on|ride on back of|ride on top of|surf on|ski on|skate on|skateboard on|snowboard on|sit atop"
    "|travel on|mount|straddle",
    "drive": "drive|drive on|drive in|drive down|steer",
    "in": "ride in|ride in back of|travel in",
    "wear": "wear|have on",
    "beside": "sit at|walk|walk with|stand with|swim with|run with|lead|guide|pull|push|lean against|lean on|attach to"
    "|tie to|touch|hug|kiss|feed|kick|lick",
    "contain": "fill with|contain|pack with|including|fill up with|load with|stock with",
    "under": "top with",
}
HANDLING = {predicate: relation for relation, stated in STATED_BY.items() for predicate in stated.split("|")}
# Actions that outlines cannot show. The outlines show only the place that the action implies.
# Value: words for this place. Relations such as "hold" are missing here, because they already state a place.
PLACES_OF_ACTIONS = dict.fromkeys(
    "eat bite chew use swing hand pet cut slice play talk speak type work dry brush hit drink pick catch lead guide "
    "push pull lean attach tie touch hug kiss feed kick lick walk swim run".split(),
    "near",
) | {"drive": "with", "steer": "with"}
PARTICLES = ("down ", "up ", "together ", "out ")  # words between a verb and its preposition: "sit down on"
PLACES = {
    "next to": "beside", "beside": "beside", "near": "beside", "by": "beside", "alongside": "beside",
    "close to": "beside", "on side of": "beside", "side by side with": "beside",
    "around": "beside", "at": "beside", "with": "with", "against": "beside",
    "at the left of": "left", "on the right side of": "right",
    "in front of": "in front of", "behind": "behind", "in back of": "behind", "on": "on", "on top of": "on",
    "over": "over", "above": "over", "on back of": "on", "on edge of": "on", "under": "under",
    "in": "in", "inside": "in",
}  # fmt: skip


def relation(predicate: str) -> str | None:
    """Return the relation between two outlines that a predicate states, such as "beside".

    Returns None if the predicate states no such relation.
    """
    if predicate in HANDLING:
        return HANDLING[predicate]
    place = place_of_posture(predicate)
    return PLACES.get(predicate) or (PLACES.get(place) if place else None)


def place_of_posture(predicate: str) -> str | None:
    """Return the preposition in a predicate of posture or motion.

    Example: "on" in "sit down on". Returns None for other predicates. Outlines show the place that the preposition
    names, but they do not show whether somebody sits or sleeps there.
    """
    verb, _, place = predicate.partition(" ")
    place = next((place.removeprefix(word) for word in PARTICLES if place.startswith(word)), place)
    return place or None if verb in POSTURES else None


def place_of_action(predicate: str) -> str | None:
    """Return the preposition of the place that an action implies.

    Examples: "near" for "push", "with" for "drive". Returns None if it is unknown.
    """
    return PLACES_OF_ACTIONS.get(predicate.partition(" ")[0]) if predicate in HANDLING else None
