"""Words that a caption only quotes: what a sign says, and words in quotation marks.

"A sign says no dogs" does not deny that a dog is in the picture.
"""

import re
from collections.abc import Sequence
from dataclasses import replace

from core.captions.caption_pieces import Piece
from core.captions.tree import Tree
from core.captions.word_splitting import singular

SAYING = frozenset("say read state announce declare warn prohibit forbid ban".split())  # verbs of signs
SAID = frozenset(
    "say says saying said read reads reading state states stating announces warns prohibits forbids bans".split()
)  # their forms
# Things with words on them.
WRITTEN = frozenset(
    "sign poster board billboard notice banner label plaque placard sticker screen shirt t-shirt note letter message "
    "text writing card paper page headline flag button badge".split()
)
QUOTATION = re.compile(r"“[^“”]*”|„[^“„]*“|«[^«»]*»|\"[^\"]*\"")


def with_quotations(caption: str, pieces: Sequence[Piece]) -> tuple[Piece, ...]:
    """Return a caption's pieces, each with whether it stands in quotation marks."""
    found = [match.span() for match in QUOTATION.finditer(caption)]
    if not found:
        return tuple(pieces)
    return tuple(replace(one, is_quoted=any(a < one.start and one.end < b for a, b in found)) for one in pieces)


def is_quoted(tree: Tree, token: int) -> bool:
    """Return whether a token is part of what a sign says, or stands in quotation marks."""
    return tree[token].is_quoted or any(_says(tree, head) and head < token for head in tree.heads(token))


def _says(tree: Tree, verb: int) -> bool:
    """Return whether a verb says what is written on something: "says" of "a sign that says"."""
    if tree[verb].lemma not in SAYING or not tree[verb].tag.startswith("VB"):
        return False
    above = tree[verb].head
    nouns = [*tree.under(verb, "nsubj"), *([above] if tree[verb].relation == "acl" else [])]
    return any(singular(tree[k].text.split()[-1]) in WRITTEN for k in nouns)
