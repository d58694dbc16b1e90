"""Phrases of a caption before anything is scored, and the protocol of what finds them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

PhraseKind = Literal["relation", "attribute", "entity", "caption"]


@dataclass(frozen=True, slots=True)
class CaptionPhrase:
    """A phrase that a caption says of its picture."""

    text: str  # as it is compared, e.g. "dog sit on sofa"; lemmas allowed, never empty
    span: tuple[int, int]  # characters of the caption it stands for: start inclusive, end exclusive
    kind: PhraseKind  # relation triplet, attribute of an entity, lone entity, or the whole caption for want of others


class PhraseExtractor(Protocol):
    """Turns captions into phrases."""

    @property
    def name(self) -> str:
        """What signatures call this extractor, e.g. ``rules-ewt`` or ``flan-t5-base-VG-factual-sg@<revision>``."""
        ...

    def phrases(self, captions: Sequence[str]) -> list[tuple[CaptionPhrase, ...]]:
        """Return each caption's phrases in order of mention, one tuple a caption (empty: none found)."""
        ...
