"""Replace parts of a caption. Also return where the changed parts are, before and after the change."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from core.captions.word_forms import article, like

Span = tuple[int, int]  # characters: start inclusive, end exclusive
_ARTICLE = re.compile(r"\b(an?)(\s+)\Z", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Replacement:
    """A part of a caption and its new text.

    If the part is empty, the text is inserted. If the text is empty, the part is removed.
    """

    start: int  # index of the first character in the caption
    end: int  # exclusive
    text: str


@dataclass(frozen=True, slots=True)
class Replaced:
    """A changed caption, with the positions of the changes."""

    caption: str
    before: tuple[Span, ...]  # changed character ranges of the original caption
    after: tuple[Span, ...]  # changed character ranges of the new caption


def replace_parts(caption: str, parts: Sequence[Replacement]) -> Replaced:
    """Return the caption with the given parts replaced. The parts must not overlap."""
    pieces: list[str] = []
    after: list[Span] = []
    read = length = 0
    ordered = sorted(parts, key=lambda part: part.start)
    for part in ordered:
        kept = caption[read : part.start]
        start = length + len(kept)
        length, read = start + len(part.text), part.end
        pieces += [kept, part.text]
        after.append((start, length))
    text = "".join([*pieces, caption[read:]])
    return Replaced(text, tuple((part.start, part.end) for part in ordered), tuple(after))


def exchanged(caption: str, start: int, end: int, words: str) -> tuple[Replacement, ...]:
    """Return the replacements that exchange a part of a caption.

    The part from `start` to `end` is exchanged for `words`. An article ("a", "an") directly before the part is
    corrected, so that it fits the new words.
    """
    new = Replacement(start, end, like(caption[start:end], words))
    before = _ARTICLE.search(caption, 0, start)
    if before is None or before.group(1).lower() == article(words):
        return (new,)
    return Replacement(*before.span(1), like(before.group(1), article(words))), new


def removed(caption: str, start: int, end: int) -> Replacement:
    """Return the replacement that removes a part and the spaces before it."""
    return Replacement(len(caption[:start].rstrip()), end, "")
