"""Denials of a caption: which facts it denies, which things it calls absent, and which of its words say so.

Examples are "no dog", "a man not wearing a hat", "nobody" and "a street empty of cars". Whether a thing is absent is
found in the dependency tree, upwards from the thing's noun.
"""

from collections.abc import Sequence

from core.captions.reading.factual import ARTICLES, PICTURES
from core.captions.reading.tree import Tree

NO = frozenset("no neither nor zero".split())  # before a noun
NOT = frozenset("not n't never neither nor cannot".split())  # before a verb
PARTLY = frozenset("only just simply merely necessarily all every always entirely fully".split())  # "not only a dog"
WITHOUT = frozenset("without minus sans excluding lacking".split())
INSTEAD = ("instead of", "rather than")
ABSENT = frozenset("absent missing invisible".split())
THERE = frozenset("visible present there seen shown found exist".split())
DEVOID = frozenset("devoid void free bereft empty emptied clear cleared bare stripped".split())  # before "of"
DEFINITE = frozenset("the this that these those his her its their".split())
NOBODY = {"nobody": "people", "anybody": "people", "anyone": "people"}  # pronoun -> the things that are absent
DENYING = NO | NOT | WITHOUT | DEVOID | {"nobody", "none"}  # words that deny something in the caption itself


def have_denial(texts: Sequence[str]) -> bool:
    """Return whether words contain a denial. "Empty" denies something only before "of": "empty of cars"."""
    pairs = zip(texts, (*texts[1:], ""), strict=False)
    return any(text in DENYING and (text not in DEVOID or after in ("of", "from")) for text, after in pairs)


def is_absent(tree: Tree, thing: int) -> bool:
    """Return whether the caption says that a thing is absent."""
    if _is_denied_itself(tree, thing):
        return True
    is_definite, node = _is_definite(tree, thing), thing
    for head in tree.heads(thing):
        role = tree[node].relation
        if tree.is_entity(head) and not tree.under(head, "cop"):
            joining = {tree[k].text for k in tree.under(node, "cc")}
            shares = role == "conj" and "but" not in joining
            shares = shares and (bool({"or", "nor"} & joining) or not tree.under(node, "det"))
            if not shares and (is_definite or role not in ("nmod", "acl", "appos")):
                return False
            if _is_denied_itself(tree, head):  # "no" in "no man with a racket" denies the racket
                return True
            is_definite = is_definite or _is_definite(tree, head)
        elif role == "nsubj":
            return _is_said_absent(tree, head)
        else:
            if role in ("advcl", "parataxis", "conj"):
                return False
            reaches = not is_definite or role in ("xcomp", "ccomp")
            if is_devoid_of(tree, head, node) or is_without(tree, head) or (reaches and is_negated(tree, head)):
                return True
            if tree[head].relation not in ("xcomp", "ccomp", "acl"):
                return False
        node = head
    is_predicate = node == thing and bool(tree.under(node, "cop"))  # "it is not a dog"
    return is_predicate and is_negated(tree, node) and not (is_definite and tree.preposition(node))


def _is_denied_itself(tree: Tree, noun: int) -> bool:
    """Return whether words that depend on a noun deny it: "no dog", "not a dog", "instead of a dog"."""
    if tree[noun].text == "nobody" or is_without(tree, noun):
        return True
    is_predicate = bool(tree.under(noun, "cop"))
    for k in tree.children[noun]:
        text, before = tree[k].text, tree[k - 1].text if k else ""
        if text in NO and k < noun and before not in ARTICLES and not (is_predicate and text == "nor"):
            return True  # but not "a no parking sign"
        if text in ("not", "n't") and k < noun and not is_predicate and not _is_partial(tree, k):
            return True
        if text in ABSENT and tree[k].relation == "amod":
            return True
    return False


def _is_said_absent(tree: Tree, verb: int) -> bool:
    """Return whether a predicate calls its subject absent: "is missing", "is not visible", "there are not any dogs"."""
    token, negated = tree[verb], is_negated(tree, verb)
    if token.text in ABSENT and not tree.under(verb, "obj"):
        return not negated
    in_picture = token.text in PICTURES and bool(tree.preposition(verb))
    return negated and (bool(tree.under(verb, "expl")) or token.text in THERE or in_picture)


def _is_definite(tree: Tree, noun: int) -> bool:
    is_owned = bool(tree.under(noun, "nmod:poss")) or tree[noun].role == "nmod:poss"
    return is_owned or any(tree[k].text in DEFINITE for k in tree.under(noun, "det"))


def is_negated(tree: Tree, verb: int) -> bool:
    """Return whether a word like "not" belongs to a verb. Partial denials ("not only") do not count."""
    nots = {k for k in tree.children[verb] if tree[k].text in NOT and not _is_partial(tree, k)}
    before = verb - 1
    while before >= 0 and (tree[before].relation in ("aux", "advmod") or tree[before].text == "cannot"):
        nots |= {before} if tree[before].text == "cannot" else set()
        before -= 1
    return len(nots) % 2 == 1


def _is_partial(tree: Tree, word: int) -> bool:
    return word + 1 < len(tree) and tree[word + 1].text in PARTLY


def is_without(tree: Tree, word: int) -> bool:
    """Return whether a word depends on "without", "instead of" or a similar word before it."""
    before = [k for k in tree.under(word, "case", "mark", "cc") if k < word]
    marks = sorted({part for k in before for part in (k, *tree.under(k, "fixed"))})
    return any(tree[k].text in WITHOUT for k in marks) or " ".join(tree[k].text for k in marks) in INSTEAD


def is_devoid_of(tree: Tree, word: int, thing: int) -> bool:
    """Return whether a word such as "empty" says that a place lacks a thing: "empty of cars", "free from snow"."""
    return tree[word].text in DEVOID and thing in lacked(tree, word)


def lacked(tree: Tree, word: int) -> list[int]:
    """Return the nouns after "of" or "from" that depend on a word: "cars" of "empty of cars"."""
    return [k for k in tree.under(word, "obl", "nmod") if tree.preposition(k) in ("of", "from")]


def is_verb_denied(tree: Tree, verb: int) -> bool:
    """Return whether a verb or predicate is denied, by its own words or by the verb above it in the tree."""
    if is_negated(tree, verb):
        return True
    above = tree[verb].head
    return tree[verb].relation == "xcomp" and above != verb and is_verb_denied(tree, above)
