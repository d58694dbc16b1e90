"""Find the part of a caption that states a fact, for parsers that return facts without positions.

A fact's words differ from the caption's words: base forms for verbs, digits for number words, "person" for "guy". So
the caption is searched for a fact's word in four ways: unchanged, by its singular, by the word that the FACTUAL corpus
uses instead, and by its first letters.
"""

import itertools
from collections.abc import Sequence

from core.captions.reading.facts import Fact
from core.captions.reading.factual import NUMBERS, RENAMED
from core.captions.reading.words import Word, singular

SHARED_LETTERS = 4  # number of first letters that related words share: "standing" for "stand", "wooden" for "wood"
MOST_PLACES = 8  # maximum number of positions of one word; captions rarely name a thing more often


def fact_span(fact: Fact, words: Sequence[Word]) -> tuple[int, int]:
    """Return the shortest part of the caption that contains both the fact's subject and its object.

    If the caption has only one of them, returns its position. If it has neither, returns the span of all words. Raises
    ValueError if there are no words.
    """
    if not words:
        raise ValueError("A span needs words of a caption, found none")
    named = (fact.subject, fact.object) if fact.predicate else (fact.subject,)
    choices = [found for name in named if (found := _places(name, words))]
    stretches = [
        (min(p[0] for p in picked), max(p[1] for p in picked)) for picked in itertools.product(*choices) if picked
    ]
    start, end = min(stretches, key=lambda one: (one[1] - one[0], one[0]), default=(0, len(words) - 1))
    return words[start].start, words[end].end


def _places(name: str, words: Sequence[Word]) -> list[tuple[int, int]]:
    """Return where a name occurs: the (first, last) word indices of each occurrence, by the best kind of match."""
    parts = name.lower().split()
    kinds = [_kind(word.text, parts[-1] if parts else "") for word in words]
    best = min(kinds)
    ends = [index for index, kind in enumerate(kinds) if kind == best < 4][:MOST_PLACES]
    return [(_first_word(parts, words, end), end) for end in ends]


def _first_word(parts: Sequence[str], words: Sequence[Word], end: int) -> int:
    """Return the index of a name's first word; `end` if its words do not directly precede its last word."""
    first = end - len(parts) + 1
    in_a_row = first >= 0 and all(
        _kind(word.text, part) in (0, 1, 3) for word, part in zip(words[first : end + 1], parts, strict=True)
    )
    return first if in_a_row else end


def _kind(written: str, fact_word: str) -> int:
    """Return how well a caption's word matches a fact's word: 0 if equal, up to 3 if related, and 4 if not at all."""
    if written == fact_word:
        return 0
    if singular(written) == singular(fact_word):
        return 1
    renamed = any(fact_word == other and written in name.split() for name, other in RENAMED.items())
    if renamed or NUMBERS.get(written) == fact_word:
        return 2
    shared = min(SHARED_LETTERS, len(written), len(fact_word))
    return 3 if shared >= 3 and written[:shared] == fact_word[:shared] else 4
