"""Facts in labels of several words: "naval cap" states that the cap is naval.

An annotator wrote the label, so the label is parsed like a small caption. If a label states the same as a phrase of the
caption, the phrase is supported. A colour in a label excludes other colours of the same thing. A light shade excludes a
dark shade.
"""

from collections.abc import Iterable, Mapping, Sequence

from core.captions.reading.facts import Fact
from core.captions.reading.factual import COLOURS
from core.captions.reading.lexicon import AFTER_HEAD, Lexicon
from core.captions.reading.phrases import CaptionPhrase, NamedThing

# Opposite shades. A label with a word of one set contradicts a caption with a word of the other set, unless the label
# has words of both sets.
LIGHT = frozenset("light pale bright white blonde blond".split())
DARK = frozenset({"dark", "black"})
ABSENCE = frozenset({"without"})  # the object of these predicates is absent


class LabelFacts:
    """The facts in the labels of one picture."""

    def __init__(self, label_phrases: Mapping[str, Sequence[CaptionPhrase]], nouns: Lexicon) -> None:
        """Take the phrases that the parser found in each label. Labels of one word may be missing."""
        self._nouns, self._phrases = nouns, label_phrases
        self._by_label = {label: tuple(p.fact for p in phrases if p.fact) for label, phrases in label_phrases.items()}
        self._facts = tuple(dict.fromkeys(fact for facts in self._by_label.values() for fact in facts))
        self._singles: dict[str, LabelFacts] = {}

    def of_label(self, label: str) -> "LabelFacts":
        """Return the facts of one label."""
        if label not in self._singles:
            phrases = {label: self._phrases[label]} if label in self._phrases else {}
            self._singles[label] = LabelFacts(phrases, self._nouns)
        return self._singles[label]

    def label_with(self, noun: str) -> str | None:
        """Return a label that names a thing with this noun besides its main thing; None if there is none.

        Example: the label "woman in a uniform" also names a uniform.
        """
        return next(iter(self.labels_with(noun)), None)

    def labels_with(self, noun: str) -> tuple[str, ...]:
        """Return all labels that also name a thing with this noun.

        The noun must not be the label's main noun. Example: the label "woman in a uniform" also names a uniform.
        """
        things = ((label, thing) for label, facts in self._by_label.items() for one in facts for thing in present(one))
        named = (label for label, thing in things if not self._nouns.same(thing, label) and self._is(noun, thing))
        return tuple(dict.fromkeys(named))

    def is_part(self, label: str, noun: str) -> bool:
        """Return whether a label's main thing belongs to a noun's thing.

        The main thing may be a part: "tree branches" are a part of a tree. It may also consist of such things: "group
        of trees" for "trees". But a "woman in a uniform" is no part of a uniform.
        """
        words = label.lower().removesuffix("'s").replace("'s ", " ").split()
        ends = (place for place, word in enumerate(words) if word in AFTER_HEAD - {"of"})
        return any(self._is(noun, word) for word in words[: next(ends, None)])

    def state(self, fact: Fact) -> bool:
        """Return whether a label states a fact's attribute or relation.

        The label must state it in the same words as the fact.
        """
        if fact.kind == "attribute" and any(self.describes(label, fact) for label in self._by_label):
            return True
        wanted = (fact.predicate.lower(), fact.object.lower())
        for one in self._facts:
            is_same = self._is(fact.subject, one.subject) or fact.subject.endswith(f" {one.subject}")
            if one.kind != fact.kind or not is_same:
                continue  # the fact is about another thing: a label "lion's face" does not mention a lioness's face
            if fact.kind == "attribute" and (one.predicate.lower(), one.object.lower()) == wanted:
                return True
            if fact.kind == "relation" and one.predicate == fact.predicate and self._is(fact.object, one.object):
                return True
        return False

    def describe(self, noun: str) -> bool:
        """Return whether any label states an attribute of a thing with this name.

        Example: the label "dark mane" states an attribute of a mane.
        """
        return any(one.kind == "attribute" and self._names(noun, one.subject) for one in self._facts)

    def rule_out(self, fact: Fact, labels: Iterable[str], caption: Iterable[CaptionPhrase]) -> bool:
        """Return whether labels contradict a colour or shade in the caption.

        fact: states the colour or shade of a thing in the caption. labels: the labels of all things with the same name
        as this thing. Returns False if a label states no colour. Also returns False if the caption states two colours
        for the thing. The reason is that a label names only the most visible colour.
        """
        labels = list(labels)
        return self._rule_out_colour(fact, labels, caption) or self._rule_out_shade(fact, labels)

    def _rule_out_shade(self, fact: Fact, labels: Sequence[str]) -> bool:
        """Return whether all labels state the opposite shade: "dark mane" for "light mane"."""
        stated = set(fact.object.lower().split())
        opposite, same = (DARK, LIGHT) if stated & LIGHT else (LIGHT, DARK)
        if fact.kind != "attribute" or not stated & same:
            return False
        shades = [self._attributes_of(label, fact.subject) for label in labels]
        return bool(shades) and all(words & opposite and not words & same for words in shades)

    def _attributes_of(self, label: str, noun: str) -> frozenset[str]:
        """Return the words that precede a noun in a label.

        Example: "dark" for "suit" in "man in a dark suit". Only words after the last preposition before the noun are
        returned. Without a preposition, all words before the noun are returned.
        """
        words, found = label.lower().split(), set[str]()
        for end in (place for place, word in enumerate(words) if self._names(noun, word)):
            start = max((place for place in range(end) if words[place] in AFTER_HEAD), default=-1) + 1
            found.update(words[start:end])
        return frozenset(found)

    def _rule_out_colour(self, fact: Fact, labels: Iterable[str], caption: Iterable[CaptionPhrase]) -> bool:
        if fact.object.lower() not in COLOURS or len(_colours((p.fact for p in caption if p.fact), fact.subject)) > 1:
            return False
        colours_by_label = [self._colours_of(label, fact.subject) for label in labels]
        return (
            bool(colours_by_label)
            and all(colours_by_label)
            and fact.object.lower() not in frozenset().union(*colours_by_label)
        )

    def describes(self, label: str, fact: Fact) -> bool:
        """Return whether a label has the fact's attribute before the noun: "beige fleece coat" for a beige coat."""
        words = label.lower().split()
        ends = [place for place, word in enumerate(words) if self._nouns.same(fact.subject, word)]
        starts = [place for place, word in enumerate(words) if word == fact.object.lower()]
        return any(start < end and not AFTER_HEAD & set(words[start:end]) for start in starts for end in ends)

    def _names(self, noun: str, thing: str) -> bool:
        return self._nouns.naming(noun, thing) in ("is", "wider")

    def _is(self, noun: str, thing: str) -> bool:
        """Return whether a noun certainly applies to a thing that a label names.

        Example: "animal" certainly applies to the thing "dog". But "jeans" need not apply to the thing "clothes".
        """
        naming = self._nouns.naming(noun, thing)
        return naming == "wider" or (naming == "is" and self._nouns.naming(thing, noun) == "is")

    def _colours_of(self, label: str, noun: str) -> frozenset[str]:
        facts = self._by_label.get(label, ())
        return frozenset().union(*(_colours(facts, one.subject) for one in facts if self._names(noun, one.subject)))


def present(fact: Fact) -> tuple[str, ...]:
    """Return the things that a fact says are present."""
    return (fact.subject,) if ABSENCE & set(fact.predicate.split()) else fact.things


def claimed(phrase: CaptionPhrase) -> tuple[NamedThing, ...]:
    """Return the things that a phrase says are present."""
    things = phrase.things[: len(present(phrase.fact))] if phrase.fact else phrase.things
    absent = {thing.span for thing in phrase.absent}
    return tuple(thing for thing in things if thing.span not in absent)


def _colours(facts: Iterable[Fact], subject: str) -> frozenset[str]:
    """Return the colours that some facts state for one thing."""
    return frozenset(
        one.object.lower()
        for one in facts
        if one.subject == subject and one.kind == "attribute" and one.object.lower() in COLOURS
    )
