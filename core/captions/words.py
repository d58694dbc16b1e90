"""Captions cut into sentences and words that remember where they stood."""

import re
from dataclasses import dataclass

WORD = re.compile(
    r"""[^\W\d_]+?(?=n['’]t\b)      # "do" of "don't"
      | n['’]t\b                    # "n't"
      | ['’](?:s|re|ve|ll|d|m)\b    # "'s"
      | \d+(?:[.,]\d+)*             # numbers
      | \w+(?:-\w+)*                # words, hyphens inside: "t-shirt"
      | [^\w\s]                     # any other mark alone
    """,
    re.VERBOSE,
)
SENTENCE = re.compile(r"\S.*?(?:[.!?]+(?=\s|$)|$)", re.DOTALL)
QUOTES = frozenset("\"'`“”‘’")
FINAL_MARKS = frozenset(".!?,;:")


@dataclass(frozen=True, slots=True)
class Word:
    """One word of a caption."""

    text: str  # in lower case
    start: int  # character of the caption, inclusive
    end: int  # exclusive


def sentences(caption: str) -> tuple[tuple[int, int], ...]:
    """Return the (start, end) of each sentence; a sentence ends at ``.``, ``!`` or ``?`` before a space."""
    return tuple((match.start(), match.end()) for match in SENTENCE.finditer(caption) if match.group().strip())


def words(caption: str, start: int = 0, end: int | None = None) -> tuple[Word, ...]:
    """Return the words of a stretch of the caption, without quotation marks and without marks at its end."""
    found = [word(match) for match in WORD.finditer(caption, start, len(caption) if end is None else end)]
    kept = [word for word in found if word.text not in QUOTES]
    while kept and kept[-1].text in FINAL_MARKS:
        kept.pop()
    return tuple(kept)


def word(match: re.Match[str]) -> Word:
    """Return a match as a word, in lower case with a plain apostrophe."""
    return Word(match.group().lower().replace("’", "'"), match.start(), match.end())
