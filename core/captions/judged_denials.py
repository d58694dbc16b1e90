"""Judge what a caption denies: "no dog", "nobody is on the street", "a man not wearing a hat"."""

from collections.abc import Callable
from dataclasses import replace

from core.captions.caption_things import CaptionThings
from core.captions.judged_things import JudgedThings
from core.captions.label_facts import claimed
from core.captions.labelled_scene import LabelledScene
from core.captions.phrase_mark import REVERSED, Verdict, all_absent
from core.captions.reading.denial import NOBODY
from core.captions.reading.facts import Fact
from core.captions.reading.factual import PICTURES
from core.captions.reading.phrases import CaptionPhrase, NamedThing

WHOLE_PICTURE = PICTURES - {"background"}  # "in the picture" names no place within it
# Prepositions of place. If outlines show a person on the street, "nobody is on the street" is wrong. "Behind" is not
# in the list, because outlines often look like "behind" by chance.
CERTAIN_PLACES = {"on", "on top of", "in", "inside", "next to", "beside", "near"}


class JudgedDenials:
    """The facts that one caption denies, for a picture whose regions have labels."""

    def __init__(
        self,
        scene: LabelledScene,
        things: CaptionThings,
        judged: JudgedThings,
        stated: Callable[[CaptionPhrase], Verdict],
    ) -> None:
        """Take the picture's labels and the caption's things.

        judged: decides whether the things are present. stated: a function that judges a phrase as if the caption stated
        it.
        """
        self._scene, self._things, self._judged, self._stated = scene, things, judged, stated

    def verdict(self, phrase: CaptionPhrase, fact: Fact) -> Verdict:
        """Return the labels' verdict on a fact that the caption denies.

        The denial is "correct" if annotators looked for the absent thing and found none. The denial is also "correct"
        if labels contradict the denied fact, or if the fact's object is not in the picture. It is "incorrect" if the
        thing that the caption calls absent is in the picture. This does not hold if the caption only says where the
        thing is not: "no dog is on the sofa" can be true although there is a dog.
        """
        for thing in claimed(phrase):
            found = self._judged.there(thing)
            if found.mark == "incorrect" and thing == phrase.things[0]:
                return found
            if found.mark == "incorrect":  # if there is no horse, "nobody rides a horse" is true
                is_true = fact.kind == "relation" and not self._things.context(thing).is_definite
                return Verdict("correct" if is_true else "not judged", found.reason)
        absent = [self._there(_named(thing)) for thing in phrase.absent]
        if len(absent) > 1 and len(absent) == len(phrase.things):
            return all_absent(absent)
        for found in absent:
            if found.mark == "correct" and (fact.kind == "entity" or fact.object in WHOLE_PICTURE):
                return Verdict("incorrect", found.reason)
        for found in absent:
            if found.mark == "incorrect":
                return Verdict("correct", found.reason)
        things = tuple(_named(thing) for thing in phrase.things)
        stated = self._relation(phrase, fact) or self._stated(replace(phrase, kind="caption", things=things, absent=()))
        if stated.part:  # outlines decide only a part of the fact: in "not sitting on the bench", only "on the bench"
            return Verdict("not judged", stated.reason)
        return Verdict(REVERSED[stated.mark], stated.reason)

    def _there(self, thing: NamedThing) -> Verdict:
        """Return whether labels show that a denied thing is there. A label "person" does not show a woman."""
        found, noun = self._judged.there(thing), self._things.context(thing).noun
        word = self._scene.shown_word(noun, self._scene.regions_of(noun)) if found.mark == "correct" else None
        return Verdict("not judged", f"The labels show only “{word}”.") if word else found

    def _relation(self, phrase: CaptionPhrase, fact: Fact) -> Verdict | None:
        """Return whether outlines support a relation to a thing that the caption calls absent.

        Returns None if they do not. Example: "nobody is on the street", although outlines show people on the street.
        """
        if fact.predicate not in CERTAIN_PLACES or len(phrase.things) != 2 or not phrase.absent:
            return None
        one, other = map(_named, phrase.things)
        if any(
            self._things.context(thing).is_doubtful or self._there(thing).mark != "correct" for thing in (one, other)
        ):
            return None
        first, second = (self._scene.regions_of(self._things.context(thing).noun) for thing in (one, other))
        rule = next((words for place in first if (words := self._scene.why_related(fact, place, second))), None)
        return Verdict("correct", f"“{one.text}” and “{other.text}” are labelled: {rule}.") if rule else None


def _named(thing: NamedThing) -> NamedThing:
    """Return a copy of the thing whose noun replaces the pronoun: "people" replaces "nobody"."""
    return replace(thing, text=NOBODY[thing.text], full="") if thing.text in NOBODY else thing
