"""Judge by labels the attributes that a caption states of its things: "red bus", "bald man", "group of dogs"."""

from collections.abc import Sequence

from core.captions.caption_things import CaptionThings
from core.captions.facts import Fact
from core.captions.factual_conventions import COLOURS
from core.captions.judged_relations import JudgedRelations
from core.captions.judged_things import JudgedThings
from core.captions.labelled_scene import LabelledScene
from core.captions.phrase_mark import Verdict
from core.captions.phrases import CaptionPhrase, NamedThing

GROUP = "group of"  # attribute of a noun that stands for a group of things


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
        """Take the picture's labels, the caption's things, their marks and relations, and the caption's phrases."""
        self._scene, self._things, self._phrases = scene, things, phrases
        self._judged, self._relations = judged, relations

    def verdict(self, thing: NamedThing, fact: Fact) -> Verdict:
        """Return what labels say about an attribute of a thing."""
        return self._stated(thing, fact) if self._scene.facts.state(fact) else self._described(thing, fact)

    def _stated(self, thing: NamedThing, fact: Fact) -> Verdict:
        """Return the verdict on an attribute that a label states. For "two bald men", two labels must state it."""
        meant = self._things.meant.get(thing, ())
        if len(meant) > 1 and not all(self._scene.facts.describes(self._scene.labels[place], fact) for place in meant):
            return Verdict("not judged", f"Not every label of “{fact.subject}” states “{fact.object}”.")
        return Verdict("correct", "A label states the same.")

    def _described(self, thing: NamedThing, fact: Fact) -> Verdict:
        """Return whether labels support an attribute of a thing.

        An attribute of a group, such as "many", is "correct" if several regions match. Other attributes need a label of
        several words, such as "red bus". The label "bus" alone does not show whether the bus is "double-decker".
        """
        scene = self._scene
        named = self._things.named(thing)
        if fact.object == GROUP:
            several = len(named) > 2 or any(map(scene.is_several, named))
            return Verdict("correct" if several else "not judged", f"{len(named)} regions match “{thing.text}”.")
        labels = [scene.labels[place] for place, naming in named.items() if naming == "is"]
        if scene.facts.rule_out(fact, labels, self._phrases):
            return Verdict("incorrect", f"Label “{labels[0]}” names a different colour than the caption.")
        if fact.object not in COLOURS and any(self._says(scene.labels[place], fact.object) for place in named):
            return Verdict("correct", f"A label states “{fact.object}”.")
        if not named:
            return Verdict("not judged", self._judged.there(thing).reason)
        unknown = Verdict("not judged", f"“{thing.text}” is labelled, but no label says “{fact.object}”.")
        return self._relations.action(fact, thing) or unknown

    def _says(self, label: str, kind: str) -> bool:
        """Return whether a label implies a word for a kind of thing: the label "dog" implies "dog" and "animal"."""
        return self._scene.nouns.same(kind, label) or self._scene.nouns.naming(kind, label) == "wider"
