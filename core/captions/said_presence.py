"""Determine whether a sentence about a caption says that a thing is present or absent.

Explanations also name absent things: "there is no dog", "the caption does not mention the dog". A search for nouns
alone would count such a dog as present.

The result is called the stance. It is found in a dependency tree, upwards from each noun. Every denying word on the
path reverses the stance. So "does not fail to mention the dog", with two denials, does not mean that the dog is
missing.
"""

from dataclasses import dataclass, replace
from typing import Literal

from core.captions import meta_words
from core.captions.factual_conventions import RELATIVES
from core.captions.negated_words import (
    belongs_to_text,
    is_devoid_of,
    is_negated,
    is_partial,
    is_without,
    of_text_by,
    teller,
)
from core.captions.tree import HIGHEST_CLIMB, Tree

# What a text says about a thing. said: it is in the picture. denied: it is not in the picture. lacking: it is in the
# picture, but the caption does not mention it. reported: only that the caption mentions it.
Stance = Literal["said", "denied", "lacking", "reported"]
DENIALS: tuple[Stance, ...] = ("denied", "lacking")


def is_thing(tree: Tree, index: int) -> bool:
    """Return whether a token names a thing.

    "mentions" in "the set mentions" is a verb, even if the tagger calls it a noun.
    """
    is_verb = bool(tree.under(index, "nsubj")) and not tree.under(index, "cop", "case")
    after_text = index > 0 and tree[index - 1].text in meta_words.TEXTS
    is_verb = is_verb or (after_text and tree[index].text[:-1] in meta_words.TELLING | meta_words.MISSING | {"share"})
    is_word = not tree[index].tag.startswith("PRP") and tree[index].text not in meta_words.NOT
    return tree.is_entity(index) and is_word and not is_verb


@dataclass(frozen=True, slots=True)
class _Way:
    """The denials found on the path from a noun up to the root of the tree."""

    denied: bool = False
    of_text: bool = False  # True: the sentence is about what the caption mentions or lacks, not about the picture
    is_reported: bool = False
    is_definite: bool = False  # True: the noun is definite ("the dog"), so it is present even if the verb is denied
    settled: bool = False  # True: a clause after the noun says if it is there: "a dog, which is not in the picture"

    def turned(self, times: int = 1, of_text: bool = False) -> "_Way":
        return replace(self, denied=self.denied != bool(times % 2), of_text=self.of_text or of_text)


def stance_of(tree: Tree, noun: int) -> Stance:
    """Return what the sentence says about a noun's thing.

    The result is "said" (the thing is in the picture), "denied" (it is not), "lacking" or "reported". "lacking": the
    thing is in the picture, but not in the caption. "reported": the sentence only says that the caption mentions it.
    Lists of nouns ("no dog or cat") are not considered here.
    """
    way = _up(tree, noun, _Way(is_definite=_is_definite(tree, noun)))
    if way.denied:
        return "lacking" if way.of_text else "denied"
    return "reported" if way.is_reported else "said"


def _is_definite(tree: Tree, noun: int) -> bool:
    owned = tree.under(noun, "nmod:poss")
    return (
        bool(owned)
        or tree[noun].role == "nmod:poss"
        or any(tree[k].text in meta_words.DEFINITE for k in tree.under(noun, "det"))
    )


def _up(tree: Tree, noun: int, way: _Way) -> _Way:
    """Go up the tree from a noun, and collect the denials of its thing.

    Stops at the first word that does not concern whether the thing is present.
    """
    way = _among_own_words(tree, noun, way)
    if way.settled:
        return way
    node = noun
    for _ in range(HIGHEST_CLIMB):
        head = tree[node].head
        if head == node:
            return _predicate(tree, node, way) if node == noun else way
        above = _above_noun if is_thing(tree, head) and not tree.under(head, "cop") else _above_verb
        way, goes_on = above(tree, node, head, way)
        if not goes_on:
            return way
        node = head
    return way


def _among_own_words(tree: Tree, noun: int, way: _Way) -> _Way:
    """Collect the denials among the words that depend on a noun.

    Examples: "no dog", "not a dog", "without a dog", "instead of a dog", "a dog is missing".
    """
    own = [k for k in tree.children[noun] if k < noun]
    words = [tree[k].text for k in own if tree[k].relation in ("det", "cc", "advmod", "nummod")]
    no = any(word in meta_words.NO for word in words) and not (tree.under(noun, "cop") and "nor" in words)
    is_not = any(tree[k].text == "not" and not is_partial(tree, k) for k in own) and not tree.under(noun, "cop")
    way = way.turned(no + is_not + is_without(tree, noun))
    if any(tree[k].text in meta_words.ABSENT for k in tree.under(noun, "amod")):
        way = way.turned()
    for verb in tree.under(noun, "acl"):
        way = _said_after(tree, verb, way)
    return way


def _said_after(tree: Tree, verb: int, way: _Way) -> _Way:
    """Collect the denial that a clause after a noun states, if any.

    Examples: "a dog that is not mentioned", "a dog missing from the caption". In "a dog described in the caption", the
    clause denies nothing. The thing is then marked as reported, because only the caption mentions it.
    """
    subjects = tree.under(verb, "nsubj")
    if (
        any(tree[k].text not in RELATIVES for k in subjects)
        or tree[verb].lemma not in meta_words.THERE | meta_words.MISSING
    ):
        return way
    if not subjects and tree[verb].tag != "VBN" and tree[verb].lemma not in meta_words.MISSING:
        return way
    if tree.under(verb, "obj"):
        return way
    of_text = of_text_by(tree, verb)
    if tree[verb].lemma in meta_words.MISSING:
        denied = not is_negated(tree, verb)
        return replace(way, denied=denied, of_text=of_text or tree[verb].lemma == "omit", settled=denied)
    if is_negated(tree, verb):
        return replace(way, denied=True, of_text=of_text, settled=True)
    return replace(way, is_reported=way.is_reported or (of_text and tree[verb].tag == "VBN"))


def _above_noun(tree: Tree, node: int, noun: int, way: _Way) -> tuple[_Way, bool]:
    """Go up the tree from a word to a noun, and collect denials.

    Examples: in "no sign of a dog", "no" denies the dog. In "no man with a racket", "no" denies the racket. Also
    returns whether to go further up the tree.
    """
    role, text = tree[node].relation, tree[noun].text
    if role == "conj":
        own = {tree[k].text for k in tree.under(node, "cc")}
        if "but" in own:
            return way, False
        if "nor" in own and way.denied:
            return way, True  # the second noun is denied too: "neither a dog nor a cat"
        shares = bool({"or", "nor"} & own) or not tree.under(node, "det")
        return (_among_own_words(tree, noun, way) if shares else way), True
    if text in meta_words.LACKS and role == "nmod":
        way = way.turned(of_text=belongs_to_text(tree, noun))
        return _among_own_words(tree, noun, replace(way, is_definite=False)), True
    if text in meta_words.ABOUT and role in ("nmod", "acl"):
        way = replace(way, is_definite=False, of_text=way.of_text or text in meta_words.OF_THE_TEXT)
        return _among_own_words(tree, noun, way), True
    if way.denied or way.is_definite or role not in ("nmod", "acl", "appos"):
        return way, False
    return _among_own_words(tree, noun, replace(way, is_definite=_is_definite(tree, noun))), True


def _above_verb(tree: Tree, node: int, verb: int, way: _Way) -> tuple[_Way, bool]:
    """Go up the tree from a word to a verb, and collect denials.

    Example: in "does not mention the dog", "not" denies the mention of the dog. Also returns whether to go further up
    the tree.
    """
    role, lemma = tree[node].relation, tree[verb].lemma
    if role == "nsubj":
        way = _of_subject(tree, node, verb, way)
        return way, tree[verb].relation == "ccomp"
    if role in ("advcl", "parataxis", "vocative") or (role == "conj" and not continues(tree, node, verb)):
        return way, False
    by = teller(tree, verb)
    of_text = by == "text" and lemma in meta_words.TELLING | meta_words.SHOWING | meta_words.MISSING
    times = int(_denies(tree, node, verb, by, way))
    times += lemma in meta_words.MISSING and role in ("obj", "ccomp", "obl")
    times += lemma in meta_words.FAILING and role == "xcomp"
    times += is_devoid_of(tree, verb, node)
    times += tree[verb].text in meta_words.ABSENT and role in ("obj", "dep") and lemma not in meta_words.MISSING
    times += is_without(tree, verb)
    way = way.turned(times, of_text)
    if of_text and lemma in meta_words.TELLING and role in ("obj", "ccomp", "obl"):
        how = {tree[k].text for k in tree.under(verb, "advmod")}
        may = {tree[k].text for place in (verb, tree[verb].head) for k in tree.under(place, "aux")} & meta_words.MAY
        way = replace(
            way, is_reported=not (may or how & (meta_words.RIGHTLY | meta_words.NOT)) or lemma in meta_words.MISSING
        )
    upwards = tree[verb].relation
    if upwards == "conj":
        return way, not is_negated(tree, verb)
    return way, upwards in ("xcomp", "ccomp") or (upwards == "acl" and not way.denied and not is_without(tree, verb))


def _of_subject(tree: Tree, node: int, verb: int, way: _Way) -> _Way:
    """Collect what the predicate says about its subject: "is not visible", "is missing", "there are no dogs"."""
    token = tree[verb]
    if token.lemma in meta_words.MISSING and not tree.under(verb, "obj") or token.text in meta_words.ABSENT:
        if tree.under(verb, "obj"):
            return way
        return way.turned(1 + is_negated(tree, verb), of_text=of_text_by(tree, verb) or token.lemma == "omit")
    if not is_negated(tree, verb):
        is_told = token.lemma in meta_words.TELLING and token.tag == "VBN" and of_text_by(tree, verb)
        return replace(way, is_reported=way.is_reported or (is_told and tree[node].role == "nsubj:pass"))
    in_picture = tree[verb].text in meta_words.SHOWN | meta_words.TEXTS and bool(tree.preposition(verb))
    is_passive = tree[node].role == "nsubj:pass" and token.lemma in meta_words.THERE
    is_there = (
        (token.text in meta_words.THERE and not tree.under(verb, "obj"))
        or token.lemma in ("appear", "exist")
        or in_picture
    )
    if tree.under(verb, "expl") or is_passive or is_there:
        return way.turned(of_text=of_text_by(tree, verb) or tree[verb].text in meta_words.TEXTS)
    return way


def _denies(tree: Tree, node: int, verb: int, by: str, way: _Way) -> bool:
    """Return whether a negated verb denies a thing that the sentence names.

    node: the word that connects the thing to the verb in the tree. by: who says or shows something: "text" (the
    caption), "picture" or "other".
    """
    if not is_negated(tree, verb):
        return False
    lemma, role = tree[verb].lemma, tree[node].relation
    if role in ("xcomp", "ccomp", "conj"):
        return True
    if by == "text":
        return lemma in meta_words.TELLING | meta_words.SHOWING | meta_words.MISSING or (lemma == "be")
    if by == "picture":
        return lemma in meta_words.SHOWING | meta_words.MISSING | meta_words.TELLING
    return not way.is_definite and role in ("obj", "obl") or is_devoid_of(tree, verb, node)


def _predicate(tree: Tree, noun: int, way: _Way) -> _Way:
    """Collect the denial if the noun is a denied predicate: "it is not a dog"."""
    is_denied = bool(tree.under(noun, "cop")) and is_negated(tree, noun)
    return way.turned(int(is_denied and not (way.is_definite and tree.preposition(noun))))


def continues(tree: Tree, verb: int, first: int) -> bool:
    """Return whether a verb continues an earlier verb of the same clause.

    Example: "describe" in "does not mention the dog or describe the cat". The "not" applies to both verbs.
    """
    if tree.under(verb, "nsubj"):
        return False
    own = {tree[k].text for k in tree.under(verb, "cc")}
    return bool({"or", "nor"} & own) or (tree[verb].tag == "VB" == tree[first].tag and "but" not in own)
