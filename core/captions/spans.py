"""Find the part of a caption that states a fact, for parsers that return facts without positions.

A fact's words differ from the caption's words: base forms for verbs, digits for number words, "person" for "guy". So
the caption is searched for a fact's word in four ways: unchanged, by its singular, by the word that the FACTUAL corpus
uses instead, and by its first letters.
"""

import itertools
from collections.abc import Sequence

from core.captions.facts import Fact
from core.captions.factual_conventions import NUMBERS, RENAMED
from core.captions.word_splitting import Word, singular

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
    choices = [found for name in named if (found := places(name, words))]
    if not choices:
        return words[0].start, words[-1].end
    stretches = [(min(p[0] for p in picked), max(p[1] for p in picked)) for picked in itertools.product(*choices)]
    start, end = min(stretches, key=lambda stretch: (stretch[1] - stretch[0], stretch[0]))
    return words[start].start, words[end].end


def places(name: str, words: Sequence[Word]) -> list[tuple[int, int]]:
    """Return where a name occurs: the (first, last) word indices of each occurrence.

    Only the occurrences with the best kind of match are returned, such as those with unchanged words.
    """
    parts = name.lower().split()
    for same in (equal, equal_singular, renamed, alike):
        ends = [index for index, word in enumerate(words) if same(word.text, parts[-1] if parts else "")]
        if ends:
            return [(first_word(parts, words, end), end) for end in ends[:MOST_PLACES]]
    return []


def first_word(parts: Sequence[str], words: Sequence[Word], end: int) -> int:
    """Return the index of a name's first word in a caption.

    parts: the words of the name. end: the index of the name's last word. Returns `end` if the name's other words do not
    directly precede its last word.
    """
    first = end - len(parts) + 1
    in_a_row = first >= 0 and all(
        alike(word.text, part) for word, part in zip(words[first : end + 1], parts, strict=True)
    )
    return first if in_a_row else end


def equal(written: str, fact_word: str) -> bool:
    """Return whether a caption's word and a fact's word are equal."""
    return written == fact_word


def equal_singular(written: str, fact_word: str) -> bool:
    """Return whether the words have the same singular."""
    return singular(written) == singular(fact_word)


def renamed(written: str, fact_word: str) -> bool:
    """Return whether the FACTUAL corpus replaces one word by another.

    written: the caption's word. fact_word: the word that may replace it. Examples: the corpus uses "2" for "two", and
    "person" for "guy".
    """
    return NUMBERS.get(written) == fact_word or any(
        fact_word == other and written in name.split() for name, other in RENAMED.items()
    )


def alike(written: str, fact_word: str) -> bool:
    """Return whether the words begin with the same letters, or have the same singular."""
    shared = min(SHARED_LETTERS, len(written), len(fact_word))
    return equal_singular(written, fact_word) or (shared >= 3 and written[:shared] == fact_word[:shared])
