"""A caption's dependency tree, as plain values for the rules that find the caption's facts.

Tags are from the Penn Treebank, relations from Universal Dependencies (https://universaldependencies.org/u/dep/).
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from core.captions.caption_pieces import PieceKind
from core.captions.factual_conventions import BE, ONLY_PREPOSITIONS, PREPOSITIONS, PRONOUNS, VERBS

PARTS_OF_NOUNS = frozenset({"compound", "flat", "goeswith"})
NOT_VERBS = frozenset({"aux", "cop", "amod", "compound", "case"})
CLAUSE_ROLES = {"nmod": "obl"}  # key: a word's role under a noun; value: its role if the noun is actually a verb
ONE = frozenset({"a", "an", "one", "this", "that"})  # words which show that the noun after them is singular
HIGHEST_CLIMB = 8  # maximum number of heads to climb from a word, because longer chains are the parser's errors


@dataclass(frozen=True, slots=True)
class Token:
    """One word of a caption in the dependency tree, or several words with one meaning."""

    text: str  # the word, in lower case, as the FACTUAL corpus would write it
    lemma: str
    tag: str
    head: int  # index of its governor; the root governs itself
    role: str  # relation to its governor, "nmod:poss"; "ROOT" for the root
    start: int  # index of the first character in the caption
    end: int  # exclusive
    kind: PieceKind = "word"
    seen: str = ""  # the word that the parser read, e.g. "she", if `text` is another word, e.g. "woman"
    is_person: bool = False

    @property
    def relation(self) -> str:
        """Return the token's dependency relation without its subtype: "nsubj" for "nsubj:pass"."""
        return self.role.partition(":")[0]


@dataclass(frozen=True, slots=True)
class Tree:
    """The tokens of one sentence, and the head of each (the token above it in the tree)."""

    tokens: tuple[Token, ...]
    children: tuple[tuple[int, ...], ...]  # children of each token, in the caption's order

    def __getitem__(self, index: int) -> Token:
        return self.tokens[index]

    def __len__(self) -> int:
        return len(self.tokens)

    def under(self, index: int, *roles: str) -> list[int]:
        """Return the dependents of a token that have one of the given relations to it.

        roles: the relations. A relation without a subtype ("nsubj") includes its subtypes ("nsubj:pass").
        """
        tokens = self.tokens
        return [k for k in self.children[index] if tokens[k].role in roles or tokens[k].relation in roles]

    def is_noun(self, index: int) -> bool:
        """Return whether a token names a thing. Returns False for pronouns."""
        token = self[index]
        if token.kind in ("preposition", "measure") or token.text in PRONOUNS:
            return False
        return (
            token.kind == "name"
            or token.tag.startswith("NN")
            or (token.kind == "thing" and token.tag[:2] not in ("VB", "JJ"))
        )

    def is_entity(self, index: int) -> bool:
        """Return whether a token is a separate thing, not a component of another thing's name."""
        return self.is_noun(index) and self[index].relation not in PARTS_OF_NOUNS

    def is_verb(self, index: int) -> bool:
        """Return whether a token is a full verb."""
        token = self[index]
        return token.kind == "word" and token.tag.startswith("VB") and token.relation not in NOT_VERBS

    def is_be(self, index: int) -> bool:
        """Return whether a token is a form of "be"."""
        return self[index].text in BE

    def coordinated(self, index: int) -> list[int]:
        """Return a noun, followed by the nouns that depend on it and are joined to it with "and"."""
        joined = [k for k in self.under(index, "conj") if self.is_noun(k)]
        return [index] + [noun for k in joined for noun in self.coordinated(k)]

    def company(self, index: int) -> list[int]:
        """Return a noun and all nouns joined with it by "and", in order of the caption."""
        first = index
        while self[first].relation == "conj" and self.is_noun(self[first].head) and self[first].head != first:
            first = self[first].head
        return self.coordinated(first)

    def heads(self, index: int) -> Iterator[int]:
        """Yield the heads of a token (the tokens above it in the tree), nearest first, up to the root."""
        for _ in range(HIGHEST_CLIMB):
            if self[index].head == index:
                return
            index = self[index].head
            yield index

    def preposition(self, index: int) -> str:
        """Return the preposition before a token, in the FACTUAL corpus's wording.

        Returns "" if there is no preposition.
        """
        cases = [k for k in self.under(index, "case") if k < index and not self[k].text.startswith("'")]
        parts = sorted({part for k in cases for part in (k, *self.under(k, "fixed"))})
        written = " ".join(self[part].text for part in parts)
        return PREPOSITIONS.get(written, written)

    def verb(self, index: int) -> str:
        """Return a verb's lemma in the wording of the FACTUAL corpus."""
        token = self[index]
        return VERBS.get(token.text) or VERBS.get(token.lemma, token.lemma)

    def span(self, indices: Sequence[int]) -> tuple[int, int]:
        """Return the shortest part of the caption that contains these tokens, as (start, end) in characters."""
        return min(self[index].start for index in indices), max(self[index].end for index in indices)


def with_verbs(tokens: Sequence[Token]) -> list[Token]:
    """Return the tokens, with corrected tags for verbs that the tagger mistook for plural nouns.

    Example: "burns" in "a fire burns". A plural noun cannot follow "a", so "burns" must be a verb.
    """
    mended = list(tokens)
    dependents = children(tokens)
    for verb, token in enumerate(tokens):
        noun, below = verb - 1, dependents[verb]
        alone = any(tokens[k].text in ONE and tokens[k].role in ("det", "nummod") for k in below)
        if token.tag != "NNS" or token.role != "ROOT" or token.lemma == token.text or not alone or noun not in below:
            continue
        if not tokens[noun].tag.startswith("NN") or tokens[noun].role not in PARTS_OF_NOUNS | {"amod"}:
            continue
        if any(tokens[k].kind == "measure" or tokens[k].relation == "acl" for k in below):
            continue  # "glass bowls" is no clause in "a couple of glass bowls sitting on a counter"
        mended[verb] = replace(token, tag="VBZ")
        for k in below:
            head, role = (
                (noun, tokens[k].role) if k < noun else (verb, CLAUSE_ROLES.get(tokens[k].role, tokens[k].role))
            )
            mended[k] = replace(tokens[k], head=head, role="nsubj" if k == noun else role)
    return mended


def with_prepositions(tokens: Sequence[Token]) -> list[Token]:
    """Return the tokens, with prepositions attached to their nouns.

    The tagger mistakes some prepositions for verbs: "beside" in "stands beside a bed".
    """
    mended = list(tokens)
    for place, token in enumerate(tokens):
        above, heads = tokens[token.head], (place, token.head)
        if token.text not in ONLY_PREPOSITIONS or not token.tag.startswith("VB") or above is token:
            continue
        behind = range(place + 1, len(tokens))
        noun = next((k for k in behind if tokens[k].role in ("obj", "obl") and tokens[k].head in heads), None)
        if noun is None:
            continue
        role = "obl" if above.tag.startswith("VB") else "nmod"
        mended[noun] = replace(tokens[noun], head=token.head, role=role)
        mended[place] = replace(token, tag="IN", head=noun, role="case")
    return mended


def tree(tokens: Sequence[Token]) -> Tree:
    """Return the tree of the tokens."""
    tokens = with_prepositions(with_verbs(tokens))
    return Tree(tuple(tokens), tuple(map(tuple, children(tokens))))


def children(tokens: Sequence[Token]) -> list[list[int]]:
    """Return the dependents of each token, in order of the caption."""
    found: list[list[int]] = [[] for _ in tokens]
    for index, token in enumerate(tokens):
        if token.head != index:
            found[token.head].append(index)
    return found
