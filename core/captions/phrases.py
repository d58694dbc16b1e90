"""Phrases of a caption, before metrics score them.

The module defines phrases, the interface of phrase extractors, and the conversion of facts to phrases.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

from core.captions.facts import Fact, FactKind, heads_of
from core.types import Claim

PhraseKind = Literal["relation", "attribute", "entity", "caption", "denied"]
PHRASE_KINDS: dict[FactKind, PhraseKind] = {
    "relation": "relation",
    "attribute": "attribute",
    "quantity": "attribute",
    "entity": "entity",
}


@dataclass(frozen=True, slots=True)
class NamedThing:
    """An object that a phrase names."""

    text: str  # the fact's word for the thing, e.g. "cake"
    span: tuple[int, int]  # character positions of the noun and the nouns before it; start inclusive, end exclusive
    full: str = ""  # the thing with the nouns before it, in the caption's words, e.g. "birthday cake"; "" if unknown


@dataclass(frozen=True, slots=True)
class CaptionPhrase:
    """A phrase in which a caption describes its picture."""

    text: str  # text to compare with the picture, e.g. "dog sit on sofa"; verbs may be lemmas; never empty
    span: tuple[int, int]  # characters of the caption: start inclusive, end exclusive
    kind: PhraseKind  # the fact's kind (relation triplet, attribute, lone entity, denied fact), or the whole caption
    fact: Fact | None = None  # the fact; None for the whole caption
    things: tuple[NamedThing, ...] = ()  # the fact's subject and, for a relation, its object
    absent: tuple[NamedThing, ...] = ()  # the fact's things that the caption calls absent
    shown: str = ""  # the fact in the caption's own words, e.g. "no dog"; "" if unknown
    denied: tuple[int, int] | None = (
        None  # characters from the denying word to the end of what it denies; None: unknown
    )

    @property
    def is_triplet(self) -> bool:
        """Return whether the phrase is a relation or an attribute, stated or denied."""
        if self.kind == "denied":
            return self.fact is not None and self.fact.kind != "entity"
        return self.kind in ("relation", "attribute")

    @property
    def claim(self) -> Claim:
        """Return whether the caption states or denies the fact."""
        return "denied" if self.kind == "denied" else "stated"


class PhraseExtractor(Protocol):
    """Interface of extractors, which find the phrases of captions."""

    @property
    def name(self) -> str:
        """The extractor's name in signatures, e.g. ``rules-ewt`` or ``flan-t5-base-VG-factual-sg@<revision>``."""
        ...

    def phrases(self, captions: Sequence[str]) -> list[tuple[CaptionPhrase, ...]]:
        """Return each caption's phrases in order of mention, one tuple per caption.

        A tuple is empty if the caption has no phrases. A thing about which the caption states nothing is a phrase of
        the kind "entity". Such phrases come last.
        """
        ...

    def tokens_read(self, caption: str) -> tuple[int, int]:
        """Return how many tokens of a caption the extractor reads, and how many the caption has.

        Returns (0, 0) if the extractor reads captions of any length.
        """
        ...


@dataclass(frozen=True, slots=True)
class SpottedFact:
    """A fact and the part of the caption that states it."""

    fact: Fact
    span: tuple[int, int]  # characters of the caption: start inclusive, end exclusive
    things: tuple[NamedThing, ...] = ()  # the phrase's things, subject first; empty: unknown
    is_denied: bool = False
    absent: tuple[NamedThing, ...] = ()  # things of the phrase that the caption calls absent
    shown: str = ""  # the fact in the caption's own words
    denied: tuple[int, int] | None = None  # characters from the denying word to the end of what it denies


def first_mentions(spotted: Iterable[SpottedFact]) -> tuple[SpottedFact, ...]:
    """Return the facts without repeats, each with its first position in the caption."""
    first: dict[Fact, SpottedFact] = {}
    for one in spotted:
        first.setdefault(one.fact, one)
    return tuple(first.values())


def as_phrases(spotted: Iterable[SpottedFact]) -> tuple[CaptionPhrase, ...]:
    """Return the facts as phrases, which metrics compare with a picture's regions."""
    return tuple(
        CaptionPhrase(
            one.fact.text,
            one.span,
            "denied" if one.is_denied else PHRASE_KINDS[one.fact.kind],
            one.fact,
            things(one),
            one.absent,
            one.shown,
            one.denied,
        )
        for one in spotted
    )


def things(spotted: SpottedFact) -> tuple[NamedThing, ...]:
    """Return a fact's things. If their positions are unknown, each thing gets the span of the whole fact."""
    return spotted.things or tuple(NamedThing(name, spotted.span, name) for name in heads_of(spotted.fact))
