"""Find the facts that a caption denies, and the things that it says are absent.

Examples are "no dog", "a man not wearing a hat", "nobody" and "a street empty of cars".
"""

from dataclasses import replace

from core.captions import meta_words
from core.captions.mention import Mention
from core.captions.negated_words import is_negated
from core.captions.said_presence import DENIALS, continues, stance_of
from core.captions.tree import Tree

REFUSING = meta_words.FAILING | {"refuse", "decline"}  # verbs that deny the verb after them: "refuses to jump"
# In captions these verbs deny nothing: "a tower overlooks a lake" says that the lake is there. In explanations they do.
NO_DENIAL = frozenset("overlook ignore skip miss neglect forget disregard".split())
NOBODY = {"nobody": "people", "anybody": "people", "anyone": "people"}  # pronoun -> the things that are absent


def with_denial(tree: Tree, mention: Mention) -> Mention:
    """Return the mention (a fact with its words), marked as denied if the caption denies the fact.

    A denied mention also names the absent things.
    """
    absent = tuple(thing for thing in mention.things if is_absent(tree, thing))
    if len(absent) > 1 and mention.fact.predicate in meta_words.WITHOUT:
        absent = absent[:1]  # "nobody is without a hat" denies no hat
    verb = None if follows_but(tree, mention.object) else mention.verb
    is_denied = bool(absent) or (verb is not None and is_verb_denied(tree, verb))
    return replace(mention, absent=absent, is_denied=is_denied) if is_denied else mention


def follows_but(tree: Tree, thing: int) -> bool:
    """Return whether "but" joins a thing to a denied thing: "floor" in "not on the desk but on the floor"."""
    return tree[thing].relation == "conj" and any(tree[k].text == "but" for k in tree.under(thing, "cc"))


def is_absent(tree: Tree, thing: int) -> bool:
    """Return whether the caption says that a thing is absent."""
    if tree[thing].text == "nobody" or any(tree[k].text in ("not", "n't") for k in tree.under(thing, "amod")):
        return True
    above = tree[tree[thing].head]
    if tree[thing].relation == "obj" and above.lemma in NO_DENIAL and above.text != "missing":
        return any(tree[k].text in meta_words.NO for k in tree.under(thing, "det"))
    if _lies_with_absent(tree, thing):
        return True
    return stance_of(tree, thing) in DENIALS and not is_in_name(tree, thing)


def _lies_with_absent(tree: Tree, thing: int) -> bool:
    """Return whether a thing depends on a verb's object that is absent.

    The verb must be one of NO_DENIAL, such as "overlook". Example: in "overlooks no lake with boats", the lake is
    absent and "boats" depends on "lake".
    """
    above = tree[thing].head
    is_with = tree[thing].relation == "nmod" and tree.preposition(thing) in ("with", "of", "full of")
    return (
        is_with
        and tree[above].relation == "obj"
        and tree[tree[above].head].lemma in NO_DENIAL
        and is_absent(tree, above)
    )


def is_in_name(tree: Tree, thing: int) -> bool:
    """Return whether "no" belongs to the thing's name, as in "a no parking sign"."""
    nos = [k for k in range(thing) if tree[k].text in meta_words.NO and tree[k].head == thing]
    return any(k and tree[k - 1].text in meta_words.ARTICLES for k in nos)


def is_verb_denied(tree: Tree, verb: int) -> bool:
    """Return whether a verb or predicate is denied.

    The denial can belong to the verb itself, or to the verb above it in the tree.
    """
    if is_negated(tree, verb):
        return True
    above = tree[verb].head
    if above == verb:
        return False
    if tree[verb].relation == "xcomp" and tree[above].lemma in REFUSING:
        return not is_verb_denied(tree, above)
    shares = tree[verb].relation == "xcomp" or (tree[verb].relation == "conj" and continues(tree, verb, above))
    return shares and is_verb_denied(tree, above)
