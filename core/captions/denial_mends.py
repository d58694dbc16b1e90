"""Repair how the parser reads denials: "a parking lot clear of cars", "with neither cows nor sheep".

The parser takes "devoid" for a noun, and the words before it for parts of its name.
"""

from collections.abc import Sequence
from dataclasses import replace

from core.captions.factual_conventions import BE
from core.captions.meta_words import DEVOID
from core.captions.tree import Token

OF_NAMES = frozenset({"det", "amod", "compound", "nummod", "nmod:poss"})


def with_devoid(tokens: Sequence[Token]) -> list[Token]:
    """Return the tokens with "clear of cars" as a description of the noun before it, or as its predicate."""
    mended = list(tokens)
    for place in range(1, len(tokens) - 2):
        thing = next((k for k in range(place + 2, len(tokens)) if _is_noun(tokens[k])), None)
        if tokens[place].text not in DEVOID or tokens[place + 1].text not in ("of", "from") or thing is None:
            continue
        mended[place + 1] = replace(mended[place + 1], head=thing, role="case")
        mended[thing] = replace(mended[thing], head=place, role="obl")
        if any(one.head == place and one.text in BE for one in tokens):
            mended[place] = replace(mended[place], tag="JJ")
        elif _is_noun(tokens[place - 1]):
            mended = _described(mended, place - 1, place)
    return mended


def _described(tokens: Sequence[Token], noun: int, word: int) -> list[Token]:
    """Return the tokens with an adjective below the noun before it. The noun takes the adjective's former place."""
    mended = list(tokens)
    if tokens[noun].head == word:
        is_root = tokens[word].head == word
        head = noun if is_root else tokens[word].head
        mended[noun] = replace(tokens[noun], head=head, role="ROOT" if is_root else tokens[word].role)
        for k, one in enumerate(tokens):
            if one.head == word and k not in (noun, word) and (k < word or one.role not in ("obl", "nmod")):
                mended[k] = replace(one, head=noun)
    mended[word] = replace(tokens[word], tag="JJ", head=noun, role="amod")
    return mended


def with_neither_after_prepositions(tokens: Sequence[Token]) -> list[Token]:
    """Return the tokens with "neither" as a denial of its noun: "with neither cows nor sheep"."""
    return [
        replace(token, role="cc:preconj")
        if token.text == "neither" and token.role in OF_NAMES and _is_noun(tokens[token.head])
        else token
        for token in tokens
    ]


def _is_noun(token: Token) -> bool:
    return token.tag.startswith("NN") or token.kind in ("thing", "name")
