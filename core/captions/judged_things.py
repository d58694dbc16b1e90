"""Judge by labels whether a thing of a caption is present, and how many of this thing there are."""

import re

from core.captions.caption_things import CaptionThings
from core.captions.labelled_scene import LabelledScene
from core.captions.noun_context import GATHERINGS, IMITATIONS, ONE_PAIR
from core.captions.phrase_mark import Verdict
from core.captions.reading.lexicon import head
from core.captions.reading.phrases import NamedThing
from core.captions.reading.words import singular

FOOD = ("food", "fruit", "vegetable", "dessert")
FEW = 6  # if a region shows more small things than this, such as boats, annotators do not outline each of them


class JudgedThings:
    """The things that one caption names, for a picture whose regions have labels."""

    def __init__(self, scene: LabelledScene, things: CaptionThings, caption: str) -> None:
        """Use the picture's labels, the caption's things, and the caption itself ("" if unknown)."""
        self._scene, self._things, self._caption = scene, things, caption

    def there(self, thing: NamedThing) -> Verdict:
        """Return whether labels show that a thing is present."""
        context, scene, name = self._things.context(thing), self._scene, self.name(thing)
        mark = scene.there(context.noun, self._things.named_otherwise(thing))
        if mark == "correct" and context.is_imitation and not self._is_labelled_imitation(context.noun):
            return Verdict("not judged", f"The labels do not show whether “{name}” is real, an imitation or a picture.")
        if mark == "correct" and context.is_another and not self._things.meant.get(thing):
            return Verdict("not judged", f"No further region matches “another {name}”.")
        if mark == "correct" and (vague := self._things.vague_label(thing)):
            be = "these are" if context.is_plural else "this is"
            return Verdict("not judged", f"Label “{vague}” does not show whether {be} “{name}”.")
        if mark == "correct" and (shown := scene.fixtures_of(context.noun)):
            return Verdict(mark, f"Labels “{shown[0]}” and “{shown[1]}” show “{name}”.")
        if mark == "correct":
            named = self._things.named(thing)
            label = next((scene.labels[place] for place in self._things.meant.get(thing) or named), None)
            longer = next(
                (scene.labels[place] for place in self._things.within.get(thing, ())),
                scene.facts.label_with(context.noun),
            )
            words = f"Label “{longer}” also names" if label is None and longer else f"Label “{label}” matches"
            return Verdict(mark, f"{words} “{name}”.")
        if mark == "incorrect" and context.may_be_absent and not context.is_doubtful:
            return Verdict("not judged", f"“{name}” may be out of sight, or mean something else in this caption.")
        if mark == "incorrect" and context.is_doubtful:
            return Verdict("not judged", f"“{name}” may mean something else in this caption.")
        if mark == "incorrect" and self._is_contained(thing):
            return Verdict("not judged", f"Annotators may not outline “{name}” in a labelled “{context.container}”.")
        if mark == "incorrect":
            return Verdict(mark, f"Annotators looked for “{name}” and found none in this picture.")
        return Verdict(mark, f"The labels do not show whether there is “{name}”.")

    def _is_contained(self, thing: NamedThing) -> bool:
        """Return whether a thing is food in a labelled container: "a bowl of carrots"."""
        noun, container, nouns = (
            self._things.context(thing).noun,
            self._things.context(thing).container,
            self._scene.nouns,
        )
        if not container or not self._scene.regions_of(container):
            return False
        return any("wider" in (nouns.naming(kind, noun), nouns.naming(noun, kind)) for kind in FOOD)

    def enough(self, thing: NamedThing) -> Verdict:
        """Return whether as many things are present as the noun states.

        Example: one woman is too few for "women". A region with a class name such as "banana" may show several things,
        so it can be enough for "bananas". But each person and each animal has its own region. If the caption counts
        things, as in "a pair of cups", each cup also has its own region. The label "skis" names a pair, so one region
        with this label is enough.
        """
        found, context, scene = self.there(thing), self._things.context(thing), self._scene
        named = list(self._things.named(thing))
        if found.mark != "correct" or not named or context.least == 1 or any(map(self._is_group, named)):
            return found
        number, is_certain = scene.number_of(named)
        is_open = all(map(scene.is_class, named)) and not all(map(scene.is_living, named)) and not context.is_counted
        if is_open or not is_certain or number >= context.least:
            return found
        return Verdict("not judged", f"Fewer regions match “{self.name(thing)}” than the caption says.")

    def _is_group(self, place: int) -> bool:
        """Return whether a region's label names a group or a pair: "crowd", "skis"."""
        label = self._scene.labels[place]
        return singular((head(label).split() or [""])[-1]) in GATHERINGS or label in ONE_PAIR

    def _is_labelled_imitation(self, noun: str) -> bool:
        """Return whether a label that matches the noun names an imitation.

        Example: for the noun "stuffed bear", the label "teddy bear" names an imitation of a bear.
        """
        labels = (self._scene.labels[place] for place in self._scene.regions_of(noun))
        return any(IMITATIONS & set(label.lower().split()) for label in labels)

    def counted(self, thing: NamedThing, number: int) -> Verdict:
        """Return whether labels show as many of a thing as the caption states (`number`).

        If more regions match than the caption states, the result is "not judged". The reason is that some of the
        regions may show other things.
        """
        context, scene = self._things.context(thing), self._scene
        named = self._things.named(thing)
        if not named:
            return self.there(thing)
        if number > 1 and self._caption and not context.is_plural and context.amount == 1:  # as in "a ten speed bike"
            return Verdict("not judged", f"In this caption, “{number}” is not the number of “{thing.text}”.")
        found, is_certain = scene.number_of(list(named))
        wider = set(named.values()) != {"is"} or len(self._possible(context.noun)) > len(named)
        wider = wider or any(map(scene.is_part_of_creature, named))  # regions exist for only some hands, ties and paws
        words = f"{found} {'region matches' if found == 1 else 'regions match'} “{self.name(thing)}”"
        is_certain = is_certain and not (found > FEW and any(map(scene.is_several, named)))
        if self._is_loose(thing) and found != number:
            return Verdict("not judged", f"{words}. “A couple of” is no exact number.")
        if found == number and is_certain:
            return Verdict("correct", f"{words}.")
        if found < number and is_certain and not (wider or context.is_doubtful or context.may_be_absent):
            return Verdict("incorrect", f"Only {words}.")
        return Verdict("not judged", f"{words}. The labels do not show the exact number.")

    def _is_loose(self, thing: NamedThing) -> bool:
        """Return whether the caption states a number only as "a couple of".

        At most two adjectives may stand between these words and the thing.
        """
        return re.search(r"\bcouple (?:of )?(?:[\w-]+ ){0,2}$", self._caption[: thing.span[0]].lower()) is not None

    def _possible(self, noun: str) -> list[int]:
        """Return the indices of the regions that may show the noun, including those whose label has a wider meaning."""
        return [p for p, label in self._scene.labels.items() if self._scene.same_thing(noun, label)]

    def name(self, thing: NamedThing) -> str:
        """Return a thing's whole name, not only the parser's noun.

        Example: "potted plant" instead of "plant".
        """
        if (written := self._things.written(thing)) != thing.text:
            return written
        return max(thing.text, thing.full, self._things.context(thing).noun, key=len)
