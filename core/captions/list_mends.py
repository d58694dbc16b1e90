"""Repair to which noun the last noun of a list belongs, before the rules find facts in a tree.

The parser takes "a girl in boots and a cat" for a girl in a cat.
"""

from collections.abc import Sequence
from dataclasses import replace

from core.captions.factual_conventions import ACTORS, WORN_IN, WORN_WITH
from core.captions.nouns import NounTable
from core.captions.thing_kinds import kinds_of
from core.captions.tree import Token
from core.captions.word_mends import BESIDE
from core.captions.word_splitting import singular

NEW = frozenset({"a", "an"})  # a noun with these articles begins a new thing in a list
OWNERS = frozenset({"his", "her", "its", "their"})
# Prepositions after which no person and no animal is listed: nobody is "in boots and a cat".
PLACES = frozenset("in inside on into onto on top of at".split())
# Clothes that are not in the table of kinds.
CLOTHES = (
    WORN_IN | WORN_WITH | frozenset("boot sandal slipper sock jean bikini kimono apron vest gown mask veil".split())
)


def with_lists_apart(tokens: Sequence[Token], nouns: NounTable) -> list[Token]:
    """Return the tokens with the last noun of a list attached to the noun to which it belongs.

    Examples: the spoon in "a bowl of soup and a spoon" is beside the bowl. The dog in "a man in a blue shirt and a dog"
    is beside the man.
    """
    mended = list(tokens)
    for place, token in enumerate(tokens):
        first = token.head
        whole = mended[first].head
        if token.relation != "conj" or mended[first].relation != "nmod" or not (whole < first < place):
            continue
        if not all(map(_is_noun, (token, mended[first], mended[whole]))):
            continue
        if NEW & _words_of(tokens, place) and not any(one.head == place and one.role == "case" for one in tokens):
            before = _words_of(tokens, first)
            is_content = "of" in before and not (NEW | {"the"} | OWNERS) & before
            is_elsewhere = _is_elsewhere(token, tokens[first], nouns) or _has_own_place(tokens, place)
            if is_content or (PLACES & before and is_elsewhere):
                mended[place] = replace(token, head=whole)
    return mended


def _is_elsewhere(token: Token, first: Token, nouns: NounTable) -> bool:
    """Return whether nothing is in or on a noun's thing, although it is listed after such a place.

    Persons and animals are no places. After clothes, only other clothes are worn.
    """
    return _is_living(token, nouns) or (_is_worn(first, nouns) and not _is_worn(token, nouns))


def _has_own_place(tokens: Sequence[Token], noun: int) -> bool:
    """Return whether a noun has a place beside something: "a man on a bike and a bus behind him"."""
    places = [k for k in range(noun + 1, len(tokens)) if tokens[k].head == noun and tokens[k].role == "nmod"]
    return any(one.head in places and one.role == "case" and one.text in BESIDE for one in tokens[noun + 1 :])


def _is_living(token: Token, nouns: NounTable) -> bool:
    is_actor = token.is_person or singular(token.text.split()[-1]) in ACTORS
    return (is_actor or "animal" in kinds_of(token.text, nouns)) and not _is_worn(token, nouns)


def _is_worn(token: Token, nouns: NounTable) -> bool:
    return bool({token.text, singular(token.text)} & CLOTHES) or "worn" in kinds_of(token.text, nouns)


def _words_of(tokens: Sequence[Token], noun: int) -> set[str]:
    return {one.text for one in tokens[:noun] if one.head == noun}


def _is_noun(token: Token) -> bool:
    return token.tag.startswith("NN") or token.kind in ("thing", "name")
