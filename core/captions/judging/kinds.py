"""Kinds of things that decide which relations outlines can show, and which regions are parts of others.

Outlines are flat. Without the kinds, they would also show wrong relations. Examples: a sky in front of a tower, a man
on a bus although he stands before the bus, and a woman holding a cap although she wears the cap.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from core.captions.judging.nouns import GATHERINGS
from core.captions.reading.lexicon import Lexicon, head, lexicon
from core.captions.reading.words import singular
from core.regions import masks
from core.regions.masks import Size
from core.regions.relations import Outline, is_lifted, outline

# Key: kind of thing. Value: nouns of this kind. Their narrower nouns in Capscope's table, such as "man", count too.
KINDS: Mapping[str, frozenset[str]] = {
    "person": frozenset({"person", "people", "crowd"}),
    "animal": frozenset({"animal"}),
    "mount": frozenset("horse elephant camel donkey mule ox cow".split()),
    "ridden": frozenset("motorcycle bicycle surfboard skateboard snowboard skis horse elephant camel donkey".split()),
    "flying": frozenset("bird insect butterfly".split()),
    "backdrop": frozenset("sky background backdrop horizon".split()),
    "ground": frozenset(
        "ground street road path floor grass lawn field meadow sand snow beach pavement sidewalk rock court carpet "
        "rug".split()
    ),
    "land": frozenset("island hill mountain".split()),
    "water": frozenset("water lake sea ocean river".split()),
    "building": frozenset("building tower pagoda house church temple castle wall".split()),
    "tree": frozenset({"tree"}),
    "track": frozenset("bridge track rail railway runway dock trailer".split()),
    "vehicle": frozenset("bus car truck train airplane van tram".split()),
    "table": frozenset("table desk counter oven sink refrigerator tv laptop keyboard plate".split()),
    "worn": frozenset(
        "clothing clothes shirt uniform suit coat jacket dress tie necktie hat cap helmet glasses spectacles "
        "sunglasses glove shoe jewelry necklace ribbon ribbons medal badge tag lanyard watch belt scarf".split()
    ),
    "body": frozenset("face head hair mane eye nose ear mouth hand arm leg foot paw tail wing beard horn tusk".split()),
}
COVERED = 0.9  # a thing is part of another if at least this share of its mask is inside the other's mask
LARGE = 0.25  # a thing larger than this share of a person's mask counts as held only if it does not stand on the ground
FLAT = ("in front of", "beside", "left", "over")  # these relations never hold between a thing and its own part
SWAPPED = {"behind": "in front of", "right": "left", "contain": "in", "under": "over"}  # relation -> its inverse
KEPT_LABELS = 10_000
# A bird is no part of the sky, and a cup no part of a table.
SURROUNDING_KINDS = frozenset({"backdrop", "ground", "land", "water", "tree"})
SURROUNDINGS = frozenset("wall shelf tray plate leaves forest garden scene furniture coast bay cloud dirt ice".split())
WHOLE_THINGS = frozenset("vehicle furniture plant branch".split())  # like persons and animals, no part of a thing
GROUPS = GATHERINGS | frozenset("men women people pair pack".split())

Part = tuple[str, Size, str | None]  # the mask's rle and size, and the label; a region to compare with others


@dataclass(frozen=True, slots=True)
class PlacedThing:
    """A region's outline and the kinds of its label."""

    outline: Outline
    kinds: frozenset[str]

    @property
    def is_living(self) -> bool:
        """Return whether the label names a person or an animal."""
        return bool(self.kinds & {"person", "animal"})

    def is_part_of(self, other: "PlacedThing", share: float = COVERED) -> bool:
        """Return whether this region shows a part of the other thing.

        Examples of parts: a face, a roof. The region's outline must lie within the other outline, at least by `share`,
        in [0, 1]. A person or an animal is never a part.
        """
        return not self.is_living and self.outline.share_covered(other.outline) >= share


@lru_cache(maxsize=KEPT_LABELS)  # cached, because pictures repeat the same labels
def kinds_of(label: str, lexicon: Lexicon) -> frozenset[str]:
    """Return the kinds of a label's main noun."""
    name = head(label)
    last = (name.split() or [""])[-1]
    return frozenset(
        kind
        for kind, words in KINDS.items()
        if {last, singular(last)} & words
        or any(lexicon.naming(word, name, likeliest=True) == "wider" for word in words)
    )


def may_relate(stated: str, one: PlacedThing, other: PlacedThing) -> bool:
    """Return whether outlines can show a relation between two things.

    This depends on the things' kinds (such as person or background), and on whether one outline lies within the other.
    """
    if stated in SWAPPED:
        stated, one, other = SWAPPED[stated], other, one
    if "backdrop" in one.kinds | other.kinds:
        return _is_backdrop(stated, one, other)
    if stated in FLAT and (one.is_part_of(other) or other.is_part_of(one)):
        return False
    if stated in ("in front of", "beside", "left"):
        return "ground" not in one.kinds | other.kinds  # nothing is in front of, beside or left of the ground
    if stated in ("on", "over", "in"):
        return _may_lie(stated, one, other)
    return _may_act(stated, one, other)


def _is_backdrop(stated: str, one: PlacedThing, other: PlacedThing) -> bool:
    """Return whether a relation only says that a thing is before or below a sky or another background."""
    if "backdrop" in one.kinds:
        return stated == "over" and "backdrop" not in other.kinds
    return stated in ("in front of", "with")


def _may_lie(stated: str, one: PlacedThing, other: PlacedThing) -> bool:
    if one.kinds & {"ground", "water", "land"} and stated in ("on", "over"):
        return False
    if stated == "over":
        if one.is_living and other.is_living:
            return "mount" in other.kinds
        if "vehicle" in one.kinds:
            return bool(other.kinds & {"ground", "water", "land"})
        return "building" not in one.kinds
    if "flying" in one.kinds:
        return True
    if "vehicle" in other.kinds and one.is_living:
        return is_lifted(one.outline, other.outline)  # a man with feet at the wheels stands in front of the bus
    if stated == "in":
        return not (one.is_living and other.is_living) and not (
            "person" in one.kinds and other.kinds & {"building", "tree"}
        )
    if "vehicle" in one.kinds:
        return bool(other.kinds & {"ground", "track"})
    if one.kinds & {"building", "tree"}:
        return not other.kinds & {"person", "animal", "vehicle", "building", "tree", "table", "water"}
    if one.is_living and other.is_living:
        return "mount" in other.kinds
    if "person" in one.kinds and other.kinds & {"table", "building"}:
        return False  # not "on" it: most persons at a table stand or sit behind it
    if other.kinds & {"person", "building", "tree"}:
        return one.is_part_of(other)
    return True


def _may_act(stated: str, one: PlacedThing, other: PlacedThing) -> bool:
    if stated in ("ride", "drive"):
        if other.is_living:
            return "mount" in other.kinds
        return "vehicle" not in other.kinds or is_lifted(one.outline, other.outline)
    if stated == "wear":
        return "worn" in other.kinds or ("person" in one.kinds and not other.is_living and "body" not in other.kinds)
    if stated in ("have", "hold") and not one.is_living:
        near = float((other.outline.cells & one.outline.near).sum() / other.outline.cells.sum())
        return not (other.is_living or "vehicle" in other.kinds) and near >= COVERED
    if stated == "hold":
        if "animal" in one.kinds and other.is_part_of(one):
            return False
        if other.kinds & {"person", "worn", "body", "building", "ground", "water"}:
            return False
        is_large = other.outline.cells.sum() > LARGE * one.outline.cells.sum()
        return not (other.is_living or is_large) or is_lifted(other.outline, one.outline)
    return True


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
        return one is not None and other is not None and one.share_covered(other) >= COVERED

    return tuple(tuple(w for w in range(len(regions)) if contains(w, part)) for part in range(len(regions)))


def _may_be_part(part: str | None, whole: str | None) -> bool:
    """Return whether a region may be a part of another, by their labels.

    Surroundings have no parts. A person, an animal or a vehicle is only part of a group, and a thing is no part of a
    thing with the same noun.
    """
    noun, of = ((head(label or "").split() or [""])[-1] for label in (part, whole))
    kinds, outer = kinds_of(noun, lexicon()), kinds_of(of, lexicon())
    if of in GROUPS:
        return True
    if outer & SURROUNDING_KINDS or any(of == one or lexicon().is_a(of, one) for one in SURROUNDINGS):
        return False
    is_whole = kinds & {"person", "animal", "vehicle"} or any(lexicon().is_a(noun, one) for one in WHOLE_THINGS)
    return not noun or not (noun == of or is_whole)
