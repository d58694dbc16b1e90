"""Nouns whose things a caption does not plainly state: "hardly any cars", "no more than two dogs", a sign's words.

The rules read the caption's words around the noun. They need no syntax tree.
"""

from collections.abc import Sequence

from core.captions.factual_conventions import ARTICLES, CONTAINERS, NUMBERS, SURFACES
from core.captions.quoted_words import QUOTATION, SAID, WRITTEN
from core.captions.word_groups import governor
from core.captions.word_splitting import Word, singular

SCARCELY = frozenset("hardly barely scarcely almost nearly practically virtually".split())
HOLDING = CONTAINERS | SURFACES | frozenset("dish dishes platter platters pan pans salad soup".split())
AFTER_SCARCELY = frozenset("any a an no".split())
# Words that end before a number which is only an upper bound.
BOUNDS = (
    ("no", "more", "than"),
    ("not", "more", "than"),
    ("less", "than"),
    ("fewer", "than"),
    ("at", "most"),
    ("up", "to"),
)


def is_scarce(found: Sequence[Word], start: int) -> bool:
    """Return whether "hardly any", "no longer any" or a similar phrase stands before a noun.

    found: the caption's words. start: index of the first word of the noun's group.
    """
    before = [word.text for word in found[max(0, start - 3) : start + 2]]
    pairs = list(zip(before, before[1:], strict=False))
    return ("no", "longer") in pairs or any(one in SCARCELY and two in AFTER_SCARCELY for one, two in pairs)


def is_bounded(found: Sequence[Word], start: int, first: int) -> bool:
    """Return whether a number before a noun is only an upper bound: "no more than two dogs".

    start, first: indices of the first word of the noun's group and of the noun itself.
    """
    texts = [word.text for word in found[:first]]
    numbers = (k for k in range(max(0, start - 1), first) if texts[k] in NUMBERS or texts[k].isdigit())
    return any(tuple(texts[max(0, k - len(bound)) : k]) == bound for k in numbers for bound in BOUNDS)


def container(found: Sequence[Word], start: int) -> str:
    """Return the container before "of" and a noun: "bowl" of "a bowl of carrots"; "" if there is none."""
    place = governor(found, start)
    if place < 1 or found[place].text not in ("of", "with"):
        return ""
    word = found[place - 1].text if found[place - 1].text != "full" else found[max(0, place - 2)].text
    return singular(word) if word in HOLDING else ""


def is_written(caption: str, found: Sequence[Word], start: int) -> bool:
    """Return whether a noun is part of what is written on a sign, or stands in quotation marks."""
    place = found[start].start
    if any(match.start() < place < match.end() for match in QUOTATION.finditer(caption)):
        return True
    texts = [word.text for word in found[:start]]
    says = next((k for k in reversed(range(len(texts))) if texts[k] in SAID), None)
    if says is None or {"and", ".", ",", "on", "in"} & set(texts[says:]):
        return False
    return any(singular(text) in WRITTEN for text in texts[max(0, says - 3) : says] if text not in ARTICLES)
