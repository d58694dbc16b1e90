"""Judge a caption by the labels and outlines of a picture's regions.

Labels can support or contradict that a thing is present, what it is, and how many there are. Outlines can support a
relation such as "next to", but never contradict it. A label of several words, such as "red bus", can also support or
contradict what it states. All other phrases are not judged. Each mark ("correct", "incorrect", "not judged") has a
reason in words.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from core.captions.caption_things import CaptionThings
from core.captions.denied_facts import NOBODY
from core.captions.facts import Fact
from core.captions.factual_conventions import COLOURS, PICTURES
from core.captions.judged_relations import JudgedRelations, Verdict
from core.captions.label_facts import present
from core.captions.labelled_scene import LabelledScene
from core.captions.noun_context import DEPICTIONS, IMITATING
from core.captions.phrases import CaptionPhrase, NamedThing
from core.types import ImageRegion, Mark, Thing

REVERSED: Mapping[Mark, Mark] = {"correct": "incorrect", "incorrect": "correct", "not judged": "not judged"}
WHOLE_PICTURE = PICTURES - {"background"}  # "in the picture" names no place within it
# Places that refute "nobody is on the street" if outlines support them. "Behind" is left out: it may hold by chance.
CERTAIN_PLACES = {"on", "on top of", "in", "inside", "next to", "beside", "near"}
GROUP = "group of"  # attribute of a noun that means several things


class LabelledCaption:
    """One caption, which can be judged by the labels and outlines of its picture's regions."""

    def __init__(self, scene: LabelledScene, phrases: Sequence[CaptionPhrase], caption: str = "") -> None:
        """Take the picture's labels, all phrases of the caption, and the caption itself.

        caption: the words around a noun in the caption show how many things the noun means. Without the caption, only
        the noun's form (singular or plural) shows this.
        """
        self._scene, self._phrases, self._caption = scene, phrases, caption
        self._things = CaptionThings(scene, phrases, caption)
        self._relations = JudgedRelations(scene, self._things)

    def verdict(self, phrase: CaptionPhrase) -> Verdict:
        """Return what labels and outlines say about a phrase: a mark, and a reason in words."""
        fact = phrase.fact
        if fact is None:
            return Verdict("not judged", "Labels cannot judge a whole caption.")
        if phrase.kind == "denied":
            return self._denied(phrase, fact)
        if fact.kind == "entity":
            return self._there(_subject(phrase, fact))
        if fact.kind == "quantity":
            return self._counted(_subject(phrase, fact), int(fact.object))
        for thing in self._claimed(phrase):
            found = self._there(thing)
            if found.mark == "incorrect" or self._scene.is_unsupported_role(self._things.context(thing).noun):
                return found
        if fact.kind == "attribute":
            return self._stated(phrase, fact) if self._scene.facts.state(fact) else self._described(phrase, fact)
        return self._unknown_end(phrase) or self._related(phrase, fact)

    def mark(self, phrase: CaptionPhrase) -> Mark:
        """Return the mark of a phrase: "correct", "incorrect" or "not judged"."""
        return self.verdict(phrase).mark

    def _denied(self, phrase: CaptionPhrase, fact: Fact) -> Verdict:
        """Return the verdict of the labels about a fact that the caption denies.

        The denial is "correct" if annotators looked for the absent thing and found none. The denial is also "correct"
        if labels contradict the denied fact. It is "incorrect" if the thing that the caption calls absent is in the
        picture. But a denial of only the thing's location is not "incorrect" for that reason.
        """
        for thing in self._claimed(phrase):
            found = self._there(thing)
            if found.mark == "incorrect":
                return found
        absent = [self._there(replace(thing, text=NOBODY.get(thing.text, thing.text))) for thing in phrase.absent]
        if len(absent) > 1 and len(absent) == len(phrase.things):
            return _all_absent(absent)
        for found in absent:
            if found.mark == "correct" and (fact.kind == "entity" or fact.object in WHOLE_PICTURE):
                return Verdict("incorrect", found.reason)
        for found in absent:
            if found.mark == "incorrect":
                return Verdict("correct", found.reason)
        stated = self._denied_relation(phrase, fact) or self.verdict(replace(phrase, kind="caption", absent=()))
        if stated.part:  # "not sitting on the bench": outlines show "on the bench", but not "sitting"
            return Verdict("not judged", stated.reason)
        return Verdict(REVERSED[stated.mark], stated.reason)

    def _denied_relation(self, phrase: CaptionPhrase, fact: Fact) -> Verdict | None:
        """Return whether outlines support a relation to a thing that the caption calls absent.

        Returns None if they do not. Example: "nobody is on the street", although outlines show people on the street.
        """
        if fact.predicate not in CERTAIN_PLACES or len(phrase.things) != 2 or not phrase.absent:
            return None
        one, other = (replace(thing, text=NOBODY.get(thing.text, thing.text)) for thing in phrase.things)
        if self._things.context(one).is_doubtful or self._things.context(other).is_doubtful:
            return None
        first, second = (self._scene.regions_of(self._things.context(thing).noun) for thing in (one, other))
        rule = next((words for place in first if (words := self._things.holds(fact, place, second))), None)
        return Verdict("correct", f"“{one.text}” and “{other.text}” are labelled: {rule}.") if rule else None

    def _there(self, thing: NamedThing) -> Verdict:
        """Return whether labels show that a thing is present."""
        context, scene, name = self._things.context(thing), self._scene, self._name(thing)
        mark = scene.there(context.noun)
        if mark == "correct" and context.is_imitation and not self._is_labelled_imitation(context.noun):
            return Verdict("not judged", f"The labels do not show whether “{name}” is an imitation or a picture.")
        if mark == "correct" and (shown := scene.fixtures_of(context.noun)):
            return Verdict(mark, f"Labels “{shown[0]}” and “{shown[1]}” show “{name}”.")
        if mark == "correct":
            named = scene.regions_of(context.noun)
            label = next((scene.labels[place] for place in self._things.meant.get(thing, named)), None)
            longer = scene.facts.label_with(context.noun)
            words = f"Label “{longer}” also names" if label is None and longer else f"Label “{label}” matches"
            return Verdict(mark, f"{words} “{name}”.")
        if mark == "incorrect" and context.is_doubtful:
            return Verdict("not judged", f"“{name}” may mean something else in this caption.")
        if mark == "incorrect":
            return Verdict(mark, f"Annotators looked for “{name}” and found none in this picture.")
        return Verdict(mark, f"The labels do not show whether there is “{name}”.")

    def _is_labelled_imitation(self, noun: str) -> bool:
        """Return whether the noun's regions have a label that also names an imitation.

        Example: the label "teddy bear" for "stuffed bear".
        """
        labels = (self._scene.labels[place] for place in self._scene.regions_of(noun))
        return any((IMITATING | DEPICTIONS) & set(label.lower().split()) for label in labels)

    def _counted(self, thing: NamedThing, number: int) -> Verdict:
        """Return whether labels show as many of a thing as the caption states (`number`).

        If more regions match than the caption states, the result is "not judged". The reason is that some of the
        regions may show other things.
        """
        context, scene = self._things.context(thing), self._scene
        named = scene.regions_of(context.noun)
        if not named or scene.is_unsupported_role(context.noun):
            return self._there(thing)
        if number > 1 and self._caption and not context.is_plural and context.amount == 1:  # "a ten speed bike": 1 bike
            return Verdict("not judged", f"“{number}” is not the number of “{thing.text}” here.")
        found, is_certain = scene.number_of(list(named))
        wider = set(named.values()) != {"is"} or len(self._possible(context.noun)) > len(named)
        wider = wider or any(map(scene.is_part_of_creature, named))  # annotators outline some hands, ties and paws only
        words = f"{found} {'region matches' if found == 1 else 'regions match'} “{self._name(thing)}”"
        if found == number and is_certain:
            return Verdict("correct", f"{words}.")
        if found < number and is_certain and not wider and not context.is_doubtful:
            return Verdict("incorrect", f"Only {words}.")
        return Verdict("not judged", f"{words}. The labels do not show the exact number.")

    def _stated(self, phrase: CaptionPhrase, fact: Fact) -> Verdict:
        """Return the verdict on an attribute that a label states. For "two bald men", two labels must state it."""
        meant = self._things.meant.get(_subject(phrase, fact), ())
        if len(meant) > 1 and not all(self._scene.facts.describes(self._scene.labels[place], fact) for place in meant):
            return Verdict("not judged", f"Not every label of “{fact.subject}” states “{fact.object}”.")
        return Verdict("correct", "A label states the same.")

    def _possible(self, noun: str) -> list[int]:
        """Return the indices of the regions that may show the noun, including those whose label has a wider meaning."""
        return [p for p, label in self._scene.labels.items() if self._scene.same_thing(noun, label)]

    def _described(self, phrase: CaptionPhrase, fact: Fact) -> Verdict:
        """Return whether labels support an attribute of a thing.

        An attribute of a group, such as "many", is "correct" if several regions match. Other attributes need a label of
        several words, such as "red bus". The label "bus" alone does not show whether the bus is "double-decker".
        """
        thing, scene = _subject(phrase, fact), self._scene
        named = scene.regions_of(self._things.context(thing).noun)
        if fact.object == GROUP:
            several = len(named) > 2 or any(map(scene.is_several, named))
            return Verdict("correct" if several else "not judged", f"{len(named)} regions match “{thing.text}”.")
        labels = [scene.labels[place] for place, naming in named.items() if naming == "is"]
        if scene.facts.rule_out(fact, labels, self._phrases):
            return Verdict("incorrect", f"Label “{labels[0]}” names a different colour than the caption.")
        if fact.object not in COLOURS and any(self._says(scene.labels[place], fact.object) for place in named):
            return Verdict("correct", f"A label states “{fact.object}”.")
        if not named:
            return Verdict("not judged", self._there(thing).reason)
        unknown = Verdict("not judged", f"“{thing.text}” is labelled, but no label says “{fact.object}”.")
        return self._relations.action(fact, thing) or unknown

    def _says(self, label: str, kind: str) -> bool:
        """Return whether a label implies a word for a kind of thing: the label "dog" implies "dog" and "animal"."""
        return self._scene.nouns.same(kind, label) or self._scene.nouns.naming(kind, label) == "wider"

    def _unknown_end(self, phrase: CaptionPhrase) -> Verdict | None:
        """Return "not judged" for a relation if labels do not confirm an attribute of a related thing.

        Example: "lion with light mane", if a label says "dark mane". An attribute is checked only if labels state some
        attribute of that thing. Returns None if no attribute is unconfirmed.
        """
        ends = {thing.span for thing in phrase.things}
        for one in self._phrases:
            fact = one.fact
            if one.kind != "attribute" or fact is None or fact.kind != "attribute" or not one.things:
                continue
            is_end = one.things[0].span in ends and self._scene.facts.describe(fact.subject)
            if is_end and (found := self.verdict(one)).mark != "correct":
                return Verdict("not judged", found.reason)
        return None

    def _related(self, phrase: CaptionPhrase, fact: Fact) -> Verdict:
        """Return whether a label or the regions' outlines support a relation of two present things."""
        if self._scene.facts.state(fact):
            return Verdict("correct", "A label states the same.")
        if len(phrase.things) != 2:
            return Verdict("not judged", "The labels do not show whether this is true.")
        found = self._relations.verdict(fact, *phrase.things)
        unknown = (self._there(thing) for thing in phrase.things if not self._things.meant.get(thing))
        return found or Verdict(
            "not judged", next((one.reason for one in unknown), "The labels do not show whether this is true.")
        )

    def things(self, phrase: CaptionPhrase) -> tuple[Thing, ...]:
        """Return the things that a phrase says are present, each with the mark that the labels give it."""
        marks = ((one, self._there(one).mark) for one in self._claimed(phrase))
        named = ((one, mark, self._marked_name(one, mark)) for one, mark in marks)
        return tuple(Thing(name, self._span(one, name), mark) for one, mark, name in named)

    def _marked_name(self, thing: NamedThing, mark: Mark) -> str:
        """Return the words of a thing's name to which the mark applies.

        Example: of "mountain lion", labels support only "lion".
        """
        noun = self._things.context(thing).noun
        return (
            noun
            if mark == "correct" and len(noun) > len(thing.text)
            else thing.text
            if mark == "correct"
            else self._name(thing)
        )

    def _span(self, thing: NamedThing, name: str) -> tuple[int, int]:
        """Return the (start, end) of a name in the caption: of "lion" in "mountain lion".

        The name ends where the thing ends.
        """
        start, end = thing.span
        own = end - len(name)
        return (own if own >= 0 and self._caption[own:end].lower() == name.lower() else start), end

    def _name(self, thing: NamedThing) -> str:
        """Return a thing's whole name: "potted plant", although the parser's noun is "plant"."""
        return max(thing.text, thing.full, self._things.context(thing).noun, key=len)

    def _claimed(self, phrase: CaptionPhrase) -> tuple[NamedThing, ...]:
        things = phrase.things[: len(present(phrase.fact))] if phrase.fact else phrase.things
        absent = {thing.span for thing in phrase.absent}
        return tuple(thing for thing in things if thing.span not in absent)

    def named_by(self, phrase: CaptionPhrase) -> frozenset[int]:
        """Return the indices of the regions that a phrase refers to."""
        return frozenset(place for thing in phrase.things for place in self._things.meant.get(thing, ()))

    @property
    def mentioned(self) -> frozenset[int]:
        """Return the indices of all regions that the caption mentions."""
        return frozenset(place for places in self._things.meant.values() for place in places)

    def reason_of(self, place: int) -> str:
        """Return a sentence that says why a region counts as mentioned, or why not."""
        label = self._scene.labels.get(place)
        if label is None:
            return ""
        for thing, places in self._things.meant.items():
            if place in places:
                return f"Label “{label}” matches “{thing.text}”."
        for thing in self._things.meant:
            if place in self._scene.regions_of(self._things.context(thing).noun):
                return f"Label “{label}” matches “{thing.text}”, but the caption refers to another region."
        return f"No noun of the caption matches label “{label}”."

    def in_words(self) -> tuple[tuple[ImageRegion, ...], ...]:
        """Return the picture's regions several times, with different labels each time.

        The first tuple has the regions with their own labels. The second tuple has, for each region, the first word by
        which the caption names it. The third tuple has the second word by which the caption names it, and so on. A
        region without such a word keeps its own label.
        """
        words: dict[int, list[str]] = {}
        for thing in dict.fromkeys(thing for phrase in self._phrases for thing in phrase.things):
            for place in self._things.meant.get(thing, ()):
                if thing.text not in words.setdefault(place, []):
                    words[place].append(thing.text)
        most = max(map(len, words.values()), default=0)
        own = self._scene.regions
        return own, *(self._worded({k: w[n] for k, w in words.items() if n < len(w)}) for n in range(most))

    def _worded(self, words: Mapping[int, str]) -> tuple[ImageRegion, ...]:
        return tuple(replace(one, label=words.get(place, one.label)) for place, one in enumerate(self._scene.regions))


def _subject(phrase: CaptionPhrase, fact: Fact) -> NamedThing:
    return phrase.things[0] if phrase.things else NamedThing(fact.subject, phrase.span)


def _all_absent(things: Sequence[Verdict]) -> Verdict:
    """Return the verdict on "neither a car nor a bus", from the verdicts on whether each thing is there."""
    there = next((one for one in things if one.mark == "correct"), None)
    if there is not None:
        return Verdict("incorrect", there.reason)
    unknown = next((one for one in things if one.mark != "incorrect"), None)
    return unknown or Verdict("correct", things[0].reason)
