"""Things that a caption names.

For each thing, this module finds the meaning of its noun, and the regions of the picture that the noun refers to.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property

from core.captions.label_facts import LabelFacts
from core.captions.labelled_scene import LabelledScene
from core.captions.meant_regions import Candidate, regions_meant
from core.captions.noun_context import NounInContext, in_context
from core.captions.reading.denial import have_denial
from core.captions.reading.factual import COLOURS
from core.captions.reading.lexicon import Naming
from core.captions.reading.phrases import CaptionPhrase, NamedThing
from core.captions.reading.words import plural, singular, words
from core.captions.thing_kinds import OWNING


class CaptionThings:
    """The things that one caption names, for a picture whose regions have labels."""

    def __init__(self, scene: LabelledScene, phrases: Sequence[CaptionPhrase], caption: str) -> None:
        """Use the picture's labels, all phrases of the caption, and the caption itself ("" if unknown)."""
        self._scene, self._phrases, self._caption = scene, phrases, caption
        self._statements = LabelStatements(scene, phrases, self.context)
        self._contexts: dict[NamedThing, NounInContext] = {}
        self._named: dict[NamedThing, Mapping[int, Naming]] = {}
        self._shown_words: dict[NamedThing, str | None] = {}

    def named(self, thing: NamedThing) -> Mapping[int, Naming]:
        """Return the indices of the regions that a thing's noun names.

        For each region, the value says how the noun relates to the region's label. A region does not count if an
        annotator chose its label freely and the label is less specific than the noun. Example: the label "pedestrian"
        does not support the noun "woman", and the label "building" does not support "church".
        """
        if thing not in self._named:
            found = self._scene.regions_of(self.context(thing).noun)
            self._named[thing] = {place: naming for place, naming in found.items() if self._may_be(thing, place)}
        return self._named[thing]

    def _may_be(self, thing: NamedThing, place: int) -> bool:
        """Return whether the label of a region supports a thing's noun.

        A label that supports only the end of the noun is enough: "bus" of "city bus". A label from the annotators' list
        of class names is enough even if it is less specific: "person" for "woman".
        """
        word = self._scene.shown_word(self.context(thing).noun, [place])
        return word is None or self.context(thing).noun.endswith(word) or self._scene.is_class(place)

    def vague_label(self, thing: NamedThing) -> str | None:
        """Return a label that is less specific than a thing's noun.

        Example: the label "building" for the noun "church". Returns None if a label supports the noun, or if no label
        matches the noun.
        """
        noun = self.context(thing).noun
        if self.named(thing) or self._scene.facts.label_with(noun):
            return None
        return next((self._scene.labels[place] for place in self._scene.regions_of(noun)), None)

    def shown_word(self, thing: NamedThing) -> str | None:
        """Return the word to show in place of a thing's noun, if the labels support this word but not the noun.

        Example: "people" for "women", if the label is "person". Returns None if the labels support the noun itself.
        """
        if thing not in self._shown_words:
            self._shown_words[thing] = self._shown_word(thing)
        return self._shown_words[thing]

    def _shown_word(self, thing: NamedThing) -> str | None:
        context = self.context(thing)
        places = self.meant.get(thing, ())
        is_own = thing.text in context.noun  # False if another word names what is meant: elephants in "elephant family"
        noun = max(thing.text, thing.full, context.noun, key=len) if is_own else context.noun
        word = self._scene.shown_word(noun, places)
        return plural(word) if word and context.amount != 1 and singular(word) == word and word != "people" else word

    def in_caption(self, thing: NamedThing) -> str:
        """Return a thing's name, with capital letters only where names need them.

        Example: "Eiffel Tower". A word at a sentence's start loses its capital letter: "branches" for "Branches".
        """
        name, written = thing.full or thing.text, self._caption[slice(*thing.span)]
        if written.lower() != name.lower():
            return name
        is_name = thing.span[0] > 0 or not written[1:].islower()
        return written if is_name else written[:1].lower() + written[1:]

    @cached_property
    def meant(self) -> Mapping[NamedThing, Sequence[int]]:
        """Indices of the regions that each thing refers to. Things that the caption denies ("no dog") have no entry."""
        absent = {thing for phrase in self._phrases for thing in phrase.absent}
        read = [thing for phrase in self._phrases for thing in phrase.things]
        things = dict.fromkeys(thing for thing in (*read, *self._unread(read)) if thing not in absent)
        candidates = [Candidate(one, self.context(one), self._regions_of(one, things)) for one in things]
        places = {one.thing: one.places for one in candidates}

        def fits(thing: NamedThing, place: int) -> tuple[int, ...]:
            noun = self.context(thing).noun
            return (
                self._statements.number_about(thing, place),
                self._scene.has_own_label(noun, place),
                any(self._may_relate(thing, place, phrase, places) for phrase in self._phrases),
            )

        return regions_meant(candidates, self._scene.regions, fits)

    def _regions_of(self, thing: NamedThing, things: Iterable[NamedThing]) -> Collection[int]:
        """Return the indices of the regions that a thing's noun names.

        The noun can name a group of which the caption describes one member: "team" in "a player of a team". Then only
        regions with the label "team" are returned. The noun "team" also names regions of single persons, but the
        caption does not describe these persons.
        """
        noun = self.context(thing).noun
        named = self.named(thing)
        if not self.context(thing).is_whole:
            return named
        before = (self.context(one) for one in things if one.span < thing.span)
        has_member = any(one.amount == 1 and set(named) & set(self._scene.regions_of(one.noun)) for one in before)
        return [place for place in named if self._scene.has_own_label(noun, place)] if has_member else named

    def named_otherwise(self, thing: NamedThing) -> Collection[int]:
        """Return the indices of the regions that other things of the caption refer to by the region's own label."""
        others = ((one, place) for one, places in self.meant.items() if one.span != thing.span for place in places)
        return {place for one, place in others if self._scene.has_own_label(self.context(one).noun, place)}

    def _unread(self, read: Sequence[NamedThing]) -> Iterable[NamedThing]:
        """Yield the caption's words that equal region labels but that the parser did not find.

        read: the things that the parser found. A word before such a thing is skipped, because it belongs to the thing's
        name: "bus" of "bus stop". A caption with a denial ("no", "without") yields nothing, because then only the
        parser can tell what is absent.
        """
        found = words(self._caption)
        if have_denial([word.text for word in found]):
            return
        ends = {place for thing in read for place in range(*thing.span)}
        labels = {label.lower() for label in self._scene.labels.values()}
        for place, word in enumerate(found):
            after = found[place + 1].start if place + 1 < len(found) else -1
            is_label = singular(word.text) in labels and word.text not in COLOURS | {"orange"}
            if is_label and word.start not in ends and after not in ends:
                yield NamedThing(word.text, (word.start, word.end))

    @cached_property
    def within(self) -> Mapping[NamedThing, Sequence[int]]:
        """Indices of the regions whose label also names a thing, besides the label's main thing.

        Example: the label "man in a coat" also names a coat. Things with their own regions have no entry. Each label is
        compared with the caption's phrases about the thing. Only the regions whose labels state the largest number of
        these phrases are included. Among them, regions to which other things of the caption refer are preferred.
        """
        chosen = {place for places in self.meant.values() for place in places}
        found: dict[NamedThing, Sequence[int]] = {}
        for thing, own in self.meant.items():
            context = self.context(thing)
            if own or self._scene.facts.label_with(context.noun) is None:
                continue
            fit = {
                place: (self._statements.number_about(thing, place), place in chosen)
                for place in self._scene.labels
                if self._statements.facts(place).label_with(context.noun)
            }
            best = [place for place, value in fit.items() if value == max(fit.values())]
            found[thing] = best[: context.amount]
        return found

    def supporting(self, phrase: CaptionPhrase) -> Sequence[int]:
        """Return the indices of the regions whose label states a phrase.

        A region does not count if it shows another thing with the same noun. Example: if a picture shows two men, the
        label "bald man" of one man does not describe the other. The label of a body part counts: "face of an elderly
        woman" for "elderly woman".
        """
        if phrase.fact is None or not phrase.things or phrase.kind == "denied":
            return ()
        thing, fact = phrase.things[0], phrase.fact
        meant = self.meant.get(thing, ())
        stating = [place for place in self._scene.labels if self._statements.facts(place).state(fact)]
        shown = meant or self.within.get(thing, ())
        own = [place for place in stating if place in shown or not shown]
        others = [place for place in stating if place not in self._scene.regions_of(self.context(thing).noun)]
        return own or others[:1]

    def implies(self, place: int, kind: str) -> bool:
        """Return whether a region's label implies a word for a kind of thing: "dog" implies "dog" and "animal"."""
        return self._statements.implies(place, kind)

    def _may_relate(
        self, thing: NamedThing, place: int, phrase: CaptionPhrase, places: Mapping[NamedThing, Iterable[int]]
    ) -> bool:
        """Return whether outlines support the relation that a phrase states.

        The region with the index `place` is assumed to show the thing. places: for each other thing, the regions that
        may show it.
        """
        if phrase.fact is None or phrase.fact.kind != "relation" or thing not in phrase.things:
            return False
        one, other = phrase.things
        if thing == one:
            return self._scene.why_related(phrase.fact, place, places.get(other, ())) is not None
        return any(self._scene.why_related(phrase.fact, subject, [place]) for subject in places.get(one, ()))

    def context(self, thing: NamedThing) -> NounInContext:
        """Return a thing's noun with the words around it."""
        if thing not in self._contexts:
            found = in_context(self._caption, thing.text, thing.span, self._scene.nouns)
            self._contexts[thing] = replace(found, noun=self._animals(thing) or found.noun)
        return self._contexts[thing]

    def _animals(self, thing: NamedThing) -> str | None:
        """Return the label of the animals that "they" means: the only living things in the picture."""
        if self.written(thing) == thing.text or self._scene.regions_of("people"):
            return None
        living = {label for place, label in self._scene.labels.items() if self._scene.is_living(place)}
        return living.pop() if len(living) == 1 else None

    def written(self, thing: NamedThing) -> str:
        """Return "they" or "them" if the caption has this word for a thing, otherwise the thing's noun."""
        word = self._caption[slice(*thing.span)].lower()
        return word if word in ("they", "them") else thing.text


class LabelStatements:
    """The phrases of one caption that the labels of one picture's regions state."""

    def __init__(
        self, scene: LabelledScene, phrases: Sequence[CaptionPhrase], context: Callable[[NamedThing], NounInContext]
    ) -> None:
        """Use the picture's labels and all phrases of the caption. context: returns a thing's noun with its context."""
        self._scene, self._phrases, self._context = scene, phrases, context

    def number_about(self, thing: NamedThing, place: int) -> int:
        """Count how many of a thing's phrases a region's label states.

        A thing's phrases are the caption's phrases about it, and about other things that belong to it. Example: the
        caption is "a man in a black coat". For the man, the label "man in a black coat" states two phrases.
        """
        reached, stated = {thing}, set[CaptionPhrase]()
        while new := {
            phrase
            for phrase in self._phrases
            if phrase not in stated and reached & set(phrase.things[:1]) and self._state(place, phrase)
        }:
            stated |= new
            reached |= {other for phrase in new for other in phrase.things}
        return len(stated)

    def _state(self, place: int, phrase: CaptionPhrase) -> bool:
        """Return whether the label of a region states the phrase: the label "red bus" states "bus is red".

        The label "man in a coat" also states that the man has the coat.
        """
        fact = phrase.fact
        if fact is None:
            return False
        facts = self.facts(place)
        if fact.kind == "attribute":
            return facts.state(fact) or self.implies(place, fact.object)
        is_owned = fact.kind == "relation" and fact.predicate in OWNING and len(phrase.things) == 2
        return facts.state(fact) or (is_owned and facts.label_with(self._context(phrase.things[1]).noun) is not None)

    def implies(self, place: int, kind: str) -> bool:
        """Return whether a region's label implies a word for a kind of thing: "dog" implies "dog" and "animal"."""
        nouns, label = self._scene.nouns, self._scene.labels[place]
        return kind not in COLOURS and (nouns.same(kind, label) or nouns.naming(kind, label) == "wider")

    def facts(self, place: int) -> LabelFacts:
        """Return the facts that the label of a region states."""
        return self._scene.facts.of_label(self._scene.labels[place])
