"""Compare a text with the labels of a picture's regions.

Labels are common nouns, so a caption's nouns are matched to labels by a table of nouns. For nouns that are not in the
table, a text encoder is used if available. Things that annotators did not look for cannot be judged.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

from core.captions.judging.kinds import PlacedThing, kinds_of, may_relate
from core.captions.judging.labels import LabelFacts
from core.captions.judging.nouns import GATHERINGS
from core.captions.reading.facts import Fact
from core.captions.reading.lexicon import Lexicon, Naming, head
from core.captions.reading.phrases import CaptionPhrase
from core.captions.reading.words import is_plural, singular
from core.regions import outlines
from core.regions.relations import holds, outline, relation
from core.types import ImageRegion, Mark

ANYBODY = frozenset("pedestrian passerby adult human individual figure".split())  # any label of a person shows them
# Annotators may use either name for one thing. So a label with one name does not contradict the other name.
CONFUSED = tuple(
    frozenset(names.split("|"))
    for names in (
        "chair|couch|bench", "car|truck", "apple|orange", "cup|wine glass", "backpack|handbag", "oven|microwave",
        "potted plant|vase", "skis|snowboard", "bicycle|motorcycle", "cake|donut", "teddy bear|bear",
        "cup|bowl", "vase|bottle", "suitcase|backpack", "bus|truck", "bus|train", "tv|laptop",
        "cat|lion", "cat|lioness", "cat|tiger", "cat|cheetah", "cat|leopard", "tower|pagoda",
    )
)  # fmt: skip
# Rooms that labels show by their fixtures. A refrigerator alone can be in a kitchen or in a shop.
# Key: room. A picture shows the room if it has a fixture of the first list and another fixture of either list.
FIXTURES = {
    "kitchen": (("oven", "refrigerator", "microwave"), ("sink", "toaster", "dishwasher")),
    "bathroom": (("toilet",), ("sink", "bathtub", "shower")),
    "room": (("bed", "couch", "tv", "oven", "refrigerator", "toilet"), ("sink", "microwave")),
}
ROOMS = {"kitchenette": "kitchen", "kitchen area": "kitchen"} | dict.fromkeys(
    ("restroom", "rest room", "washroom", "bathroom area"), "bathroom"
)
Likeness = Callable[[str, str], bool]  # whether an encoder sees a noun and a label as the same thing


class LabelledScene:
    """The labels of one picture."""

    def __init__(
        self,
        regions: Sequence[ImageRegion],
        vocabulary: Sequence[str],
        lexicon: Lexicon,
        same_meaning: Likeness,
        label_phrases: Mapping[str, Sequence[CaptionPhrase]] | None = None,
    ) -> None:
        """Take the picture's regions, and the things that annotators looked for (`vocabulary`).

        `regions` may include the region of the whole picture. `same_meaning` returns whether two texts mean the same.
        `label_phrases`: for each label of several words, its phrases.
        """
        self.regions = tuple(regions)
        self.labels: Mapping[int, str] = {place: region.label for place, region in enumerate(regions) if region.label}
        self._vocabulary, self.lexicon, self._same_meaning = vocabulary, lexicon, same_meaning
        self._found: dict[str, Mapping[int, Naming]] = {}
        self._placed: dict[int, PlacedThing | None] = {}
        self.facts = LabelFacts(label_phrases or {}, lexicon)

    def regions_of(self, noun: str) -> Mapping[int, Naming]:
        """Return the indices of the regions that a noun names, with how the noun relates to the label.

        The value is "is", or "wider" if the noun names a wider kind of thing. If some regions have the noun itself as
        their label, regions with a less specific label are skipped. Example: with the labels "lion" and "lioness", the
        noun "lioness" names only the second region.
        """
        if noun not in self._found:
            self._found[noun] = self._named(noun)
        return self._found[noun]

    def _named(self, noun: str) -> Mapping[int, Naming]:
        exact = any(self.lexicon.same(noun, label) for label in (*self._vocabulary, *self.labels.values()))
        namings = {place: self._naming(noun, label, exact) for place, label in self.labels.items()}
        own = {place for place, naming in namings.items() if naming == "is" and self._means_same(noun, place)}
        members: tuple[Naming, ...] = () if noun.lower() in GATHERINGS and own else ("wider",)
        return {
            place: naming
            for place, naming in namings.items()
            if naming in ("is", "wider") and (not own or place in own or naming in members)
        }

    def _means_same(self, noun: str, place: int) -> bool:
        label = self.labels[place]
        return self.lexicon.same(noun, label) or self.lexicon.naming(head(label), noun) == "is"

    def _naming(self, noun: str, label: str, exact: bool) -> Naming:
        naming = self.lexicon.naming(noun, label, likeliest=exact)
        return "is" if naming == "unknown" and self._same_meaning(noun, head(label)) else naming

    def has_own_label(self, noun: str, place: int) -> bool:
        """Return whether a region's label is the noun itself, in singular or plural."""
        return self.lexicon.same(noun, self.labels[place])

    def same_thing(self, noun: str, other: str) -> bool:
        """Return whether two nouns may mean the same thing: "dog" and "animal", in either order."""
        return any(self._naming(a, b, False) in ("is", "wider") for a, b in ((noun, other), (other, noun)))

    def there(self, noun: str, named: Collection[int] = ()) -> Mark:
        """Return whether a thing with this name is present: "correct", "incorrect" or "not judged".

        The result is "not judged" if annotators did not look for the thing, or may have used another name for the
        thing. named: regions that the caption names by other nouns ("a chair and a couch"), which show other things.
        """
        if self.regions_of(noun) or self.facts.label_with(noun) or self.fixtures_of(noun):
            return "correct"
        was_looked_for = any(self.lexicon.is_a(noun, label) for label in self._vocabulary)
        is_in_label = any(self.lexicon.same(noun, word) for label in self.labels.values() for word in label.split())
        if not was_looked_for or is_in_label or self.lexicon.is_doubtful(noun):
            return "not judged"
        free = {label for place, label in self.labels.items() if place not in named}
        for names in CONFUSED:
            own = {name for name in names if self.lexicon.is_a(noun, name)}
            if own and any(self.lexicon.same(name, label) for name in names - own for label in free):
                return "not judged"
        return "incorrect"

    def fixtures_of(self, noun: str) -> tuple[str, str] | None:
        """Return two labels that show the room with this name: "toilet" and "sink" for a bathroom.

        Returns None if the noun is no room, or if there are no such labels.
        """
        name = " ".join(map(singular, noun.lower().split()))
        room = ROOMS.get(name, name)
        if room not in FIXTURES or self.regions_of(noun):
            return None
        main, further = FIXTURES[room]
        all_labels, kinds = self.labels.values(), (*main, *further)
        shown = {kind: label for label in all_labels for kind in kinds if self.lexicon.same(kind, label)}
        first = next((kind for kind in main if kind in shown), None)
        second = next((kind for kind in kinds if kind in shown and kind != first), None)
        return (shown[first], shown[second]) if first and second else None

    def shown_word(self, noun: str, places: Iterable[int]) -> str | None:
        """Return a label's word if the label shows less than the noun: "dog" for "puppy", "person" for "woman".

        places: indices of the regions that the noun refers to. Returns None if their labels show the noun.
        """
        if singular(noun.lower().rpartition(" ")[2]) in ANYBODY:
            return None
        labels = (self.labels[place] for place in places)
        less = (self.lexicon.known(head(label)) for label in labels if not self.lexicon.covers(noun, label))
        return next(less, None)

    def is_class(self, place: int) -> bool:
        """Return whether a region's label is one of the class names that annotators used."""
        return self.labels[place] in self._vocabulary

    def is_living(self, place: int) -> bool:
        """Return whether a region's label names a person or an animal."""
        return bool(kinds_of(self.labels[place], self.lexicon) & {"person", "animal"})

    def why_related(self, fact: Fact, place: int, others: Iterable[int]) -> str | None:
        """Return why regions' outlines support the relation that a fact states.

        place: index of the first region of the relation. others: indices of the regions that may be its second region.
        The relation must hold for one of them; "left" and "right" must hold for all of them. Returns a reason in words,
        or None if no outlines support the relation.
        """
        stated = relation(fact.predicate)
        if stated is None:
            return None
        found = (self._why_pair(stated, place, other) for other in others if other != place)
        if stated not in ("left", "right"):
            return next((words for words in found if words), None)
        sides = list(found)
        return sides[0] if sides and all(sides) else None  # a bus between two men is not to the left of both

    def _why_pair(self, stated: str, place: int, other: int) -> str | None:
        one, two = self._placed_thing(place), self._placed_thing(other)
        if one is None or two is None or not may_relate(stated, one, two):
            return None
        if "backdrop" in two.kinds and stated == "in front of" or "backdrop" in one.kinds and stated == "behind":
            stated = "beside"  # a background is behind every region beside it
        elif stated == "on" and "person" in one.kinds and "ridden" in two.kinds:
            stated = "ride"  # a person "on" a motorcycle rides it
        elif stated == "over" and two.kinds & {"ground", "water"}:
            stated = "on"  # a thing over a street lies within the street's outline
        return holds(stated, self.regions[place], self.regions[other])

    def _placed_thing(self, place: int) -> PlacedThing | None:
        if place not in self._placed:
            found = outline(self.regions[place].rle, self.regions[place].size)
            kinds = kinds_of(self.labels.get(place, ""), self.lexicon)
            self._placed[place] = PlacedThing(found, kinds) if found else None
        return self._placed[place]

    def number_of(self, places: Iterable[int]) -> tuple[int, bool]:
        """Return how many things some regions show, and whether this number is certain.

        A region with a plural label ("balconies") shows several things. Such a region counts as the number of separate
        outlines in its mask, but at least as two. This number is certain only if the region has several outlines. A
        region marked as a crowd counts in the same way, but its number is never certain.
        """
        number, is_certain = 0, True
        for place in places:
            region = self.regions[place]
            drawn = outlines.pieces(region.rle, region.size) if self.is_several(place) else 1
            number += max(2, drawn) if self.is_several(place) else 1
            is_certain &= not self.is_several(place) or (drawn > 1 and not region.is_crowd)
        return number, is_certain

    def is_several(self, place: int) -> bool:
        """Return whether a region shows several things: a crowd, or a region with a plural label.

        A label that is a class name, such as "skis", may be plural but mean one thing.
        """
        last = head(self.labels[place]).split()[-1:]
        return self.regions[place].is_crowd or (any(map(is_plural, last)) and not self.is_class(place))
