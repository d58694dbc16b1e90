"""Phrases of a caption before anything is scored, and the protocol of what finds them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

from core.captions.facts import Fact

PhraseKind = Literal["relation", "attribute", "entity", "caption"]


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
