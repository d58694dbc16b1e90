"""Split explanations into sentences with their positions in the text.

Capscope's own parser was trained on single sentences, so it does not find where sentences end in longer texts. Instead,
this module ends sentences at punctuation marks, as Capscope also does in captions. But punctuation marks in
abbreviations do not end a sentence: "e.g. a dog", "Mr. Smith", "No. 4".
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

_END = re.compile(r"(?<![.!?])[.!?]++[\"'”’)\]]*+(?=\s|$)")  # no backtracking (++, *+), so long runs are read once
_NO_END = re.compile(r"(?:\b(?:e\.g|i\.e|cf|vs|approx|mr|mrs|ms|dr|st|no|fig)|\b[A-Z])\.$|\betc\.\)?$", re.IGNORECASE)
_LONGEST_SHORT = 8  # to find an abbreviation before a mark: 7 characters for "approx.", and the character before it
_GOES_ON = re.compile(r"\s+[a-z]")


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence of one aspect of an explanation."""

    aspect: str
    start: int  # index of the sentence's first character in the text of its aspect (such as fluency)
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
    for mark in _END.finditer(text):
        if start < mark.end() and not _is_within(text, start, mark.end()):
            yield start, mark.end()
            start = _first(text, mark.end())
    end = len(text.rstrip())
    if start < end:
        yield start, end


def _is_within(text: str, start: int, end: int) -> bool:
    """Return whether a punctuation mark belongs to an abbreviation, after which the sentence continues."""
    short = _NO_END.search(text, max(start, end - _LONGEST_SHORT), end)
    if short is None:
        return False
    return short[0].lower().startswith("etc") is False or bool(_GOES_ON.match(text, end))


def _first(text: str, start: int) -> int:
    """Return the position of the first character that is not white space."""
    return start + len(text[start:]) - len(text[start:].lstrip())
