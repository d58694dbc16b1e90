"""What the label of a region states about the things of a caption."""

from collections.abc import Callable, Sequence

from core.captions.factual_conventions import COLOURS
from core.captions.label_facts import LabelFacts
from core.captions.labelled_scene import LabelledScene
from core.captions.noun_context import NounInContext
from core.captions.phrases import CaptionPhrase, NamedThing
from core.captions.thing_kinds import OWNING


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
