"""Phrases of a caption before anything is scored, what finds them, and how facts become phrases."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

from core.captions.facts import Fact, FactKind, heads_of

PhraseKind = Literal["relation", "attribute", "entity", "caption"]
AttributeStyle = Literal["literal", "prenominal"]
PHRASE_KINDS: dict[FactKind, PhraseKind] = {
    "relation": "relation",
    "attribute": "attribute",
    "quantity": "attribute",
    "entity": "entity",
}


@dataclass(frozen=True, slots=True)
class NamedThing:
    """A thing that a phrase names."""

    text: str  # as the phrase has it, e.g. "tennis racket"
    span: tuple[int, int]  # characters of the caption: start inclusive, end exclusive


@dataclass(frozen=True, slots=True)
class CaptionPhrase:
    """A phrase that a caption says of its picture."""

    text: str  # as it is compared, e.g. "dog sit on sofa"; lemmas allowed, never empty
    span: tuple[int, int]  # characters of the caption it stands for: start inclusive, end exclusive
    kind: PhraseKind  # relation triplet, attribute of an entity, lone entity, or the whole caption for want of others
    fact: Fact | None = None  # what it says; None for the whole caption
    things: tuple[NamedThing, ...] = ()  # the fact's subject and, of a relation, its object


class PhraseExtractor(Protocol):
    """Turns captions into phrases."""

    @property
    def name(self) -> str:
        """What signatures call this extractor, e.g. ``rules-ewt`` or ``flan-t5-base-VG-factual-sg@<revision>``."""
        ...

    def phrases(self, captions: Sequence[str]) -> list[tuple[CaptionPhrase, ...]]:
        """Return each caption's phrases in order of mention, one tuple a caption (empty: none found).

        Last come, as entities, the things that none of its facts is about.
        """
        ...

    def tokens_read(self, caption: str) -> tuple[int, int]:
        """Return how many tokens of a caption are read, and how many there are; (0, 0) where there is no limit."""
        ...


@dataclass(frozen=True, slots=True)
class SpottedFact:
    """A fact and the stretch of the caption that states it."""

    fact: Fact
    span: tuple[int, int]  # characters of the caption: start inclusive, end exclusive
    places: tuple[tuple[int, int], ...] = ()  # of the things it is about, subject first; empty: not known


def first_mentions(spotted: Iterable[SpottedFact]) -> tuple[SpottedFact, ...]:
    """Return the facts without repeats; the first stretch that states a fact holds."""
    first: dict[Fact, SpottedFact] = {}
    for one in spotted:
        first.setdefault(one.fact, one)
    return tuple(first.values())


def as_phrases(spotted: Iterable[SpottedFact], style: AttributeStyle = "literal") -> tuple[CaptionPhrase, ...]:
    """Return the facts as the phrases that metrics compare with regions."""
    return tuple(
        CaptionPhrase(phrase_text(one.fact, style), one.span, PHRASE_KINDS[one.fact.kind], one.fact, things(one))
        for one in spotted
    )


def things(spotted: SpottedFact) -> tuple[NamedThing, ...]:
    """Return the things a fact is about; where their places are not known, each at the whole fact's."""
    names = heads_of(spotted.fact)
    places = spotted.places or (spotted.span,) * len(names)
    return tuple(NamedThing(name, place) for name, place in zip(names, places, strict=True))


def phrase_text(fact: Fact, style: AttributeStyle) -> str:
    """Return a fact in words: "pigs is beautiful" as HICE-S words every triplet, or "beautiful pigs" as Soft-SPICE."""
    described = fact.kind in ("attribute", "quantity")
    return f"{fact.object} {fact.subject}" if described and style == "prenominal" else fact.text
