"""The meaning of a caption's pronouns ("she", "it", "them", "one"), if it is certain.

The meaning is certain if the pronoun can refer to only one thing before it. Otherwise the fact with the pronoun is
dropped. Only a fact with "she" is kept, with "woman" in place of the pronoun.
"""

from core.captions.factual_conventions import PICTURES, TIMES
from core.captions.tree import Tree
from core.captions.word_splitting import singular

PERSONAL = frozenset("he she they him her it them one".split())
OF_MEN = frozenset("man boy guy father son brother husband gentleman groom king prince grandfather lad".split())
OF_WOMEN = frozenset("woman girl lady mother daughter sister wife bride queen princess grandmother waitress".split())
OF_SEVERAL = frozenset({"they", "them"})
COLLECTIVE = frozenset("people children men women couple group team family crowd band".split())


def names_thing(tree: Tree, token: int) -> bool:
    """Return whether a token is a noun, or a pronoun that certainly refers to one."""
    return tree.is_noun(token) or meaning(tree, token) is not None


def meaning(tree: Tree, pronoun: int) -> int | None:
    """Return the noun that a pronoun refers to.

    Returns None if that is uncertain, or if the token is not a pronoun.
    """
    word = tree[pronoun].seen
    if is_further(tree, pronoun):
        return _first_of_kind(tree, pronoun)
    if word not in PERSONAL or tree[pronoun].role == "nmod:poss":
        return None
    if word == "one" and (tree[pronoun].relation != "nsubj" or tree.under(pronoun, "nmod", "acl")):
        return None
    verb = _clause(tree, pronoun)
    if tree[pronoun].relation == "nmod" or tree[verb].lemma == "have":
        return None  # facts_of_tree.py resolves this pronoun: "it" in "a table with food on it"
    own = [k for k in tree.under(verb, "nsubj", "obj") if k != pronoun]
    fitting = [k for k in range(pronoun) if tree.is_entity(k) and k not in own and _fits(tree, k, word)]
    if len(fitting) == 1:
        return fitting[0]
    role = tree[pronoun].relation
    alike = [k for k in fitting if tree[k].relation == role] if role in ("nsubj", "obj") else []
    if role in ("obl", "nmod") or (role == "obj" and not alike):
        alike = [k for k in fitting if tree[k].relation == "obj"]
    return alike[0] if len(alike) == 1 else None


def is_further(tree: Tree, token: int) -> bool:
    """Return whether a token means one more thing of a kind that the caption named: "another", "the other"."""
    text, before = tree[token].text, tree[token - 1].text if token else ""
    if text not in ("another", "other") or (text == "other" and before != "the"):
        return False
    return tree[token].relation in ("nsubj", "obj", "obl", "nmod") and not tree.under(token, "nmod", "acl")


def _first_of_kind(tree: Tree, token: int) -> int | None:
    """Return the noun that "another" repeats: the subject of its clause, or else of the clause before it."""
    subjects = [k for k in range(token) if tree[k].relation == "nsubj" and tree.is_noun(k)]
    own = [k for k in subjects if tree[k].head == _clause(tree, token)]
    return next(reversed(own or subjects), None)


def _clause(tree: Tree, token: int) -> int:
    """Return the verb of the clause that contains a token; the token itself if there is no verb."""
    for head in (token, *tree.heads(token)):
        if tree.under(head, "nsubj") or tree.is_verb(head):
            return head
    return token


def _fits(tree: Tree, noun: int, word: str) -> bool:
    token = tree[noun]
    name = token.text.split()[-1]
    if token.seen in PERSONAL or token.text in PICTURES | TIMES:
        return False
    is_several = singular(name) != name or name in COLLECTIVE
    if word in OF_SEVERAL or word == "one":
        return is_several
    if is_several and name not in COLLECTIVE - {"people", "children", "men", "women"}:
        return False
    is_person = token.is_person or token.kind == "name"
    if word == "it":
        return not is_person
    others = OF_WOMEN if word in ("he", "him") else OF_MEN
    return is_person and name not in others
