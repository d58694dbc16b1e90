"""Facts with their place in a caption, and the phrases they become."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from core.captions.facts import Fact, FactKind, heads_of
from core.captions.phrases import CaptionPhrase, NamedThing, PhraseKind

AttributeStyle = Literal["literal", "prenominal"]
PHRASE_KINDS: dict[FactKind, PhraseKind] = {
    "relation": "relation",
    "attribute": "attribute",
    "quantity": "attribute",
    "entity": "entity",
}


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


def phrases(spotted: Iterable[SpottedFact], style: AttributeStyle = "literal") -> tuple[CaptionPhrase, ...]:
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
