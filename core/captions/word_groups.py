"""Groups of a caption's words: a noun with its article and adjectives, and the word that governs the group."""

from collections.abc import Sequence

from core.captions.factual_conventions import ARTICLES, NUMBERS
from core.captions.word_splitting import Word

MOST_IN_GROUP = 3  # maximum number of words of a noun's group in a list, without its article
JOINING = frozenset({"and", ",", "or"})
# Words that belong to no noun's group.
OUTSIDE = frozenset(
    "of in on at with to by from about like for is are was were that which who near under over and or , . as".split()
)


def before_articles(found: Sequence[Word], start: int) -> int:
    """Return the index of the last word before a noun's group that is no article and no number; -1 if none is.

    start: index of the first word of the noun's group.
    """
    place = start - 1
    while place >= 0 and (found[place].text in ARTICLES or found[place].text in NUMBERS):
        place -= 1
    return place


def governor(found: Sequence[Word], start: int) -> int:
    """Return the index of the word that governs a noun's group, such as its preposition; -1 if there is none.

    All nouns of a list have the governor of the first noun: "of" in "a poster of a dog and a cat".
    """
    place = before_articles(found, start)
    while place > 0 and found[place].text in JOINING:
        first = place
        while first and place - first < MOST_IN_GROUP and found[first - 1].text not in OUTSIDE | ARTICLES:
            first -= 1
        if first == place or not (first and found[first - 1].text in ARTICLES | OUTSIDE):
            return place
        place = before_articles(found, first)
    return place
