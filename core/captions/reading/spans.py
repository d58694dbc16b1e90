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
    """Return where a name occurs: the (first, last) word indices of each occurrence.

    If only the name's last word is in the caption, the occurrence is this word.
    """
    parts, places = name.lower().split() or [""], []
    ends = [end for end, word in enumerate(words) if word.text == parts[-1]]
    for end in ends or [end for end, word in enumerate(words) if _is_same(word.text, parts[-1])]:
        first = end - len(parts) + 1
        pairs = zip(words[max(0, first) : end + 1], parts, strict=False)
        is_whole = first >= 0 and all(_is_same(written.text, part) for written, part in pairs)
        places.append((first if is_whole else end, end))
    return places[:MOST_PLACES]


def _is_same(written: str, fact_word: str) -> bool:
    if singular(written) == singular(fact_word) or NUMBERS.get(written) == fact_word:
        return True
    if any(fact_word == other and written in name.split() for name, other in RENAMED.items()):
        return True
    shared = min(SHARED_LETTERS, len(written), len(fact_word))
    return shared >= 3 and written[:shared] == fact_word[:shared]
