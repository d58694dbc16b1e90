"""Which regions of a picture a caption mentions, with reasons, and the caption's words for them."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from core.captions.caption_things import CaptionThings
from core.captions.labelled_scene import LabelledScene
from core.captions.phrases import CaptionPhrase
from core.types import ImageRegion


class MentionedRegions:
    """The regions that one caption mentions, for a picture whose regions have labels."""

    def __init__(self, scene: LabelledScene, things: CaptionThings, phrases: Sequence[CaptionPhrase]) -> None:
        """Take the picture's labels, the caption's things, and the caption's phrases."""
        self._scene, self._things, self._phrases = scene, things, phrases

    def named_by(self, phrase: CaptionPhrase) -> frozenset[int]:
        """Return the indices of the regions that a phrase refers to."""
        things, supporting = self._things, self._things.supporting(phrase)
        named = (
            place for thing in phrase.things for place in (things.meant.get(thing) or things.within.get(thing, ()))
        )
        return frozenset((*named, *supporting))

    @property
    def mentioned(self) -> frozenset[int]:
        """Return the indices of all regions that the caption mentions.

        A region whose label supports a phrase is mentioned too: "man in a coat" for the caption "a coat".
        """
        named = [place for places in self._things.meant.values() for place in places]
        within = [place for places in self._things.within.values() for place in places]
        return frozenset((*named, *within, *(place for one in self._phrases for place in self._things.supporting(one))))

    def reason_of(self, place: int) -> str:
        """Return a sentence that says why a region counts as mentioned, or why not."""
        label = self._scene.labels.get(place)
        if label is None:
            return ""
        for thing, places in self._things.meant.items():
            if place in places:
                return f"Label “{label}” matches “{thing.text}”."
        for thing, places in self._things.within.items():
            if place in places:
                return f"Label “{label}” also names “{thing.text}”."
        for phrase in self._phrases:
            if place in self._things.supporting(phrase):
                return f"Label “{label}” states “{phrase.shown or phrase.text}”."
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
