"""Rooms that a picture's labels show by their fixtures: a toilet and a sink show a bathroom.

A single fixture is not enough: a refrigerator can be in a kitchen or in a shop.
"""

from collections.abc import Iterable

from core.captions.facts import Fact
from core.captions.nouns import NounTable
from core.captions.word_splitting import singular
from core.regions.stated_relations import relation

# Key: room. A picture shows the room if it has a fixture of the first list and another fixture of either list.
FIXTURES = {
    "kitchen": (("oven", "refrigerator", "microwave"), ("sink", "toaster", "dishwasher")),
    "bathroom": (("toilet",), ("sink", "bathtub", "shower")),
    "room": (("bed", "couch", "tv", "oven", "refrigerator", "toilet"), ("sink", "microwave")),
}
ROOMS = {
    "kitchen": "kitchen", "kitchenette": "kitchen", "kitchen area": "kitchen", "room": "room", "bathroom": "bathroom",
    "restroom": "bathroom", "rest room": "bathroom", "washroom": "bathroom", "bathroom area": "bathroom",
}  # fmt: skip
HAVING = frozenset("have with feature include including contain show".split())


def fixtures(noun: str, labels: Iterable[str], nouns: NounTable) -> tuple[str, str] | None:
    """Return two labels that show a room, or None if the noun is no room or its fixtures are not labelled."""
    room = ROOMS.get(" ".join(map(singular, noun.lower().split())))
    if room is None:
        return None
    main, further = FIXTURES[room]
    kinds = {kind: label for label in labels for kind in (*main, *further) if nouns.same(kind, label)}
    first = next((kind for kind in main if kind in kinds), None)
    second = next((kind for kind in (*main, *further) if kind in kinds and kind != first), None)
    return (kinds[first], kinds[second]) if first and second else None


def is_in_room(fact: Fact, room_first: bool) -> bool:
    """Return whether a relation only says that a thing is in a room: "kitchen with oven", "oven in kitchen"."""
    if room_first:
        return fact.predicate in HAVING or relation(fact.predicate) == "contain"
    return relation(fact.predicate) == "in"
