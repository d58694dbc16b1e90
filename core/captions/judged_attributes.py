"""Judge the attributes of a caption's things by the labels of the picture's regions.

Examples of attributes: "red bus", "bald man", "group of dogs".
"""

from collections.abc import Sequence

from core.captions.caption_things import CaptionThings
from core.captions.judged_relations import JudgedRelations
from core.captions.judged_things import JudgedThings
from core.captions.labelled_scene import LabelledScene
from core.captions.phrase_mark import Verdict
from core.captions.reading.facts import Fact
from core.captions.reading.factual import COLOURS
from core.captions.reading.lexicon import head
from core.captions.reading.phrases import CaptionPhrase, NamedThing

GROUP = "group of"  # attribute of the noun in "a group of dogs"


class JudgedAttributes:
    """The attributes that one caption states, for a picture whose regions have labels."""

    def __init__(
        self,
        scene: LabelledScene,
        things: CaptionThings,
        judged: JudgedThings,
        relations: JudgedRelations,
        phrases: Sequence[CaptionPhrase],
    ) -> None:
        """Take the picture's labels, and the caption's things and phrases.

        judged: decides whether the things are present. relations: decides whether relations between the things hold.
        """
        self._scene, self._things, self._phrases = scene, things, phrases
        self._judged, self._relations = judged, relations

    def verdict(self, phrase: CaptionPhrase, thing: NamedThing, fact: Fact) -> Verdict:
        """Return what labels say about an attribute of a thing."""
        return self._stated(phrase, thing, fact) or self._described(thing, fact)

    def _stated(self, phrase: CaptionPhrase, thing: NamedThing, fact: Fact) -> Verdict | None:
        """Return the verdict on an attribute that a label states. For "two bald men", two labels must state it.

        Returns None if no label states the attribute.
        """
        meant, supporting = self._things.meant.get(thing, ()), self._things.supporting(phrase)
        scene, is_stated = self._scene, self._scene.facts.state(fact)
        if is_stated and len(meant) > 1 and not all(scene.facts.describes(scene.labels[one], fact) for one in meant):
            return Verdict("not judged", f"Not every label of “{fact.subject}” states “{fact.object}”.")
        if supporting:
            return Verdict("correct", f"Label “{scene.labels[supporting[0]]}” states the same.")
        if not is_stated:
            return None
        label = next(one for one in scene.labels.values() if scene.facts.of_label(one).state(fact))
        if not phrase.things or phrase.kind == "denied" or not meant:
            return Verdict("correct", f"Label “{label}” states the same.")
        return Verdict("not judged", f"Only another “{thing.text}” has a label that states “{fact.object}”: “{label}”.")

    def _described(self, thing: NamedThing, fact: Fact) -> Verdict:
        """Return whether labels support an attribute of a thing.

        An attribute of a group, such as "many", is "correct" if several regions match. Other attributes need a label of
        several words, such as "red bus". The label "bus" alone does not show whether the bus is "double-decker".
        """
        scene = self._scene
        named = self._things.named(thing)
        meant = self._things.meant.get(thing, ())
        if fact.object == GROUP:
            several = len(named) > 2 or any(map(scene.is_several, named))
            return Verdict("correct" if several else "not judged", f"{len(named)} regions match “{thing.text}”.")
        noun = self._things.context(thing).noun
        labels = [label for label in map(scene.labels.__getitem__, named) if self._is_named(noun, label)]
        labels = labels or [label for label in scene.labels.values() if not named and self._also_names(label, thing)]
        if scene.facts.rule_out(fact, labels, self._phrases):
            kind = "a different colour" if fact.object.lower() in COLOURS else "another shade"
            return Verdict("incorrect", f"Label “{labels[0]}” names {kind} than the caption.")
        implying = next((one for one in meant or named if self._things.implies(one, fact.object)), None)
        if implying is not None:
            return Verdict("correct", f"Label “{scene.labels[implying]}” states “{fact.object}”.")
        if not named:
            return Verdict("not judged", self._judged.there(thing).reason)
        label = next((scene.labels[one] for one in meant or named), thing.text)
        is_alike = not scene.nouns.same(thing.text, label) and set(label.split()) & set(thing.text.split())
        labelled = label if is_alike else thing.text  # "cake" for "chocolate cake", but "man" for the label "person"
        unknown = Verdict("not judged", f"“{labelled}” is labelled, but no label says “{fact.object}”.")
        return self._relations.action(fact, thing) or unknown

    def _also_names(self, label: str, thing: NamedThing) -> bool:
        """Return whether a label names a thing besides its main thing: "man in a dark suit" for "suit"."""
        return self._scene.facts.of_label(label).label_with(self._things.context(thing).noun) is not None

    def _is_named(self, noun: str, label: str) -> bool:
        """Return whether a noun names the same thing as a label.

        The noun may be only the last word of the label's noun: "sky" for "blue sky". This holds even if the table of
        nouns has "blue sky" as a noun of its own.
        """
        nouns = self._scene.nouns
        return nouns.naming(noun, label) == "is" or nouns.same(noun, head(label).split()[-1])
