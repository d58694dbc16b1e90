"""Compare a text with the labels of a picture's regions.

Labels are common nouns, so a caption's nouns are matched to labels by a table of nouns. For nouns that are not in the
table, a text encoder is used if available.

core.captions.labelled_caption uses this module to judge a whole caption. Things that annotators did not look for cannot
be judged.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

from core.captions.label_facts import LabelFacts
from core.captions.noun_context import GATHERINGS
from core.captions.reading.facts import Fact
from core.captions.reading.lexicon import Lexicon, Naming, head
from core.captions.reading.phrases import CaptionPhrase
from core.captions.reading.words import singular
from core.captions.thing_kinds import OWNED, OWNING, PlacedThing, fixtures, kinds_of, may_relate
from core.regions import outlines
from core.regions.relations import WITHIN, holds, outline
from core.regions.stated_relations import relation
from core.types import ImageRegion, Mark

HELD_PERSONS = frozenset("baby child kid infant toddler".split())  # persons whom others may hold
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
Likeness = Callable[[str, str], bool]  # whether an encoder sees a noun and a label as the same thing


class LabelledScene:
    """The labels of one picture."""

    def __init__(
        self,
        regions: Sequence[ImageRegion],
        vocabulary: Sequence[str],
        nouns: Lexicon,
        same_meaning: Likeness,
        label_phrases: Mapping[str, Sequence[CaptionPhrase]] | None = None,
    ) -> None:
        """Take the picture's regions, and the things that annotators looked for (`vocabulary`).

        `regions` may include the region of the whole picture. `same_meaning` returns whether two texts mean the same.
        `label_phrases`: for each label of several words, its phrases.
        """
        self.regions = tuple(regions)
        self.labels: Mapping[int, str] = {place: region.label for place, region in enumerate(regions) if region.label}
        self.crowds = {place for place, region in enumerate(regions) if region.is_crowd}
        self._vocabulary, self.nouns, self._same_meaning = vocabulary, nouns, same_meaning
        self._found: dict[str, Mapping[int, Naming]] = {}
        self._placed: dict[int, PlacedThing | None] = {}
        self.facts = LabelFacts(label_phrases or {}, nouns)

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
        exact = any(self.nouns.same(noun, label) for label in (*self._vocabulary, *self.labels.values()))
        found = {
            place: naming
            for place, label in self.labels.items()
            if (naming := self._naming(noun, label, exact)) in ("is", "wider")
        }
        own = {place for place, naming in found.items() if naming == "is" and self._means_same(noun, place)}
        members: tuple[Naming, ...] = () if noun.lower() in GATHERINGS and own else ("wider",)
        return {place: naming for place, naming in found.items() if not own or place in own or naming in members}

    def _means_same(self, noun: str, place: int) -> bool:
        label = self.labels[place]
        return self.nouns.same(noun, label) or self.nouns.naming(head(label), noun) == "is"

    def has_own_label(self, noun: str, place: int) -> bool:
        """Return whether a region's label is the noun itself, in singular or plural."""
        return self.nouns.same(noun, self.labels[place])

    def _naming(self, noun: str, label: str, exact: bool) -> Naming:
        naming = self.nouns.naming(noun, label, likeliest=exact)
        return "is" if naming == "unknown" and self._same_meaning(noun, head(label)) else naming

    @property
    def has_labels(self) -> bool:
        """Return whether any region has a label."""
        return bool(self.labels)

    def same_thing(self, noun: str, other: str) -> bool:
        """Return whether two nouns may mean the same thing: "dog" and "animal", in either order."""
        return any(self._naming(a, b, False) in ("is", "wider") for a, b in ((noun, other), (other, noun)))

    def looked_for(self, noun: str) -> bool:
        """Return whether annotators looked for things that the noun names."""
        return any(self.nouns.naming(noun, label, likeliest=True) == "is" for label in self._vocabulary)

    def there(self, noun: str, named: Collection[int] = ()) -> Mark:
        """Return whether a thing with this name is present: "correct", "incorrect" or "not judged".

        The result is "not judged" if annotators did not look for the thing, or may have used another name for the
        thing. named: regions that the caption names by other nouns.
        """
        if self.regions_of(noun) or self.facts.label_with(noun) or self.fixtures_of(noun):
            return "correct"
        free = {label for place, label in self.labels.items() if place not in named}
        is_clear = not any(self.nouns.same(noun, word) for label in self.labels.values() for word in label.split())
        is_clear &= (
            self.looked_for(noun) and not has_other_name(noun, free, self.nouns) and not self.nouns.is_doubtful(noun)
        )
        return "incorrect" if is_clear else "not judged"

    def fixtures_of(self, noun: str) -> tuple[str, str] | None:
        """Return two labels that show the room with this name.

        Example: toilet and sink for a bathroom. Returns None if there are no such labels.
        """
        return None if self.regions_of(noun) else fixtures(noun, self.labels.values(), self.nouns)

    def shown_word(self, noun: str, places: Iterable[int]) -> str | None:
        """Return a label's word if the label shows less than the noun: "dog" for "puppy", "person" for "woman".

        places: indices of the regions that the noun refers to. Returns None if their labels show the noun.
        """
        if singular(noun.lower().rpartition(" ")[2]) in ANYBODY:
            return None
        labels = [self.labels[place] for place in places]
        less = (self.nouns.known(head(label)) for label in labels if not self.nouns.covers(noun, label))
        return next(less, None)

    def is_class(self, place: int) -> bool:
        """Return whether a region's label is one of the class names that annotators used."""
        return self.labels[place] in self._vocabulary

    def relation_of(self, stated: str, place: int, other: int) -> str:
        """Return the relation whose rule decides a stated relation between two regions.

        A background is behind every region beside it, so the rule "beside" decides whether a thing is in front of a
        background. A person "on" a motorcycle rides it, so the rule "ride" decides. A thing "over" water or a street
        lies within the outline of the water or street, so the rule "on" decides.
        """
        kinds = [found.kinds if (found := self._placed_thing(one)) else frozenset() for one in (place, other)]
        if "backdrop" in kinds[1] and stated == "in front of" or "backdrop" in kinds[0] and stated == "behind":
            return "beside"
        if stated == "on" and "person" in kinds[0] and "ridden" in kinds[1]:
            return "ride"
        return "on" if stated == "over" and kinds[1] & {"ground", "water"} else stated

    def may_relate(self, stated: str, place: int, other: int) -> bool:
        """Return whether outlines can show a relation between two regions.

        This depends on the kinds of things that the regions show, such as persons or backgrounds.
        """
        one, two = self._placed_thing(place), self._placed_thing(other)
        if one is None or two is None or not may_relate(stated, one, two):
            return False
        return stated not in OWNING or not self._is_of_another(other, place)

    def why_related(self, fact: Fact, place: int, others: Iterable[int]) -> str | None:
        """Return why regions' outlines support the relation that a fact states.

        place: index of the first region of the relation. others: indices of the regions that may be its second region.
        The relation must hold for one of them; "left" and "right" must hold for all of them. Returns a reason in words,
        or None if no outlines support the relation.
        """
        stated = relation(fact.predicate)
        if stated == "hold" and singular(fact.object) in HELD_PERSONS:
            stated = "have"
        if stated is None:
            return None
        if stated == "beside" and fact.predicate.endswith("against") and self.is_backdrop(fact.object):
            stated = "in front of"
        found = (self._why_pair(stated, place, other) for other in others if other != place)
        if stated not in ("left", "right"):
            return next((words for words in found if words), None)
        sides = list(found)
        return sides[0] if sides and all(sides) else None  # a bus between two men is not to the left of both

    def _why_pair(self, stated: str, place: int, other: int) -> str | None:
        if not self.may_relate(stated, place, other):
            return None
        return holds(self.relation_of(stated, place, other), self.regions[place], self.regions[other])

    def is_living(self, place: int) -> bool:
        """Return whether a region's label names a person or an animal."""
        return bool(kinds_of(self.labels[place], self.nouns) & {"person", "animal"})

    def is_backdrop(self, noun: str) -> bool:
        """Return whether a noun names a sky or another background."""
        return "backdrop" in kinds_of(noun, self.nouns)

    def _placed_thing(self, place: int) -> PlacedThing | None:
        if place not in self._placed:
            found = outline(self.regions[place].rle, self.regions[place].size)
            kinds = kinds_of(self.labels.get(place, ""), self.nouns)
            self._placed[place] = PlacedThing(found, kinds) if found else None
        return self._placed[place]

    def _is_of_another(self, place: int, owner: int) -> bool:
        """Return whether a thing lies within a creature other than its owner.

        place, owner: indices of the regions of the thing and of its supposed owner. Example: a mane that lies within a
        lion is not the mane of the lioness beside the lion.
        """
        thing, one = self._placed_thing(place), self._placed_thing(owner)
        if thing is None or one is None or thing.is_part_of(one, OWNED):
            return False
        others = (self._placed_thing(other) for other in self.labels if other not in (place, owner))
        return any(other and other.is_living and thing.is_part_of(other, OWNED) for other in others)

    def is_part_of_creature(self, place: int) -> bool:
        """Return whether a region lies within a person or an animal: a hand, a tie or a paw."""
        own = outline(self.regions[place].rle, self.regions[place].size)
        for other, label in self.labels.items():
            kinds = (self.nouns.naming(head(label), kind) for kind in ("person", "animal"))
            around = (
                outline(self.regions[other].rle, self.regions[other].size) if other != place and "is" in kinds else None
            )
            if own and around and own.area < around.area and own.share_within(around) >= WITHIN:
                return True
        return False

    def number_of(self, places: Sequence[int]) -> tuple[int, bool]:
        """Return how many things some regions show, and whether this number is certain.

        places: indices of the regions. A region with a plural label ("balconies") shows several things. Such a region
        counts as the number of separate outlines in its mask, but at least as two. This number is certain only if the
        region has several outlines. A region marked as a crowd counts in the same way, but its number is never certain.
        """
        several = [place for place in places if self.is_several(place)]
        drawn = [self._outlines(place) for place in several]
        is_certain = not several or (not self.crowds & set(several) and min(drawn) > 1)
        return len(places) - len(several) + sum(max(2, number) for number in drawn), is_certain

    def is_several(self, place: int) -> bool:
        """Return whether a region shows several things: a crowd, or a region with a plural label."""
        last = head(self.labels[place]).split()[-1:]
        plural = (
            bool(last) and (singular(last[0]) != last[0] or last[0] == "people") and not self.is_class(place)
        )  # a label that is a class name, such as "skis", may be plural but mean one thing
        return place in self.crowds or plural

    def _outlines(self, place: int) -> int:
        region = self.regions[place]
        return outlines.pieces(region.rle, region.size)


def has_other_name(noun: str, labels: Iterable[str], nouns: Lexicon) -> bool:
    """Return whether annotators may have labelled a noun's thing with another name, such as a chair as "couch".

    labels: labels of regions that may show the thing. A region that the caption names by another noun ("a chair and a
    couch") shows another thing.
    """
    given = tuple(labels)
    for names in CONFUSED:
        own = {name for name in names if nouns.naming(noun, name, likeliest=True) == "is"}
        if own and any(nouns.same(name, label) for name in names - own for label in given):
            return True
    return False
