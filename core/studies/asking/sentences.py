"""Explanations cut into sentences that remember where they stood.

The bundled pipeline learnt on one sentence at a time and finds no ends within a text, so ends are marks, as they are
for captions, but for those that end no sentence: "e.g. a dog", "Mr. Smith", "No. 4".
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

SPLITTER = "marks-1"  # a change of what follows is another one
_END = re.compile(r"(?<![.!?])[.!?]++[\"'”’)\]]*+(?=\s|$)")  # each run of marks is looked at once
_NO_END = re.compile(r"(?:\b(?:e\.g|i\.e|cf|vs|approx|mr|mrs|ms|dr|st|no|fig)|\b[A-Z])\.$|\betc\.\)?$", re.IGNORECASE)
_LONGEST_SHORT = 8  # characters of "approx." and "etc.)", with one before them
_GOES_ON = re.compile(r"\s+[a-z]")


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence of one aspect of an explanation."""

    aspect: str
    start: int  # characters of the aspect's text
    end: int  # exclusive
    text: str


def sentences(rationales: Mapping[str, str]) -> tuple[Sentence, ...]:
    """Return the sentences of an explanation, aspect by aspect."""
    return tuple(
        Sentence(aspect, start, end, text[start:end])
        for aspect, text in rationales.items()
        for start, end in _spans(text)
    )


def _spans(text: str) -> Iterator[tuple[int, int]]:
    start = _first(text, 0)
    for found in _END.finditer(text):
        if start < found.end() and not _is_within(text, start, found.end()):
            yield start, found.end()
            start = _first(text, found.end())
    end = len(text.rstrip())
    if start < end:
        yield start, end


def _is_within(text: str, start: int, end: int) -> bool:
    """Whether a mark ends no sentence: an abbreviation before it that goes on."""
    short = _NO_END.search(text, max(start, end - _LONGEST_SHORT), end)
    if short is None:
        return False
    return short[0].lower().startswith("etc") is False or bool(_GOES_ON.match(text, end))


def _first(text: str, start: int) -> int:
    """Return where the first character that is no white space stands."""
    return start + len(text[start:]) - len(text[start:].lstrip())
