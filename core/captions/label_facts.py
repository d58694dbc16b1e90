"""What labels of several words say beyond a thing's name: "naval cap" that the cap is naval, "man in a coat" of a coat.

A label is a small caption that an annotator wrote, so what it says is read as captions are: a phrase that a label
states is borne out. A colour that a label states rules others out.
"""

from collections.abc import Iterable, Mapping, Sequence

from core.captions.conventions import COLOURS
from core.captions.facts import Fact, heads_of
from core.captions.nouns import NounTable
from core.captions.phrases import CaptionPhrase

ABSENCE = frozenset({"without"})  # words of a predicate whose object is said not to be there


class LabelFacts:
    """What the labels of one picture say."""

    def __init__(self, said: Mapping[str, Sequence[CaptionPhrase]], nouns: NounTable) -> None:
        """Take what each label says; labels that are but a name may be missing."""
        self._nouns = nouns
        self._by_label = {label: tuple(p.fact for p in phrases if p.fact) for label, phrases in said.items()}
        self._facts = tuple(dict.fromkeys(fact for facts in self._by_label.values() for fact in facts))

    def there(self, noun: str) -> bool:
        """Say whether a label says that such a thing is there, beside what it is about: "woman in a uniform"."""
        told = ((label, thing) for label, facts in self._by_label.items() for one in facts for thing in present(one))
        return any(self._names(noun, thing) for label, thing in told if not self._nouns.same(thing, label))

    def state(self, fact: Fact) -> bool:
        """Say whether a label states an attribute, or how two things relate, in the same words."""
        wanted = (fact.predicate.lower(), fact.object.lower())
        for one in self._facts:
            if one.kind != fact.kind or not self._names(fact.subject, one.subject):
                continue
            if fact.kind == "attribute" and (one.predicate.lower(), one.object.lower()) == wanted:
                return True
            if fact.kind == "relation" and one.predicate == fact.predicate and self._names(fact.object, one.object):
                return True
        return False

    def rule_out(self, fact: Fact, labels: Iterable[str], caption: Iterable[CaptionPhrase]) -> bool:
        """Say whether a caption gives a thing one colour and the labels of all such things give another.

        labels: of all the things of that name. A caption that gives the thing two colours is not held to either, since
        a label names the colour that strikes the eye.
        """
        if fact.object.lower() not in COLOURS or len(_colours((p.fact for p in caption if p.fact), fact.subject)) > 1:
            return False
        told = [self._colours_of(label, fact.subject) for label in labels]
        return bool(told) and all(told) and fact.object.lower() not in frozenset().union(*told)

    def _names(self, noun: str, thing: str) -> bool:
        return self._nouns.naming(noun, thing) in ("is", "wider")

    def _colours_of(self, label: str, noun: str) -> frozenset[str]:
        facts = self._by_label.get(label, ())
        return frozenset().union(*(_colours(facts, one.subject) for one in facts if self._names(noun, one.subject)))


def present(fact: Fact) -> tuple[str, ...]:
    """Return the things that a fact says are there."""
    return (fact.subject,) if ABSENCE & set(fact.predicate.split()) else heads_of(fact)


def _colours(facts: Iterable[Fact], subject: str) -> frozenset[str]:
    """Return the colours that facts give a thing."""
    return frozenset(
        one.object.lower()
        for one in facts
        if one.subject == subject and one.kind == "attribute" and one.object.lower() in COLOURS
    )
