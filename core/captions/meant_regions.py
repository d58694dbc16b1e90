"""Find the regions that the things of a caption refer to.

"A man" refers to one region, "three men" to three, "men" to all. If more regions match than a thing refers to, the most
likely ones are chosen. First come regions whose label states most of what the caption says about the thing. Then come
regions with the noun itself as label, then regions with the stated relation. Among equal regions, a large region near
the centre is more likely.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from core.captions.noun_context import NounInContext
from core.captions.reading.phrases import NamedThing
from core.regions import masks
from core.types import ImageRegion

OFF_CENTRE = 0.5  # a region's weight is smaller by this share at the picture's edge than in its middle

Fits = Callable[[NamedThing, int], Sequence[int]]  # (thing, region) -> measures of their fit, most important first


@dataclass(frozen=True, slots=True)
class Candidate:
    """A thing of the caption and the regions that its noun names."""

    thing: NamedThing
    context: NounInContext
    places: Collection[int]


def regions_meant(
    candidates: Iterable[Candidate], regions: Sequence[ImageRegion], fits: Fits
) -> dict[NamedThing, list[int]]:
    """Return the indices of the regions that each thing refers to, most likely region first.

    fits: returns how well a region fits a thing. Two things refer to different regions if there are enough regions.
    "The dog" and "he" refer to a thing that the caption named before.
    """
    found: dict[NamedThing, list[int]] = {}
    used: set[int] = set()
    for one in sorted(candidates, key=lambda one: one.thing.span):
        if one.thing in found:
            continue
        before = _named_before(one, found) if one.context.is_definite else []
        if before and _is_described_better(one, before, fits):
            before = []  # in "the bald man beside the grey-haired man", the second man is another man
        found[one.thing] = before or _likeliest(one, regions, used, fits)
        used.update(found[one.thing])
    return found


def _named_before(one: Candidate, found: Mapping[NamedThing, list[int]]) -> list[int]:
    """Return the regions of the earlier thing that "the dog" or a pronoun refers to; [] if there is no such thing.

    The earlier thing must have the same noun. For a pronoun, all regions of the earlier thing must show things of the
    pronoun's kind, such as persons.
    """
    is_pronoun = one.context.is_doubtful
    for earlier, places in reversed(list(found.items())):
        if places and set(places) <= set(one.places) and (is_pronoun or earlier.text == one.thing.text):
            return places
    return []


def _is_described_better(one: Candidate, before: Collection[int], fits: Fits) -> bool:
    """Return whether regions of a thing match better than earlier regions.

    one: the thing, and the regions that it may refer to. before: indices of the regions of a thing that the caption
    named earlier. A region matches better than another if its label states more of the caption's phrases about the
    thing.
    """
    stated = {place: fits(one.thing, place)[0] for place in one.places}
    return max(stated.values(), default=0) > max((stated.get(place, 0) for place in before), default=0)


def _likeliest(one: Candidate, regions: Sequence[ImageRegion], used: set[int], fits: Fits) -> list[int]:
    ordered = sorted(
        one.places,
        key=lambda place: (*(-fit for fit in fits(one.thing, place)), place in used, -_weight(regions[place])),
    )
    amount = one.context.amount
    if amount is None or (amount >= len(ordered) and not one.context.is_another):
        return ordered
    fresh = [place for place in ordered if place not in used]
    if one.context.is_another:  # "another dog" is none of the dogs before it
        return fresh[:amount]
    return (fresh if len(fresh) >= amount else ordered)[:amount]


def _weight(region: ImageRegion) -> float:
    """Return the region's area in px, reduced if the region is far from the centre."""
    box = masks.box(region.rle, region.size)
    if box is None:
        return 0.0
    height, width = region.size
    across = abs((box[0] + box[2]) / width - 1)
    down = abs((box[1] + box[3]) / height - 1)
    return masks.area(region.rle, region.size) * (1 - OFF_CENTRE * max(across, down))
