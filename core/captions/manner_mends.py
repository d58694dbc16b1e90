"""Repair how the parser reads words for how something is done: "at full speed", "with his arms crossed", "printed on".

"Speed" is no thing in a picture. The parser attaches later words to it, as in "at full speed across the ground". It
also gives crossed arms to the nearest noun, as in "rests on a rock with his arms crossed".
"""

from collections.abc import Sequence
from dataclasses import replace

from core.captions.depicted_nouns import MADE
from core.captions.tree import Token, children

# Key: preposition. Value: nouns that state a manner after this preposition.
MANNERS = {
    "at": frozenset({"speed", "pace", "leisure", "ease", "rest"}),
    "in": frozenset({"hurry", "rush", "haste"}),
    "with": frozenset({"speed", "ease", "haste"}),
}
PLACES = frozenset({"nmod", "obl", "acl", "advcl"})  # relations of a phrase or clause to its noun or verb
OWNERS = frozenset({"his", "her", "its", "their"})


def with_manners(tokens: Sequence[Token]) -> list[Token]:
    """Return the tokens with "speed" of "at full speed" as an adverb.

    Later words that depended on "speed" are attached to the verb instead.
    """
    mended, below = list(tokens), children(tokens)
    for place, token in enumerate(tokens):
        cases = [tokens[k].text for k in below[place] if tokens[k].role == "case"]
        if token.head == place or not any(token.text in MANNERS.get(case, ()) for case in cases):
            continue
        mended[place] = replace(token, tag="RB", role="advmod")
        for k in below[place]:
            if mended[k].relation in PLACES and k > place:
                mended[k] = replace(mended[k], head=token.head, role=mended[k].role.replace("nmod", "obl"))
            elif mended[k].tag.startswith("NN"):
                mended[k] = replace(mended[k], tag="RB", role="advmod")
    return mended


def with_postures(tokens: Sequence[Token]) -> list[Token]:
    """Return the tokens with the arms of "with his arms crossed" attached to the subject of the sentence's verb."""
    mended, below = list(tokens), children(tokens)
    for place, token in enumerate(tokens[:-1]):
        after = tokens[place + 1]
        owned = any(tokens[k].text in OWNERS and tokens[k].role == "nmod:poss" for k in below[place])
        is_with = any(tokens[k].text == "with" and tokens[k].role == "case" for k in below[place])
        is_participle = after.tag in ("VBN", "VBD", "JJ") and after.relation in PLACES | {"amod"}
        if not (is_participle and owned and is_with and token.tag.startswith("NN")):
            continue
        mended[place + 1] = replace(after, head=place, role="acl")
        subject = _subject(tokens, below, place)
        if subject is not None and subject != token.head:
            mended[place] = replace(mended[place], head=subject, role="nmod")
    return mended


def with_made_pictures(tokens: Sequence[Token]) -> list[Token]:
    """Return the tokens with "printed" attached to the noun before it: "a mug with a dog printed on it"."""
    mended, below = list(tokens), children(tokens)
    for verb, token in enumerate(tokens):
        subject = next((k for k in below[verb] if tokens[k].relation == "nsubj"), None)
        if token.text not in MADE or subject is None or any(tokens[k].relation == "aux" for k in below[verb]):
            continue
        thing = verb - 1
        cases = [tokens[k].text for k in below[thing] if tokens[k].role == "case"]
        if not (subject < thing and tokens[thing].head == subject and cases == ["with"]):
            continue
        is_root = token.head == verb
        mended[subject] = replace(tokens[subject], head=subject if is_root else token.head, role=token.role)
        mended[verb] = replace(token, head=thing, role="acl")
    return mended


def _subject(tokens: Sequence[Token], below: Sequence[Sequence[int]], place: int) -> int | None:
    """Return the subject of the nearest verb above a token; None if this verb has no subject."""
    head = tokens[place].head
    while tokens[head].head != head and not tokens[head].tag.startswith("VB"):
        head = tokens[head].head
    nouns = (k for k in below[head] if tokens[k].relation == "nsubj" and tokens[k].tag.startswith("NN"))
    return next(nouns, None) if tokens[head].tag.startswith("VB") else None
