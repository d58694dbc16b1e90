"""Facts in labels of several words: "naval cap" states that the cap is naval.

An annotator wrote the label, so the label is parsed like a small caption. If a label states the same as a phrase of the
caption, the phrase is supported. A colour in a label excludes other colours of the same thing.
"""

from collections.abc import Iterable, Mapping, Sequence

from core.captions.reading.facts import Fact
from core.captions.reading.factual import COLOURS
from core.captions.reading.lexicon import AFTER_HEAD, Lexicon
from core.captions.reading.phrases import CaptionPhrase, NamedThing


class LabelFacts:
    """The facts in the labels of one picture."""

    def __init__(self, label_phrases: Mapping[str, Sequence[CaptionPhrase]], lexicon: Lexicon) -> None:
        """Take the phrases that the parser found in each label. Labels of one word may be missing."""
        self._lexicon = lexicon
        self._by_label = {label: tuple(p.fact for p in phrases if p.fact) for label, phrases in label_phrases.items()}

    def label_with(self, noun: str) -> str | None:
        """Return a label that names a thing with this noun besides its main thing; None if there is none.

        Example: the label "woman in a uniform" also names a uniform.
        """
        things = ((label, thing) for label, facts in self._by_label.items() for one in facts for thing in present(one))
        named = (label for label, thing in things if not self._lexicon.same(thing, label) and self._is(noun, thing))
        return next(named, None)

    def states(self, label: str, fact: Fact) -> bool:
        """Return whether a label states a fact's attribute or relation, in the same words as the fact."""
        if fact.kind == "attribute" and self.describes(label, fact):
            return True
        for one in self._by_label.get(label, ()):
            is_same = self._is(fact.subject, one.subject) or fact.subject.endswith(f" {one.subject}")
            if one.kind != fact.kind or one.predicate != fact.predicate or not is_same:
                continue  # the fact is about another thing: a label "lion's face" does not mention a lioness's face
            if one.object == fact.object or (fact.kind == "relation" and self._is(fact.object, one.object)):
                return True
        return False

    def describes(self, label: str, fact: Fact) -> bool:
        """Return whether a label has the fact's attribute before the noun: "beige fleece coat" for a beige coat."""
        words = label.lower().split()
        ends = [place for place, word in enumerate(words) if self._lexicon.same(fact.subject, word)]
        starts = [place for place, word in enumerate(words) if word == fact.object.lower()]
        return any(start < end and not AFTER_HEAD & set(words[start:end]) for start in starts for end in ends)

    def rule_out(self, fact: Fact, labels: Iterable[str], caption: Iterable[CaptionPhrase]) -> bool:
        """Return whether labels contradict a colour in the caption.

        fact: states the colour of a thing in the caption. labels: the labels of all things with the same name as this
        thing. Returns False if a label states no colour. Also returns False if the caption states two colours for the
        thing. The reason is that a label names only the most visible colour.
        """
        colour, stated = fact.object.lower(), _colours((p.fact for p in caption if p.fact), fact.subject)
        if colour not in COLOURS or len(stated) > 1:
            return False
        by_label = [self._colours_of(label, fact.subject) for label in labels]
        return bool(by_label) and all(by_label) and colour not in frozenset().union(*by_label)

    def _is(self, noun: str, thing: str) -> bool:
        """Return whether a noun certainly applies to a thing that a label names.

        Example: "animal" certainly applies to the thing "dog". But "jeans" need not apply to the thing "clothes".
        """
        naming = self._lexicon.naming(noun, thing)
        return naming == "wider" or (naming == "is" and self._lexicon.naming(thing, noun) == "is")

    def _colours_of(self, label: str, noun: str) -> frozenset[str]:
        facts = self._by_label.get(label, ())
        named = (one.subject for one in facts if self._lexicon.naming(noun, one.subject) in ("is", "wider"))
        return frozenset().union(*(_colours(facts, subject) for subject in named))


def present(fact: Fact) -> tuple[str, ...]:
    """Return the things that a fact says are present."""
    return (fact.subject,) if "without" in fact.predicate.split() else fact.things


def claimed(phrase: CaptionPhrase) -> tuple[NamedThing, ...]:
    """Return the things that a phrase says are present."""
    things = phrase.things[: len(present(phrase.fact))] if phrase.fact else phrase.things
    absent = {thing.span for thing in phrase.absent}
    return tuple(thing for thing in things if thing.span not in absent)


def _colours(facts: Iterable[Fact], subject: str) -> frozenset[str]:
    stated = (one.object.lower() for one in facts if one.subject == subject and one.kind == "attribute")
    return frozenset(colour for colour in stated if colour in COLOURS)
