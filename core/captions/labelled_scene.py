"""Compare a text with the labels of a picture's regions.

A label is a usual name of a thing, so nouns find their regions by a table of nouns. Nouns that the table lacks are
compared by an encoder, if there is one.

Labels can support or contradict that a thing is present, what it is, and how many there are. Colours, actions and
relations of two present things can be judged only if a label of several words states them. Things that annotators did
not look for cannot be judged.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace

from core.captions.conventions import COLOURS, PICTURES
from core.captions.denials import NOBODY
from core.captions.facts import Fact
from core.captions.label_facts import LabelFacts, present
from core.captions.nouns import Naming, NounTable
from core.captions.phrases import CaptionPhrase, NamedThing
from core.captions.words import singular
from core.types import ImageRegion, Mark, Thing

REVERSED: Mapping[Mark, Mark] = {"correct": "incorrect", "incorrect": "correct", "not judged": "not judged"}
WHOLE_PICTURE = PICTURES - {"background"}  # "in the picture" is no place within it
GROUP = "group of"  # the attribute for several things

Likeness = Callable[[str, str], bool]  # whether an encoder sees a noun and a label as the same thing


class LabelledScene:
    """The labels of one picture."""

    def __init__(
        self,
        regions: Sequence[ImageRegion],
        vocabulary: Sequence[str],
        nouns: NounTable,
        alike: Likeness,
        label_phrases: Mapping[str, Sequence[CaptionPhrase]] | None = None,
    ) -> None:
        """Take the picture's regions, and the things that annotators looked for.

        The region of the whole picture may be among them. `label_phrases`: phrases of longer labels, by label.
        """
        self._regions = tuple(regions)
        self._labels = {place: region.label for place, region in enumerate(regions) if region.label}
        self._crowds = {place for place, region in enumerate(regions) if region.is_crowd}
        self._vocabulary, self._nouns, self._alike = vocabulary, nouns, alike
        self._found: dict[str, Mapping[int, Naming]] = {}
        self._facts = LabelFacts(label_phrases or {}, nouns)

    def regions_of(self, noun: str) -> Mapping[int, Naming]:
        """Return the places of the regions that a noun names.

        Each has "is", or "wider" if the noun names a wider kind of thing.
        """
        if noun not in self._found:
            exact = any(self._nouns.same(noun, label) for label in (*self._vocabulary, *self._labels.values()))
            self._found[noun] = {
                place: naming
                for place, label in self._labels.items()
                if (naming := self._naming(noun, label, exact)) in ("is", "wider")
            }
        return self._found[noun]

    def _naming(self, noun: str, label: str, exact: bool) -> Naming:
        naming = self._nouns.naming(noun, label, likeliest=exact)
        return "is" if naming == "unknown" and self._alike(noun, label) else naming

    @property
    def has_labels(self) -> bool:
        """Return whether any region has a label."""
        return bool(self._labels)

    def same_thing(self, noun: str, other: str) -> bool:
        """Return whether two nouns may mean the same thing: "dog" and "animal", in either order."""
        return any(self._naming(a, b, False) in ("is", "wider") for a, b in ((noun, other), (other, noun)))

    def looked_for(self, noun: str) -> bool:
        """Return whether annotators looked for things of that kind."""
        return any(self._nouns.naming(noun, label, likeliest=True) == "is" for label in self._vocabulary)

    def there(self, noun: str) -> Mark:
        """Return whether a thing of that name is present; "unknown" if annotators did not look for it."""
        if self.regions_of(noun) or self._facts.there(noun):
            return "correct"
        return "incorrect" if self.looked_for(noun) else "not judged"

    def counted(self, noun: str, number: int) -> Mark:
        """Return whether that many things of that name are present.

        A crowd may be any number of them. If there are more regions than stated, some may be other things of a wider
        kind.
        """
        named = self.regions_of(noun)
        if not named:
            return self.there(noun)
        single = len(named) - len(self._crowds & named.keys())
        if single == number:
            return "correct"
        return "incorrect" if single < number and not self._crowds & named.keys() else "not judged"

    def mark(self, phrase: CaptionPhrase, caption: Sequence[CaptionPhrase] = ()) -> Mark:
        """Return what the labels say about a phrase; caption: all mentions of the caption."""
        fact = phrase.fact
        if fact is None:
            return "not judged"
        if phrase.kind == "denied":
            return self._denied(phrase, fact, caption)
        if fact.kind == "entity":
            return self.there(fact.subject)
        if fact.kind == "quantity":
            return self.counted(fact.subject, int(fact.object))
        if any(thing.mark == "incorrect" for thing in self.things(phrase)):
            return "incorrect"
        if self._facts.state(fact):
            return "correct"
        return self._described(fact, caption) if fact.kind == "attribute" else "not judged"

    def _denied(self, phrase: CaptionPhrase, fact: Fact, caption: Sequence[CaptionPhrase]) -> Mark:
        """Return what the labels say about a fact that the caption denies.

        The denial is "correct" if annotators looked for the absent thing and found none, or if labels contradict the
        fact. It is "incorrect" if the absent thing is in the picture, unless the caption denies only its place.
        """
        if any(thing.mark == "incorrect" for thing in self.things(phrase)):
            return "incorrect"
        absent = [self.there(NOBODY.get(thing.text, thing.text)) for thing in phrase.absent]
        if "correct" in absent and (fact.kind == "entity" or fact.object in WHOLE_PICTURE):
            return "incorrect"
        if "incorrect" in absent:
            return "correct"
        return REVERSED[self.mark(replace(phrase, kind="caption", absent=()), caption)]

    def _described(self, fact: Fact, caption: Sequence[CaptionPhrase]) -> Mark:
        """Return whether labels support an attribute.

        It is "correct" if the attribute says that there are several. Otherwise only labels of several words can tell. A
        label "bus" does not say "double-decker", a narrower word for a bus.
        """
        regions = self.regions_of(fact.subject)
        if fact.object == GROUP:
            return "correct" if len(regions) > 1 or self._crowds & regions.keys() else "not judged"
        labels = [self._labels[place] for place, naming in regions.items() if naming == "is"]
        if self._facts.rule_out(fact, labels, caption):
            return "incorrect"
        named = fact.object not in COLOURS and any(self._says(label, fact.object) for label in self._labels_of(regions))
        return "correct" if named else "not judged"

    def _labels_of(self, places: Iterable[int]) -> frozenset[str]:
        return frozenset(self._labels[place] for place in places)

    def _says(self, label: str, kind: str) -> bool:
        """Return whether a label implies a kind of thing: "dog" implies dog and animal."""
        return self._nouns.same(kind, label) or self._nouns.naming(kind, label) == "wider"

    def things(self, phrase: CaptionPhrase) -> tuple[Thing, ...]:
        """Return the things that a phrase says are present, each with the verdict of the labels."""
        claimed = phrase.things[: len(present(phrase.fact))] if phrase.fact else phrase.things
        absent = {thing.span for thing in phrase.absent}
        return tuple(
            Thing(thing.text, thing.span, self.there(thing.text)) for thing in claimed if thing.span not in absent
        )

    def named_by(self, phrase: CaptionPhrase) -> frozenset[int]:
        """Return the places of the regions that a phrase names."""
        return frozenset(place for thing in phrase.things for place in self.regions_of(thing.text))

    def mentioned(self, phrases: Iterable[CaptionPhrase]) -> frozenset[int]:
        """Return the places of all regions that phrases name, also before another noun: "clock tower"."""
        nouns = {noun for phrase in phrases for noun in self._nouns_of(phrase)}
        return frozenset(place for noun in nouns for place in self._meant(noun))

    def _meant(self, noun: str) -> Iterable[int]:
        """Yield the places of the regions that a noun means.

        A wider noun counts if it is plural, or if only one kind of thing fits it. "The furniture" mentions neither
        chair nor table, "vehicles" mentions cars and buses, and "the animal" mentions a dog if there is no other
        animal.
        """
        named = self.regions_of(noun)
        plural = singular(noun.split()[-1]) != noun.split()[-1]
        wider = {self._labels[place] for place, naming in named.items() if naming == "wider"}
        return (place for place, naming in named.items() if naming == "is" or len(wider) == 1 or plural)

    def _nouns_of(self, phrase: CaptionPhrase) -> Iterable[str]:
        for thing in phrase.things:
            if thing in phrase.absent:
                continue
            yield thing.text
            yield from self._modifiers(thing)
        if phrase.fact and phrase.fact.kind == "attribute" and phrase.fact.object not in COLOURS:
            yield from self._modifiers(NamedThing(f"{phrase.fact.object} thing", phrase.span))

    def _modifiers(self, thing: NamedThing) -> Iterable[str]:
        """Yield the words before a thing's last word that are themselves labels of regions."""
        words = thing.text.split()[:-1]
        labels = set(self._labels.values())
        runs = (" ".join(words[start:end]) for end in range(len(words) + 1) for start in range(end))
        yield from (run for run in runs if any(self._nouns.same(run, label) for label in labels))

    def in_words_of(self, phrases: Iterable[CaptionPhrase]) -> tuple[tuple[ImageRegion, ...], ...]:
        """Return the regions under their labels, then under the phrases' first, second ... words for them."""
        words: dict[int, list[str]] = {}
        for noun in dict.fromkeys(thing.text for phrase in phrases for thing in phrase.things):
            for place in self.regions_of(noun):
                words.setdefault(place, []).append(noun)
        most = max(map(len, words.values()), default=0)
        return self._regions, *(self._worded({k: w[n] for k, w in words.items() if n < len(w)}) for n in range(most))

    def _worded(self, words: Mapping[int, str]) -> tuple[ImageRegion, ...]:
        return tuple(replace(one, label=words.get(place, one.label)) for place, one in enumerate(self._regions))
