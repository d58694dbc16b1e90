"""Repair how the parser reads captions without a main verb: "cheetah", "neither a lion nor a bear", "a rose whose ...".

The parser was trained on sentences. In a fragment it takes a noun for a verb, or joins the wrong words.
"""

from collections.abc import Sequence
from dataclasses import replace

from core.captions.factual_conventions import BE
from core.captions.tree import Token, children
from core.captions.verb_forms import VerbForms
from core.captions.word_mends import FINITE
from core.captions.word_splitting import singular

OF_NUMBERS = frozenset({"nsubj", "nummod"})


def with_lone_nouns(tokens: Sequence[Token], verbs: VerbForms) -> list[Token]:
    """Return the tokens with a noun as root if the tagger took an unknown word for a verb: "cheetah", "one cheetah"."""
    place = next((k for k, token in enumerate(tokens) if token.role == "ROOT"), None)
    root = tokens[place] if place is not None else None
    if place is None or root is None or root.tag not in FINITE or root.kind != "word" or root.text in BE:
        return list(tokens)
    below = [k for k in children(tokens)[place] if tokens[k].role != "punct"]
    is_number = [tokens[k].tag == "CD" and tokens[k].role in OF_NUMBERS for k in below]
    if not all(is_number) or verbs.lemma(root.text) is not None:
        return list(tokens)
    mended = list(tokens)
    mended[place] = replace(root, tag=_noun_tag(root.text))
    for k in below:
        mended[k] = replace(tokens[k], role="nummod")
    return mended


def with_neither(tokens: Sequence[Token]) -> list[Token]:
    """Return the tokens with the nouns of "neither a leopard nor a cheetah" joined.

    The parser sometimes takes the first noun for an adjective of the second.
    """
    mended = list(tokens)
    for token in tokens:
        noun, second = token.head, -1
        if token.text == "neither" and tokens[noun].tag.startswith("NN") and tokens[noun].role in ("amod", "compound"):
            second = tokens[noun].head
        nor = next((k for k in range(noun + 1, second) if tokens[k].text == "nor"), None)
        if nor is None or not tokens[second].tag.startswith("NN"):
            continue
        above = noun if tokens[second].head == second else tokens[second].head
        mended[noun] = replace(tokens[noun], head=above, role=tokens[second].role)
        mended[second] = replace(tokens[second], head=noun, role="conj")
        mended[nor] = replace(tokens[nor], head=second)
    return mended


def with_whose(tokens: Sequence[Token]) -> list[Token]:
    """Return the tokens with a clause such as "whose leaves are red" corrected.

    In "a rose whose leaves are red", the clause then says that the leaves are red, not the rose.
    """
    mended = list(tokens)
    for place in range(1, len(tokens) - 3):
        noun, be = place + 1, place + 2
        owner, said = place - 1, tokens[place + 2].head
        is_clause = tokens[place].text == "whose" and tokens[be].text in BE and tokens[be].role == "cop"
        if not is_clause or tokens[owner].head != said or tokens[owner].role != "nsubj":
            continue
        above = owner if tokens[said].head == said else tokens[said].head
        mended[owner] = replace(tokens[owner], head=above, role=tokens[said].role)
        mended[said] = replace(tokens[said], head=owner, role="acl:relcl")
        mended[noun] = replace(tokens[noun], head=said, role="nsubj", tag=_noun_tag(tokens[noun].text))
        mended[place] = replace(tokens[place], head=noun, role="nmod:poss")
    return mended


def _noun_tag(word: str) -> str:
    return "NN" if singular(word) == word else "NNS"
