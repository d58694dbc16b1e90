"""Which regions of a picture a caption mentions, with reasons, and the caption's words for them."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property

from core.captions.caption_things import CaptionThings
from core.captions.judged_denials import WHOLE_PICTURE
from core.captions.judged_things import JudgedThings
from core.captions.labelled_scene import LabelledScene
from core.captions.reading.denial import NOBODY
from core.captions.reading.phrases import CaptionPhrase, NamedThing
from core.types import ImageRegion


class MentionedRegions:
    """The regions that one caption mentions, for a picture whose regions have labels."""

    def __init__(
        self, scene: LabelledScene, things: CaptionThings, judged: JudgedThings, phrases: Sequence[CaptionPhrase]
    ) -> None:
        """Use the picture's labels, the caption's things with their marks, and the caption's phrases."""
        self._scene, self._things, self._judged, self._phrases = scene, things, judged, phrases

    def named_by(self, phrase: CaptionPhrase) -> frozenset[int]:
        """Return the indices of the regions that a phrase refers to."""
        shown = (place for thing in phrase.things for place in self._shown.get(thing, ()))
        return frozenset((*shown, *self._things.supporting(phrase)))

    @cached_property
    def mentioned(self) -> frozenset[int]:
        """Return the indices of all regions that the caption mentions.

        A region whose label states a phrase about a mentioned region is mentioned too: a man's "pointing hand".
        """
        named = (place for thing, places in self._shown.items() for place in places if self._mentions(thing, place))
        about = (one for one in self._phrases if one.things and self._things.meant.get(one.things[0]))
        return frozenset((*named, *(place for one in about for place in self._things.supporting(one))))

    def _mentions(self, thing: NamedThing, place: int) -> bool:
        """Return whether a caption that names a thing also mentions a region.

        place: index of the region, whose label names the thing. If the caption names a tree, it also mentions the
        region "tree branches". But if it names only a uniform, it does not mention the woman who wears it.
        """
        noun = self._things.context(thing).noun
        return place in self._things.meant[thing] or self._scene.facts.is_part(self._scene.labels[place], noun)

    @cached_property
    def _shown(self) -> Mapping[NamedThing, Sequence[int]]:
        """Indices of the regions that show each present thing.

        A thing without a region of its own is shown by a region whose label also names the thing. Example: the label
        "tree branches" names a tree. If several such regions match equally well, a region to which another thing of
        the caption refers is used. So the region of a mentioned man also shows his coat.
        """
        return {thing: places or self._things.within.get(thing, ()) for thing, places in self._things.meant.items()}

    def reason_of(self, place: int) -> str:
        """Return a sentence that says why a region counts as mentioned, or why not."""
        label = self._scene.labels.get(place)
        if label is None:
            return ""
        words = self._reasons.get(place, "No noun of the caption matches label “{label}”.")
        return words.replace("{label}", label)

    @cached_property
    def _reasons(self) -> Mapping[int, str]:
        """For each region that a noun of the caption may name, the reason why it is mentioned or not.

        In the reasons, "{label}" stands for the region's label.
        """
        meant, found = self._things.meant, dict[int, str]()
        for thing, places in meant.items():
            is_shown = self._judged.there(thing).mark == "correct"
            matches = f"Label “{{label}}” matches “{self._things.written(thing)}”."
            may_be = f"This may be the “{thing.text}”, but label “{{label}}” does not show it."
            for place in places:
                found.setdefault(place, matches if is_shown else may_be)
        for thing, places in self._shown.items():
            for place in places:
                how = "also names" if place in self.mentioned else "names more than"
                found.setdefault(place, f"Label “{{label}}” {how} “{thing.text}”.")
        for phrase in self._phrases:
            for place in self._things.supporting(phrase):
                found.setdefault(place, f"Label “{{label}}” states “{phrase.shown or phrase.text}”.")
        for thing in meant:
            for place in self._things.named(thing):
                words = f"Label “{{label}}” matches “{thing.text}”, but the caption refers to another region."
                found.setdefault(place, words)
        for thing in meant:
            for place in self._scene.regions_of(self._things.context(thing).noun):
                found.setdefault(place, f"Label “{{label}}” does not show whether this is “{thing.text}”.")
        for phrase in self._phrases:
            none = "Annotators labelled “{label}”, but the caption says there is no such thing."
            words = f"The caption says only “{phrase.shown}”." if self._is_about_a_place(phrase) else none
            for place in (place for thing in phrase.absent for place in self._denied(thing)):
                found.setdefault(place, words)
        return found

    def _denied(self, thing: NamedThing) -> Iterable[int]:
        """Return the indices of the regions that show a thing which the caption calls absent."""
        return self._scene.regions_of(NOBODY.get(thing.text, self._things.context(thing).noun))

    def _is_about_a_place(self, phrase: CaptionPhrase) -> bool:
        """Return whether a denied phrase denies only where a thing is, who has it or what it does.

        "Nobody is on the bus" does not deny the people beside the bus. But "a room with no toilets" denies all toilets
        if the room has no region of its own.
        """
        fact = phrase.fact
        if fact is None or fact.kind == "entity" or fact.object in WHOLE_PICTURE:
            return False
        others = [thing for thing in phrase.things if thing not in phrase.absent]
        return fact.kind != "relation" or any(map(self._denied, others))

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
