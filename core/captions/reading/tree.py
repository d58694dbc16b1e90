"""A caption's dependency tree, as plain values for the rules that find the caption's facts.

Tags are from the Penn Treebank, relations from Universal Dependencies (https://universaldependencies.org/u/dep/).
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from core.captions.reading.factual import BE, ONLY_PREPOSITIONS, PICTURES, PREPOSITIONS, PRONOUNS, TIMES, VERBS
from core.captions.reading.pieces import PieceKind
from core.captions.reading.words import is_plural

PARTS_OF_NOUNS = frozenset({"compound", "flat", "goeswith"})
NOT_VERBS = frozenset({"aux", "cop", "amod", "compound", "case"})
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
    mended = with_prepositions(tokens)
    children: list[list[int]] = [[] for _ in mended]
    for index, token in enumerate(mended):
        if token.head != index:
            children[token.head].append(index)
    return Tree(tuple(mended), tuple(map(tuple, children)))


PERSONAL = frozenset("he she they him her it them one".split())
OF_MEN = frozenset("man boy guy father son brother husband gentleman groom king prince grandfather lad".split())
OF_WOMEN = frozenset("woman girl lady mother daughter sister wife bride queen princess grandmother waitress".split())
COLLECTIVE = frozenset("people children men women couple group team family crowd band".split())


def names_thing(tree: Tree, token: int) -> bool:
    """Return whether a token is a noun, or a pronoun that certainly refers to one."""
    return tree.is_noun(token) or meaning(tree, token) is not None


def meaning(tree: Tree, pronoun: int) -> int | None:
    """Return the noun that a pronoun ("she", "it", "them", "one") refers to.

    Returns None if more than one noun before it may be meant, or if the token is not a pronoun.
    """
    token, word = tree[pronoun], tree[pronoun].seen
    if word not in PERSONAL or token.role == "nmod:poss":
        return None
    if word == "one" and (token.relation != "nsubj" or tree.under(pronoun, "nmod", "acl")):
        return None
    verb, role = _clause(tree, pronoun), token.relation
    if role == "nmod" or tree[verb].lemma == "have":  # "it" in "a table with food on it" is the table
        above = [k for k in tree.heads(token.head) if tree.is_noun(k)] if tree.is_noun(token.head) else []
        return next(iter(above), None)
    own = [k for k in tree.under(verb, "nsubj", "obj") if k != pronoun]
    fitting = [k for k in range(pronoun) if tree.is_entity(k) and k not in own and _fits(tree, k, word)]
    if len(fitting) > 1:
        alike = [k for k in fitting if tree[k].relation == role] if role in ("nsubj", "obj") else []
        fitting = alike or [k for k in fitting if tree[k].relation == "obj" and role in ("obl", "nmod", "obj")]
    return fitting[0] if len(fitting) == 1 else None


def _clause(tree: Tree, token: int) -> int:
    """Return the verb of the clause that contains a token; the token itself if there is no verb."""
    return next((k for k in (token, *tree.heads(token)) if tree.under(k, "nsubj") or tree.is_verb(k)), token)


def _fits(tree: Tree, noun: int, word: str) -> bool:
    """Return whether a pronoun may refer to a noun: by number, and by sex if the noun states it."""
    token, name = tree[noun], tree[noun].text.split()[-1]
    if token.seen in PERSONAL or token.text in PICTURES | TIMES:
        return False
    is_several = is_plural(name) or name in COLLECTIVE
    if word in ("they", "them", "one"):
        return is_several
    if is_several and name not in COLLECTIVE - {"people", "children", "men", "women"}:
        return False
    is_person = token.is_person or token.kind == "name"
    if word == "it":
        return not is_person
    return is_person and name not in (OF_WOMEN if word in ("he", "him") else OF_MEN)
