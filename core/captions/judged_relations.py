"""Judge the relations that a caption states between things, by the outlines of these things' regions."""

from collections.abc import Mapping

from core.captions.caption_things import CaptionThings
from core.captions.labelled_scene import LabelledScene
from core.captions.phrase_mark import Verdict
from core.captions.reading.facts import Fact
from core.captions.reading.lexicon import present_participle
from core.captions.reading.phrases import NamedThing
from core.captions.thing_kinds import OWNING, is_in_room
from core.regions import relations
from core.regions.stated_relations import place_of_action, place_of_posture, relation

TOOLS = {
    "surfing": "surfboard", "skiing": "skis", "snowboarding": "snowboard", "skateboarding": "skateboard",
    "biking": "bicycle", "cycling": "bicycle", "bicycling": "bicycle", "motorcycling": "motorcycle",
}  # fmt: skip  # key: activity; value: the object on which people do this activity


class JudgedRelations:
    """The relations that one caption states, for a picture whose regions have labels."""

    def __init__(self, scene: LabelledScene, things: CaptionThings) -> None:
        """Prepare to judge relations of the caption's things by the labels of its picture."""
        self._scene, self._things = scene, things

    def verdict(self, fact: Fact, one: NamedThing, other: NamedThing) -> Verdict | None:
        """Return whether outlines support a relation of two things; None if a thing has no region.

        Outlines never contradict a relation. They can support the location of a thing, but not its posture or motion.
        """
        found = self._placed(fact, one, other)
        if (found is None or found.mark != "correct") and (activity := self._activity(fact, one)):
            return activity
        place = place_of_action(fact.predicate) or place_of_posture(fact.predicate)
        if found is None or found.mark != "correct" or place is None:
            return found
        last = "each other" if one == other else self._things.in_caption(other)
        reason = f"{found.reason} The outlines do not show “{fact.predicate.partition(' ')[0]}”."
        return Verdict("correct", reason, f"{self._things.in_caption(one)} {place} {last}")

    def _placed(self, fact: Fact, one: NamedThing, other: NamedThing) -> Verdict | None:
        """Return whether outlines support the location of one thing relative to another.

        Returns None if one of the two things has no region. Only a room needs no region of its own: "kitchen" in
        "kitchen with oven".
        """
        meant = self._things.meant
        in_room = self._in_room(fact, one, other)
        if in_room or not (meant.get(one) and meant.get(other)):
            return in_room
        if one == other:
            return self._each_other(fact, one)
        if set(meant[one]) & set(meant[other]):
            return Verdict("not judged", "Both names refer to the same region.")
        if self._things.context(one).is_doubtful or self._things.context(other).is_doubtful:
            return Verdict("not judged", "In this caption, one of the two nouns may have another meaning.")
        words = {place: self._scene.why_related(fact, place, meant[other]) for place in meant[one]}
        rule = next((text for text in words.values() if text), None)
        if rule and self._are_opposite_too(fact, one, other):
            return Verdict("not judged", "The outlines would also support the opposite relation.")
        if rule and self._are_enough(relation(fact.predicate), one, words):
            return Verdict("correct", f"“{one.text}” and “{other.text}” are labelled: {rule}.")
        return Verdict("not judged", "The labels and outlines do not show how the two are related.")

    def _are_opposite_too(self, fact: Fact, one: NamedThing, other: NamedThing) -> bool:
        """Return whether outlines also support the relation with the two things exchanged.

        Returns False if the relation is not in ONE_WAY.
        """
        meant = self._things.meant
        is_one_way = relation(fact.predicate) in relations.ONE_WAY
        return is_one_way and any(self._scene.why_related(fact, place, meant[one]) for place in meant[other])

    def action(self, fact: Fact, thing: NamedThing) -> Verdict | None:
        """Return whether an action is supported by a tool below the actor.

        Example: a surfboard below a man supports "a man is surfing". Returns None if the action needs no tool, or if
        outlines do not support it.
        """
        tool = TOOLS.get(fact.object) if fact.kind == "attribute" else None
        if tool is None:
            return None
        tools = [place for place, label in self._scene.labels.items() if self._scene.nouns.same(tool, label)]
        words = {
            place: self._scene.why_related(Fact(thing.text, "ride", tool), place, tools)
            for place in self._things.meant.get(thing, ())
        }
        rule = next((text for text in words.values() if text), None)
        if rule is None or not self._are_together(words):
            return None
        return Verdict("correct", f"“{thing.text}” and “{tool}” are labelled: {rule}.")

    def _activity(self, fact: Fact, thing: NamedThing) -> Verdict | None:
        """Return the verdict on only the activity that a fact states.

        Example: "person skiing" for "a person skis down a hill". The place of the activity is ignored, because nobody
        outlines hills.
        """
        activity = present_participle(fact.predicate.partition(" ")[0])
        found = self.action(Fact(thing.text, "is", activity), thing)
        if found is None or self._things.context(thing).is_doubtful:
            return None
        reason = f"{found.reason} The labels and outlines do not show the rest of “{fact.text}”."
        return Verdict(found.mark, reason, f"{self._things.in_caption(thing)} {activity}")

    def _in_room(self, fact: Fact, one: NamedThing, other: NamedThing) -> Verdict | None:
        """Return "correct" if labels show that a thing is in a room.

        Example: "kitchen with oven". Labels must show two fixtures of the room, such as "refrigerator" and "sink", and
        the thing itself. Otherwise returns None.
        """
        for room, thing in ((one, other), (other, one)):
            shown = self._scene.fixtures_of(self._things.context(room).noun)
            if shown is None or not self._things.meant.get(thing) or self._things.context(thing).is_doubtful:
                continue
            if is_in_room(fact, room is one):
                words = f"Labels “{shown[0]}” and “{shown[1]}” show “{room.text}”, and “{thing.text}” is labelled."
                return Verdict("correct", words)
        return None

    def _each_other(self, fact: Fact, thing: NamedThing) -> Verdict:
        """Return whether at least half of a thing's regions have a relation to another of these regions.

        Example: "dogs lie next to each other".
        """
        places = self._things.meant[thing]
        words = [self._scene.why_related(fact, place, places) for place in places]
        rule = next((text for text in words if text), None)
        related = sum(1 for text in words if text)
        if rule and not self._things.context(thing).is_doubtful and related >= max(2, len(places) / 2):
            return Verdict("correct", f"“{thing.text}” are labelled: {rule}.")
        return Verdict("not judged", "The labels and outlines do not show how the two are related.")

    def _are_enough(self, stated: str | None, thing: NamedThing, words: Mapping[int, str | None]) -> bool:
        """Return whether enough of a thing's regions have the stated relation.

        If the caption states a number, a relation such as "wear" (OWNING) must hold for every region. Example: in "two
        men with ties", each man needs his own tie.
        """
        if stated not in OWNING:
            return self._are_together(words)
        related, number = sum(map(bool, words.values())), self._things.context(thing).amount
        return related >= (len(words) if number else max(min(2, len(words)), len(words) / 2))

    def _are_together(self, words: Mapping[int, str | None]) -> bool:
        """Return whether a relation holds for a group of regions together.

        words: for each region, why it has the relation; None if it does not have it. A region without the relation
        counts if it is beside a region with the relation. Example: only one of two people is directly beside a bus. Two
        regions must count, or one if the group has only one region.
        """
        related = [place for place, text in words.items() if text]
        regions = self._scene.regions
        others = (
            place
            for place, text in words.items()
            if not text and any(relations.holds("beside", regions[place], regions[other]) for other in related)
        )
        return bool(related) and len(related) + sum(1 for _ in others) >= min(2, len(words))
