"""Judge by labels whether the things that a caption names are present, how many there are, and which regions show them.

"A man" refers to one region, "three men" to three, "men" to all. If more regions match than a thing refers to, the most
likely ones are chosen. First come regions whose label states most of what the caption says about the thing. Then come
regions with the noun itself as label. Among equal regions, a large region near the centre is more likely.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

from core.captions.judging.kinds import kinds_of
from core.captions.judging.nouns import GATHERINGS, IMITATIONS, NounInContext, in_context
from core.captions.judging.scene import LabelledScene
from core.captions.reading.denial import have_denial
from core.captions.reading.facts import Fact
from core.captions.reading.factual import COLOURS
from core.captions.reading.lexicon import Naming
from core.captions.reading.phrases import CaptionPhrase, NamedThing
from core.captions.reading.words import plural, singular, words
from core.regions import masks
from core.types import ImageRegion, Mark

OFF_CENTRE = 0.5  # a region's weight is smaller by this share at the picture's edge than in its middle
FEW = 6  # if a region shows more small things than this, such as boats, annotators do not outline each of them


class Verdict(NamedTuple):
    """A mark, such as "correct", with the reason for it in words."""

    mark: Mark
    reason: str
    part: str = ""  # what labels or outlines show of it: "man on bench" of "man sleeps on bench"; "": the whole phrase


class CaptionThings:
    """The things that one caption names, for a picture whose regions have labels."""

    def __init__(self, scene: LabelledScene, phrases: Sequence[CaptionPhrase], caption: str) -> None:
        """Use the picture's labels, all phrases of the caption, and the caption itself ("" if unknown)."""
        self._scene, self._phrases, self._caption = scene, phrases, caption
        self._contexts: dict[NamedThing, NounInContext] = {}

    def context(self, thing: NamedThing) -> NounInContext:
        """Return a thing's noun with the words around it."""
        if thing not in self._contexts:
            self._contexts[thing] = in_context(self._caption, thing.text, thing.span, self._scene.lexicon)
        return self._contexts[thing]

    def named(self, thing: NamedThing) -> Mapping[int, Naming]:
        """Return the indices of the regions that a thing's noun names, with how the noun relates to each label.

        A region does not count if an annotator chose its label freely and the label is less specific than the noun.
        Example: the label "pedestrian" does not support the noun "woman", and the label "building" does not support
        "church". But "bus" supports "city bus", and the class name "person" supports "woman".
        """
        noun, found = self.context(thing).noun, {}
        for place, naming in self._scene.regions_of(noun).items():
            word = self._scene.shown_word(noun, [place])
            if word is None or noun.endswith(word) or self._scene.is_class(place):
                found[place] = naming
        return found

    def shown_word(self, thing: NamedThing) -> str | None:
        """Return the word to show in place of a thing's noun, if the labels support this word but not the noun.

        Example: "people" for "women", if the label is "person". Returns None if the labels support the noun itself.
        """
        context = self.context(thing)
        word = self._scene.shown_word(max(thing.text, thing.full, context.noun, key=len), self.meant.get(thing, ()))
        is_one = context.amount == 1 or word in (None, "people") or singular(word or "") != word
        return word if is_one or word is None else plural(word)

    def name(self, thing: NamedThing) -> str:
        """Return a thing's whole name, not only the parser's noun: "potted plant" instead of "plant"."""
        written = self._caption[slice(*thing.span)].lower()
        if written in ("they", "them"):
            return written
        return max(thing.text, thing.full, self.context(thing).noun, key=len)

    def in_caption(self, thing: NamedThing) -> str:
        """Return a thing's name, without the capital letter of a word at a sentence's start."""
        name, written = thing.full or thing.text, self._caption[slice(*thing.span)]
        if written.lower() != name.lower():
            return name
        is_name = thing.span[0] > 0 or not written[1:].islower()
        return written if is_name else written[:1].lower() + written[1:]

    @cached_property
    def meant(self) -> Mapping[NamedThing, Sequence[int]]:
        """Indices of the regions that each thing refers to. Things that the caption denies ("no dog") have no entry.

        Two things refer to different regions if there are enough regions. "The dog" and "he" refer to a thing that the
        caption named before.
        """
        absent = {thing for phrase in self._phrases for thing in phrase.absent}
        read = dict.fromkeys(thing for phrase in self._phrases for thing in phrase.things)
        things = dict.fromkeys(thing for thing in (*read, *self._unread(read)) if thing not in absent)
        found: dict[NamedThing, list[int]] = {}
        used: set[int] = set()
        for thing in sorted(things, key=lambda one: one.span):
            places = self.named(thing)
            found[thing] = self._named_before(thing, places, found) or self._likeliest(thing, places, used)
            used.update(found[thing])
        return found

    def _unread(self, read: Collection[NamedThing]) -> Iterator[NamedThing]:
        """Yield the caption's words that equal region labels but that the parser did not find.

        A word before a thing that was read belongs to the thing's name: "bus" of "bus stop". A caption with a denial
        yields nothing, because then only the parser can tell what is absent.
        """
        found, labels = words(self._caption), {label.lower() for label in self._scene.labels.values()}
        if have_denial([word.text for word in found]):
            return
        taken = {place for thing in read for place in range(*thing.span)}
        for word, after in zip(found, [*(one.start for one in found[1:]), -1], strict=False):
            is_label = singular(word.text) in labels and word.text not in COLOURS | {"orange"}
            if is_label and word.start not in taken and after not in taken:
                yield NamedThing(word.text, (word.start, word.end))

    def _named_before(
        self, thing: NamedThing, places: Collection[int], found: Mapping[NamedThing, list[int]]
    ) -> list[int]:
        """Return the regions of the earlier thing that "the dog" or a pronoun refers to; [] if there is no such thing.

        The earlier thing must have the same noun, or regions of a pronoun's kind, such as persons. No region may have a
        label that states more about the thing: in "the bald man beside the grey-haired man", the second man is another.
        """
        context = self.context(thing)
        for earlier, before in reversed(list(found.items())) if context.is_definite else ():
            if before and set(before) <= set(places) and (context.is_doubtful or earlier.text == thing.text):
                most = max(self._stated_about(thing, place) for place in before)
                return before if all(self._stated_about(thing, place) <= most for place in places) else []
        return []

    def _likeliest(self, thing: NamedThing, places: Collection[int], used: set[int]) -> list[int]:
        context, regions = self.context(thing), self._scene.regions

        def rank(place: int) -> tuple[float, ...]:
            is_own = self._scene.has_own_label(context.noun, place)
            return -self._stated_about(thing, place), not is_own, place in used, -_weight(regions[place])

        ordered, amount = sorted(places, key=rank), context.amount
        if amount is None or amount >= len(ordered):
            return ordered
        fresh = [place for place in ordered if place not in used]
        return (fresh if len(fresh) >= amount else ordered)[:amount]

    def _stated_about(self, thing: NamedThing, place: int) -> int:
        """Count how many of a thing's phrases a region's label states.

        A thing's phrases are the caption's phrases about it, and about other things that belong to it. Example: for the
        man of the caption "a man in a black coat", the label "man in a black coat" states two phrases.
        """
        reached, stated, label = {thing}, set[CaptionPhrase](), self._scene.labels[place]
        while True:
            new = {one for one in self._phrases if one not in stated and reached & set(one.things[:1])}
            new = {one for one in new if one.fact and self._states(label, one.fact)}
            if not new:
                return len(stated)
            stated |= new
            reached |= {other for one in new for other in one.things}

    def _states(self, label: str, fact: Fact) -> bool:
        return self._scene.facts.states(label, fact) or (fact.kind == "attribute" and self.implies(label, fact.object))

    def supporting(self, phrase: CaptionPhrase) -> Sequence[int]:
        """Return the indices of the regions whose label states a phrase.

        A region does not count if it shows another thing with the same noun. Example: if a picture shows two men, the
        label "bald man" of one man does not describe the other. The label of a body part counts: "face of an elderly
        woman" for "elderly woman".
        """
        if phrase.fact is None or not phrase.things or phrase.kind == "denied":
            return ()
        meant = self.meant.get(phrase.things[0], ())
        stating = [place for place, label in self._scene.labels.items() if self._scene.facts.states(label, phrase.fact)]
        own = [place for place in stating if place in meant or not meant]
        same = self._scene.regions_of(self.context(phrase.things[0]).noun)
        return own or [place for place in stating if place not in same][:1]

    def implies(self, label: str, kind: str) -> bool:
        """Return whether a label implies a word for a kind of thing: "dog" implies "dog" and "animal"."""
        lexicon = self._scene.lexicon
        return kind not in COLOURS and (lexicon.same(kind, label) or lexicon.naming(kind, label) == "wider")

    def there(self, thing: NamedThing) -> Verdict:
        """Return whether labels show that a thing is present."""
        context, scene, name = self.context(thing), self._scene, self.name(thing)
        others = ((one, place) for one, places in self.meant.items() if one.span != thing.span for place in places)
        otherwise = {place for one, place in others if scene.has_own_label(self.context(one).noun, place)}
        mark, be = scene.there(context.noun, otherwise), "these are" if context.is_plural else "this is"
        if mark == "incorrect":
            if context.is_doubtful or context.may_be_absent:
                return Verdict("not judged", f"“{name}” may be out of sight, or mean something else in this caption.")
            return Verdict(mark, f"Annotators looked for “{name}” and found none in this picture.")
        if mark == "not judged":
            return Verdict(mark, f"The labels do not show whether there is “{name}”.")
        named, all_named, longer = (
            self.named(thing),
            scene.regions_of(context.noun),
            scene.facts.label_with(context.noun),
        )
        labels = [scene.labels[place] for place in all_named]
        if context.is_imitation and not any((IMITATIONS | {"teddy"}) & set(label.lower().split()) for label in labels):
            return Verdict("not judged", f"The labels do not show whether “{name}” is real, an imitation or a picture.")
        if labels and not named and not longer:
            return Verdict("not judged", f"Label “{labels[0]}” does not show whether {be} “{name}”.")
        if shown := scene.fixtures_of(context.noun):
            return Verdict(mark, f"Labels “{shown[0]}” and “{shown[1]}” show “{name}”.")
        label = next((scene.labels[place] for place in (*self.meant.get(thing, ()), *named)), None)
        words = f"Label “{label}” matches" if label else f"Label “{longer}” also names"
        return Verdict(mark, f"{words} “{name}”.")

    def enough(self, thing: NamedThing) -> Verdict:
        """Return whether as many things are present as the noun states: one woman is too few for "women".

        A region with a class name such as "banana" may show several things, so it can be enough for "bananas". But each
        person and each animal has its own region.
        """
        found, named = self.there(thing), self.named(thing)
        context, scene = self.context(thing), self._scene
        is_group = context.noun.lower() in GATHERINGS and not any(
            scene.has_own_label(context.noun, one) for one in named
        )
        if found.mark != "correct" or not named or not (context.is_plural or is_group):
            return found
        is_open = all(map(scene.is_class, named)) and not all(map(scene.is_living, named))
        number, is_certain = scene.number_of(named)
        if is_open or not is_certain or number > 1:
            return found
        return Verdict("not judged", f"Fewer regions match “{self.name(thing)}” than the caption says.")

    def counted(self, thing: NamedThing, number: int) -> Verdict:
        """Return whether labels show as many of a thing as the caption states (`number`).

        If more regions match than the caption states, the result is "not judged". The reason is that some of the
        regions may show other things.
        """
        context, scene, named = self.context(thing), self._scene, self.named(thing)
        if not named:
            return self.there(thing)
        if number > 1 and self._caption and not context.is_plural and context.amount == 1:  # as in "a ten speed bike"
            return Verdict("not judged", f"In this caption, “{number}” is not the number of “{thing.text}”.")
        found, is_certain = scene.number_of(named)
        possible = [place for place, label in scene.labels.items() if scene.same_thing(context.noun, label)]
        is_open = set(named.values()) != {"is"} or len(possible) > len(named) or context.is_doubtful
        is_open |= bool(
            kinds_of(context.noun, scene.lexicon) & {"worn", "body"}
        )  # annotators outline only some of them
        is_certain = is_certain and not (found > FEW and any(map(scene.is_several, named)))
        words = f"{found} {'region matches' if found == 1 else 'regions match'} “{self.name(thing)}”"
        if found == number and is_certain:
            return Verdict("correct", f"{words}.")
        if found < number and is_certain and not (is_open or context.may_be_absent):
            return Verdict("incorrect", f"Only {words}.")
        return Verdict("not judged", f"{words}. The labels do not show the exact number.")


def _weight(region: ImageRegion) -> float:
    box = masks.box(region.rle, region.size)
    if box is None:
        return 0.0
    height, width = region.size
    across, down = abs((box[0] + box[2]) / width - 1), abs((box[1] + box[3]) / height - 1)
    return masks.area(region.rle, region.size) * (1 - OFF_CENTRE * max(across, down))
