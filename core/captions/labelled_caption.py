"""Judge a caption by the labels and outlines of a picture's regions.

Labels can support or contradict that a thing is present, what it is, and how many there are. Outlines can support a
relation such as "next to", but never contradict it. A label of several words, such as "red bus", can also support or
contradict what it states. All other phrases are not judged. Each mark ("correct", "incorrect", "not judged") has a
reason in words.
"""

import re
from collections.abc import Sequence

from core.captions.caption_things import CaptionThings
from core.captions.judged_attributes import JudgedAttributes
from core.captions.judged_denials import JudgedDenials
from core.captions.judged_relations import JudgedRelations
from core.captions.judged_things import JudgedThings
from core.captions.label_facts import claimed
from core.captions.labelled_scene import LabelledScene
from core.captions.mentioned_regions import MentionedRegions
from core.captions.phrase_mark import Verdict
from core.captions.reading.facts import Fact
from core.captions.reading.factual import NUMBERS
from core.captions.reading.phrases import CaptionPhrase, NamedThing
from core.types import Mark, Thing

LIST = re.compile(r"(?!.*\b(?:next to|beside|near)\b).+ and .+")  # "a man and a bus" claims only that both are there


class LabelledCaption:
    """One caption, which can be judged by the labels and outlines of its picture's regions."""

    def __init__(self, scene: LabelledScene, phrases: Sequence[CaptionPhrase], caption: str = "") -> None:
        """Take the picture's labels, all phrases of the caption, and the caption itself.

        caption: the words around a noun in the caption show how many things the noun means. Without the caption, only
        the noun's form (singular or plural) shows this.
        """
        self._scene, self._phrases, self._caption = scene, phrases, caption
        self._things = CaptionThings(scene, phrases, caption)
        self._judged = JudgedThings(scene, self._things, caption)
        self._relations = JudgedRelations(scene, self._things)
        self._attributes = JudgedAttributes(scene, self._things, self._judged, self._relations, phrases)
        self._denials = JudgedDenials(scene, self._things, self._judged, self.verdict)
        self.regions = MentionedRegions(scene, self._things, self._judged, phrases)

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
        part = _with_number_first(part)
        for thing, word in words.items():
            name = self._judged.name(thing)
            part = re.sub(
                rf"\b(?:{re.escape(name)}|{re.escape(thing.text)})\b", word, part, count=1, flags=re.IGNORECASE
            )
            be = "these are" if self._things.context(thing).is_plural else "this is"
            reason = f"{reason} The labels do not show whether {be} “{name}”."
        return Verdict(found.mark, reason, part)

    def _verdict(self, phrase: CaptionPhrase) -> Verdict:
        fact = phrase.fact
        if fact is None:
            return Verdict("not judged", "Labels cannot judge a whole caption.")
        if phrase.kind == "denied":
            return self._denials.verdict(phrase, fact)
        if fact.kind == "entity":
            return self._judged.enough(_subject(phrase, fact))
        if fact.kind == "quantity":
            return self._judged.counted(_subject(phrase, fact), int(fact.object))
        for thing in claimed(phrase):
            found = self._judged.there(thing)
            if found.mark == "incorrect" or self._things.vague_label(thing):
                return found
            if (enough := self._judged.enough(thing)).mark == "not judged" and found.mark == "correct":
                return enough
        if fact.kind == "attribute":
            return self._attributes.verdict(phrase, _subject(phrase, fact), fact)
        return self._unknown_end(phrase) or self._related(phrase, fact)

    def mark(self, phrase: CaptionPhrase) -> Mark:
        """Return the mark of a phrase: "correct", "incorrect" or "not judged"."""
        return self.verdict(phrase).mark

    def _unknown_end(self, phrase: CaptionPhrase) -> Verdict | None:
        """Return "not judged" for a relation between things with an unconfirmed attribute.

        An attribute in the caption is unconfirmed if labels state attributes of the same thing, but do not confirm this
        one. Example: the caption says "lion with light mane", and a label says "dark mane". Returns None if the things
        have no unconfirmed attribute.
        """
        ends = {thing.span for thing in phrase.things}
        for one in self._phrases:
            fact = one.fact
            if one.kind != "attribute" or fact is None or fact.kind != "attribute" or not one.things:
                continue
            is_action = fact.object.endswith("ing")  # an action, such as "running", does not change what a thing is
            is_end = one.things[0].span in ends and not is_action and self._scene.facts.describe(fact.subject)
            if is_end and (found := self.verdict(one)).mark != "correct":
                return Verdict("not judged", f"“{one.shown or one.text}” is not confirmed. {found.reason}")
        return None

    def _related(self, phrase: CaptionPhrase, fact: Fact) -> Verdict:
        """Return whether a label or the regions' outlines support a relation of two present things."""
        if supporting := self._things.supporting(phrase):
            return Verdict("correct", f"Label “{self._scene.labels[supporting[0]]}” states the same.")
        if len(phrase.things) != 2:
            return Verdict("not judged", "The labels do not show whether this is true.")
        if fact.predicate == "next to" and LIST.fullmatch(phrase.shown) and self._are_both_there(phrase):
            return Verdict("correct", "The labels name both things that the phrase lists.")
        found = self._relations.verdict(fact, *phrase.things)
        if found:
            return found
        without = (self._judged.there(thing) for thing in phrase.things if not self._things.meant.get(thing))
        unknown = (one.reason for one in without if one.mark != "correct")  # that a thing is there is no reason for ◌
        return Verdict("not judged", next(unknown, "The labels do not show whether this is true."))

    def _are_both_there(self, phrase: CaptionPhrase) -> bool:
        """Return whether labels show two different things: "a man and a bus"."""
        one, other = (set(self._things.meant.get(thing, ())) for thing in phrase.things)
        are_clear = not any(self._things.context(thing).is_doubtful for thing in phrase.things)
        return bool(one and other) and one.isdisjoint(other) and are_clear

    def things(self, phrase: CaptionPhrase) -> tuple[Thing, ...]:
        """Return the things that a phrase says are present, each with the mark that the labels give it."""
        named = [(one, *self._marked(one)) for one in claimed(phrase)]
        if phrase.kind == "denied":  # "nobody rides a horse" does not say that there is a horse
            named = [row for row in named if row[0] == phrase.things[0] or row[2] != "incorrect"]
        return tuple(Thing(name, self._span(one, name), mark) for one, name, mark in named)

    def _marked(self, thing: NamedThing) -> tuple[str, Mark]:
        """Return the words to show for a thing, and their mark.

        If labels support only a part of the name, only this part is returned: "lion" for "mountain lion". For "woman",
        the class name "person" supports the word "person", because annotators have no class "woman". If annotators
        choose their labels freely, a label such as "pedestrian" supports no word for "woman".
        """
        context, name = self._things.context(thing), self._judged.name(thing)
        is_group = context.is_counted or not context.is_plural  # of "many dogs" one dog is still a dog
        mark, noun = (self._judged.enough if is_group else self._judged.there)(thing).mark, context.noun
        if mark != "correct":
            return name, mark
        word = self._things.shown_word(thing)
        if word is None:
            is_own = thing.text in noun  # False if another word names what is meant: elephants in "elephant family"
            return (name if not is_own else noun if len(noun) > len(thing.text) else thing.text), mark
        if name.endswith(word) or all(map(self._scene.is_class, self._things.meant.get(thing, ()))):
            return word, mark
        return name, "not judged"

    def _span(self, thing: NamedThing, name: str) -> tuple[int, int]:
        """Return the (start, end) of a thing's name in the caption.

        Example: the position of "lion" in the thing "mountain lion". If the thing's words do not end with the name,
        returns the position of the whole thing.
        """
        start, end = thing.span
        own = end - len(name)
        return (own if own >= 0 and self._caption[own:end].lower() == name.lower() else start), end


def _with_number_first(part: str) -> str:
    """Return "four family" for "family of four", so that a label's word can replace "family"."""
    noun, _, number = part.partition(" of ")
    return f"{number} {noun}" if number in NUMBERS or number.isdigit() else part


def _subject(phrase: CaptionPhrase, fact: Fact) -> NamedThing:
    return phrase.things[0] if phrase.things else NamedThing(fact.subject, phrase.span)
