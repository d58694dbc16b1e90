"""Judge a caption by the labels and outlines of a picture's regions.

Labels can support or contradict that a thing is present, what it is, and how many there are. Outlines can support a
relation such as "next to", but never contradict it. A label of several words, such as "red bus", can also support or
contradict what it states. All other phrases are not judged. Each mark ("correct", "incorrect", "not judged") has a
reason in words.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property

from core.captions.judging.labels import claimed
from core.captions.judging.scene import LabelledScene
from core.captions.judging.things import CaptionThings, Verdict
from core.captions.reading.denial import NOBODY
from core.captions.reading.facts import Fact
from core.captions.reading.factual import NUMBERS, PICTURES
from core.captions.reading.lexicon import head
from core.captions.reading.phrases import CaptionPhrase, NamedThing
from core.regions.relations import ONE_WAY, place_of_action, place_of_posture, relation
from core.types import ImageRegion, Mark, Thing

LIST = re.compile(r"(?!.*\b(?:next to|beside|near)\b).+ and .+")  # "a man and a bus" claims only that both are there
GROUP = "group of"  # attribute of the noun in "a group of dogs"
WHOLE_PICTURE = PICTURES - {"background"}  # "in the picture" names no place within it
HAVING = frozenset("have with feature include including contain show".split())  # of a room: "kitchen with oven"
REVERSED: Mapping[Mark, Mark] = {"correct": "incorrect", "incorrect": "correct", "not judged": "not judged"}
UNKNOWN = "The labels and outlines do not show how the two are related."


class LabelledCaption:
    """One caption, which can be judged by the labels and outlines of its picture's regions."""

    def __init__(self, scene: LabelledScene, phrases: Sequence[CaptionPhrase], caption: str = "") -> None:
        """Take the picture's labels, all phrases of the caption, and the caption itself.

        caption: the words around a noun in the caption show how many things the noun means. Without the caption, only
        the noun's form (singular or plural) shows this.
        """
        self._scene, self._phrases, self._caption = scene, phrases, caption
        self._things = CaptionThings(scene, phrases, caption)

    def verdict(self, phrase: CaptionPhrase) -> Verdict:
        """Return what labels and outlines say about a phrase: a mark, and a reason in words.

        If labels show less than a noun says, only a part of the phrase is supported: "person on horse" of "woman on
        horse".
        """
        found = self._verdict(phrase)
        if found.mark != "correct" or phrase.kind == "denied":
            return found
        words = {thing: word for thing in claimed(phrase) if (word := self._things.shown_word(thing))}
        part, reason = found.part or (phrase.shown or phrase.text if words else ""), found.reason
        noun, _, number = part.partition(" of ")
        part = (
            f"{number} {noun}" if number in NUMBERS or number.isdigit() else part
        )  # "four family" of "family of four"
        for thing, word in words.items():
            name = self._things.name(thing)
            names = rf"\b(?:{re.escape(name)}|{re.escape(thing.text)})\b"
            part = re.sub(names, word, part, count=1, flags=re.IGNORECASE)
            be = "these are" if self._things.context(thing).is_plural else "this is"
            reason = f"{reason} The labels do not show whether {be} “{name}”."
        return Verdict(found.mark, reason, part)

    def _verdict(self, phrase: CaptionPhrase) -> Verdict:
        fact = phrase.fact
        if fact is None:
            return Verdict("not judged", "Labels cannot judge a whole caption.")
        if phrase.kind == "denied":
            return self._denied(phrase, fact)
        subject = phrase.things[0] if phrase.things else NamedThing(fact.subject, phrase.span)
        if fact.kind == "entity":
            return self._things.enough(subject)
        if fact.kind == "quantity":
            return self._things.counted(subject, int(fact.object))
        for thing in claimed(phrase):
            found, enough = self._things.there(thing), self._things.enough(thing)
            is_vague = found.mark == "not judged" and bool(self._scene.regions_of(self._things.context(thing).noun))
            if found.mark == "incorrect" or (is_vague and not self._things.named(thing)):
                return found
            if found.mark == "correct" != enough.mark:
                return enough
        return self._attribute(phrase, subject, fact) if fact.kind == "attribute" else self._related(phrase, fact)

    def _attribute(self, phrase: CaptionPhrase, thing: NamedThing, fact: Fact) -> Verdict:
        """Return what labels say about an attribute of a thing: "red bus", "bald man", "group of dogs".

        An attribute needs a label of several words that states it. The label "bus" alone does not show whether the bus
        is "double-decker". For "two bald men", two labels must state it.
        """
        scene, named, meant = self._scene, self._things.named(thing), self._things.meant.get(thing, ())
        stating = [label for label in scene.labels.values() if scene.facts.states(label, fact)]
        if stating and len(meant) > 1 and not all(scene.facts.describes(scene.labels[one], fact) for one in meant):
            return Verdict("not judged", f"Not every label of “{fact.subject}” states “{fact.object}”.")
        if supporting := self._things.supporting(phrase):
            return Verdict("correct", f"Label “{scene.labels[supporting[0]]}” states the same.")
        if stating and (phrase.kind == "caption" or not meant):
            return Verdict("correct", f"Label “{stating[0]}” states the same.")
        if stating:
            words = f"Only another “{thing.text}” has a label that states “{fact.object}”: “{stating[0]}”."
            return Verdict("not judged", words)
        if fact.object == GROUP:
            several = len(named) > 2 or any(map(scene.is_several, named))
            return Verdict("correct" if several else "not judged", f"{len(named)} regions match “{thing.text}”.")
        noun, lexicon = self._things.context(thing).noun, scene.lexicon
        labels = [scene.labels[place] for place in named]
        labels = [
            one for one in labels if lexicon.naming(noun, one) == "is" or lexicon.same(noun, head(one).split()[-1])
        ]
        if scene.facts.rule_out(fact, labels, self._phrases):
            return Verdict("incorrect", f"Label “{labels[0]}” names a different colour than the caption.")
        implying = next((one for one in meant or named if self._things.implies(scene.labels[one], fact.object)), None)
        if implying is not None:
            return Verdict("correct", f"Label “{scene.labels[implying]}” states “{fact.object}”.")
        if not named:
            return Verdict("not judged", self._things.there(thing).reason)
        label = next(scene.labels[one] for one in meant or named)
        is_alike = not lexicon.same(thing.text, label) and set(label.split()) & set(thing.text.split())
        labelled = label if is_alike else thing.text  # "cake" for "chocolate cake", but "man" for the label "person"
        return Verdict("not judged", f"“{labelled}” is labelled, but no label says “{fact.object}”.")

    def _related(self, phrase: CaptionPhrase, fact: Fact) -> Verdict:
        """Return whether a label or the regions' outlines support a relation of two present things.

        Outlines never contradict a relation. They can support the location of a thing, but not its posture or motion.
        """
        things, scene = self._things, self._scene
        if supporting := things.supporting(phrase):
            return Verdict("correct", f"Label “{scene.labels[supporting[0]]}” states the same.")
        if len(phrase.things) != 2:
            return Verdict("not judged", "The labels do not show whether this is true.")
        one, other = phrase.things
        first, second = things.meant.get(one, ()), things.meant.get(other, ())
        is_doubtful = things.context(one).is_doubtful or things.context(other).is_doubtful
        is_list = fact.predicate == "next to" and LIST.fullmatch(phrase.shown) is not None
        if is_list and first and set(first).isdisjoint(second) and second and not is_doubtful:
            return Verdict("correct", "The labels name both things that the phrase lists.")
        if in_room := self._in_room(fact, one, other):
            return in_room
        if not (first and second):
            without = (things.there(thing) for thing in (one, other) if not things.meant.get(thing))
            unknown = (found.reason for found in without if found.mark != "correct")
            return Verdict("not judged", next(unknown, "The labels do not show whether this is true."))
        if one != other and set(first) & set(second):
            return Verdict("not judged", "Both names refer to the same region.")
        if is_doubtful:
            return Verdict("not judged", "In this caption, one of the two nouns may have another meaning.")
        words = {place: scene.why_related(fact, place, second) for place in first}
        if relation(fact.predicate) in ONE_WAY and any(scene.why_related(fact, place, first) for place in second):
            return Verdict("not judged", "The outlines would also support the opposite relation.")
        rule, related = next((text for text in words.values() if text), None), sum(map(bool, words.values()))
        is_each_other = one == other and 2 * related < len(words)
        if rule is None or is_each_other or related < min(2, len(words)):  # of "men", not only one man has the relation
            return Verdict("not judged", UNKNOWN)
        found = Verdict("correct", f"“{one.text}” and “{other.text}” are labelled: {rule}.")
        place = place_of_action(fact.predicate) or place_of_posture(fact.predicate)
        if place is None:
            return found
        last = "each other" if one == other else things.in_caption(other)
        reason = f"{found.reason} The outlines do not show “{fact.predicate.partition(' ')[0]}”."
        return Verdict("correct", reason, f"{things.in_caption(one)} {place} {last}")

    def _in_room(self, fact: Fact, one: NamedThing, other: NamedThing) -> Verdict | None:
        """Return "correct" if labels show that a thing is in a room: "kitchen with oven".

        Labels must show two fixtures of the room, such as "refrigerator" and "sink", and the thing itself. Otherwise
        returns None.
        """
        stated = relation(fact.predicate)
        is_having = fact.predicate in HAVING or stated == "contain"
        for room, thing, is_inside in ((one, other, is_having), (other, one, stated == "in")):
            shown = self._scene.fixtures_of(self._things.context(room).noun) if is_inside else None
            if shown and self._things.meant.get(thing) and not self._things.context(thing).is_doubtful:
                words = f"Labels “{shown[0]}” and “{shown[1]}” show “{room.text}”, and “{thing.text}” is labelled."
                return Verdict("correct", words)
        return None

    def _denied(self, phrase: CaptionPhrase, fact: Fact) -> Verdict:
        """Return the labels' verdict on a fact that the caption denies: "no dog", "a man not wearing a hat".

        The denial is "correct" if annotators looked for the absent thing and found none. The denial is also "correct"
        if labels contradict the denied fact, or if the fact's object is not in the picture. It is "incorrect" if the
        thing that the caption calls absent is in the picture. This does not hold if the caption only says where the
        thing is not: "no dog is on the sofa" can be true although there is a dog.
        """
        for thing in claimed(phrase):
            found = self._things.there(thing)
            if found.mark == "incorrect" and thing == phrase.things[0]:
                return found
            if found.mark == "incorrect":  # if there is no horse, "nobody rides a horse" is true
                is_true = fact.kind == "relation" and not self._things.context(thing).is_definite
                return Verdict("correct" if is_true else "not judged", found.reason)
        absent = [self._denied_thing(_named(thing)) for thing in phrase.absent]
        is_whole = fact.kind == "entity" or fact.object in WHOLE_PICTURE
        all_absent = len(absent) > 1 and len(absent) == len(phrase.things)  # "neither a car nor a bus"
        for found in absent if is_whole or all_absent else ():
            if found.mark == "correct":
                return Verdict("incorrect", found.reason)
        if all_absent and (unknown := next((one for one in absent if one.mark != "incorrect"), None)):
            return unknown
        for found in absent:
            if found.mark == "incorrect":
                return Verdict("correct", found.reason)
        named = tuple(_named(thing) for thing in phrase.things)
        stated = self.verdict(replace(phrase, kind="caption", things=named, absent=()))
        if stated.part:  # outlines decide only a part of the fact: in "not sitting on the bench", only "on the bench"
            return Verdict("not judged", stated.reason)
        return Verdict(REVERSED[stated.mark], stated.reason)

    def _denied_thing(self, thing: NamedThing) -> Verdict:
        """Return whether labels show that a denied thing is there. A label "person" does not show a woman."""
        found, noun = self._things.there(thing), self._things.context(thing).noun
        word = self._scene.shown_word(noun, self._scene.regions_of(noun)) if found.mark == "correct" else None
        return Verdict("not judged", f"The labels show only “{word}”.") if word else found

    def things(self, phrase: CaptionPhrase) -> tuple[Thing, ...]:
        """Return the things that a phrase says are present, each with the mark that the labels give it."""
        named = [(one, *self._marked(one)) for one in claimed(phrase)]
        if phrase.kind == "denied":  # "nobody rides a horse" does not say that there is a horse
            named = [row for row in named if row[0] == phrase.things[0] or row[2] != "incorrect"]
        found = []
        for thing, name, mark in named:
            start, end = thing.span  # of "mountain lion"; only "lion" if the name is "lion"
            own = end - len(name)
            is_end = own >= 0 and self._caption[own:end].lower() == name.lower()
            found.append(Thing(name, (own if is_end else start, end), mark))
        return tuple(found)

    def _marked(self, thing: NamedThing) -> tuple[str, Mark]:
        """Return the words to show for a thing, and their mark.

        If labels support only a part of the name, only this part is returned: "lion" for "mountain lion". For "woman",
        the class name "person" supports the word "person", because annotators have no class "woman". If annotators
        choose their labels freely, a label such as "pedestrian" supports no word for "woman".
        """
        context, name = self._things.context(thing), self._things.name(thing)
        mark = self._things.there(thing).mark  # of "many dogs" one dog is still a dog
        if mark != "correct":
            return name, mark
        word = self._things.shown_word(thing)
        if word is None:
            return context.noun if len(context.noun) > len(thing.text) else thing.text, mark
        if name.endswith(word) or all(map(self._scene.is_class, self._things.meant.get(thing, ()))):
            return word, mark
        return name, "not judged"

    def named_by(self, phrase: CaptionPhrase) -> frozenset[int]:
        """Return the indices of the regions that a phrase refers to."""
        meant = (place for thing in phrase.things for place in self._things.meant.get(thing, ()))
        return frozenset((*meant, *self._things.supporting(phrase)))

    @cached_property
    def mentioned(self) -> frozenset[int]:
        """Return the indices of all regions that the caption mentions.

        A region whose label states a phrase about a mentioned region is mentioned too: a man's "pointing hand".
        """
        meant = self._things.meant
        about = (one for one in self._phrases if one.things and meant.get(one.things[0]))
        supporting = (place for one in about for place in self._things.supporting(one))
        return frozenset((*(place for places in meant.values() for place in places), *supporting))

    def reason_of(self, place: int) -> str:
        """Return a sentence that says why a region counts as mentioned, or why not."""
        label = self._scene.labels.get(place)
        return "" if label is None else self._reasons.get(place, f"No noun of the caption matches label “{label}”.")

    @cached_property
    def _reasons(self) -> Mapping[int, str]:
        """For each region that a noun of the caption may name, the reason why it is mentioned or not."""
        things, scene, found = self._things, self._scene, dict[int, str]()
        for thing, places in things.meant.items():
            is_shown = things.there(thing).mark == "correct"
            for place in places:
                matches = f"Label “{scene.labels[place]}” matches “{things.name(thing)}”."
                may_be = f"This may be the “{thing.text}”, but label “{scene.labels[place]}” does not show it."
                found.setdefault(place, matches if is_shown else may_be)
        for phrase in self._phrases:
            for place in things.supporting(phrase):
                found.setdefault(place, f"Label “{scene.labels[place]}” states “{phrase.shown or phrase.text}”.")
        for thing in things.meant:
            named = things.named(thing)
            for place in scene.regions_of(things.context(thing).noun):
                label = scene.labels[place]
                other = f"Label “{label}” matches “{thing.text}”, but the caption refers to another region."
                vague = f"Label “{label}” does not show whether this is “{thing.text}”."
                found.setdefault(place, other if place in named else vague)
        for phrase in self._phrases:
            for thing in phrase.absent:
                for place in scene.regions_of(things.context(_named(thing)).noun):
                    none = f"Annotators labelled “{scene.labels[place]}”, but the caption says “{phrase.shown}”."
                    found.setdefault(place, none)
        return found

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
        own = self._scene.regions
        most = max(map(len, words.values()), default=0)
        worded = []
        for n in range(most):
            nth = {place: said[n] for place, said in words.items() if len(said) > n}
            worded.append(tuple(replace(one, label=nth.get(place, one.label)) for place, one in enumerate(own)))
        return own, *worded


def _named(thing: NamedThing) -> NamedThing:
    """Return a copy of the thing whose noun replaces the pronoun: "people" replaces "nobody"."""
    return replace(thing, text=NOBODY[thing.text], full="") if thing.text in NOBODY else thing
