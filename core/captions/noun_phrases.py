"""Things that a sentence names, and whether the sentence says that they are present.

The parser sometimes fails to join the nouns of a list ("no dog, cat or bird"). So this module treats the nouns of a
list in the same way: all of them are denied, or none is.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from core.captions import meta_words
from core.captions.factual_conventions import RELATIVES
from core.captions.said_presence import DENIALS, Stance, is_thing, stance_of
from core.captions.tree import Tree

OF_NOUNS = ("compound", "amod", "nummod")


@dataclass(frozen=True, slots=True)
class NounPhrase:
    """A thing that a sentence names, and whether the sentence says that it is present."""

    text: str  # the noun with the nouns before it, e.g. "tennis racket", in lower case
    start: int  # index of the first character of the noun or of its adjectives and numbers
    end: int  # exclusive
    stance: Stance


def noun_phrases(tree: Tree) -> tuple[NounPhrase, ...]:
    """Return the things that a sentence names, in the sentence's order.

    Nouns about the text itself, such as "caption", are skipped.
    """
    nouns = [k for k in range(len(tree)) if is_thing(tree, k)]
    stances = [stance_of(tree, noun) for noun in nouns]
    for place in range(1, len(nouns)):  # the parser misses some lists, so search them again for denied nouns
        if stances[place] == "said":
            stances[place] = _of_its_list(tree, nouns, stances, place)
    for place, noun in enumerate(nouns):  # "which" denies both nouns: "a jet and a fountain, which are not mentioned"
        if _is_of_several(tree, noun) and stances[place] in DENIALS:
            for other in _list_around(tree, nouns, place):
                stances[other] = stances[place]
    return tuple(
        _phrase(tree, noun, stance)
        for noun, stance in zip(nouns, stances, strict=True)
        if tree[noun].text not in meta_words.TALK
    )


def _phrase(tree: Tree, noun: int, stance: Stance) -> NounPhrase:
    named = " ".join(tree[k].text for k in (*_right_before(tree, noun, "compound"), noun))
    return NounPhrase(named, *tree.span((*_right_before(tree, noun, *OF_NOUNS), noun)), stance)


def _of_its_list(tree: Tree, nouns: Sequence[int], stances: Sequence[Stance], place: int) -> Stance:
    """Return what a sentence says about a thing in a list.

    The result is a stance: "said" (the thing is present), "denied", "lacking" … Usually, a noun has the same stance as
    the noun before it in the list. After "details such as", it has the stance of the noun "details".
    """
    noun, left = nouns[place], _words_before(tree, nouns[place])
    if tree[noun].role == "nmod:poss":  # the noun is an owner: "the truck's colour"
        return "said"
    if left[-2:] == ["such", "as"] or left[-1:] == ["including"]:  # true for "flag" in "details, such as the flag"
        talks = (stances[k] for k in range(place) if tree[nouns[k]].text in meta_words.TALK and stances[k] in DENIALS)
        return next(talks, "said")
    before = next(
        (k for k in reversed(range(place)) if not tree.under(nouns[k], "case") or _opens_list(tree, nouns[k])), None
    )
    if before is None or stances[before] not in DENIALS or not {",", "or", "nor"} & set(left[-2:]):
        return "said"
    is_apart = any(tree.is_verb(k) or tree[k].text in RELATIVES for k in range(nouns[before] + 1, noun))
    return "said" if is_apart or _is_subject(tree, noun) else stances[before]


def _list_around(tree: Tree, nouns: Sequence[int], place: int) -> range:
    """Return the indices of all nouns in one noun's list.

    place: the index of the one noun. All indices refer to `nouns`.
    """
    first = last = place
    while first and _goes_on(tree, nouns[first - 1], nouns[first]):
        first -= 1
    while last + 1 < len(nouns) and _goes_on(tree, nouns[last], nouns[last + 1]):
        last += 1
    return range(first, last + 1)


def _goes_on(tree: Tree, before: int, noun: int) -> bool:
    """Return whether a noun directly follows another noun in a list."""
    first = min(_right_before(tree, noun, *OF_NOUNS), default=noun)
    between = [tree[k].text for k in range(before + 1, first)]
    return (
        bool({",", "and", "or"} & set(between))
        and meta_words.IN_LISTS.issuperset(between)
        and not _is_subject(tree, noun)
    )


def _opens_list(tree: Tree, noun: int) -> bool:
    """Return whether a noun after a preposition can begin a list.

    Examples: "the child" in "details about the child", "the flag" in "objects such as the flag".
    """
    return bool({"about", "such", "as", "on", "of"} & {tree[k].text for k in tree.under(noun, "case")}) and (
        tree[tree[noun].head].text in meta_words.TALK or "such" in {tree[k].text for k in tree.under(noun, "case")}
    )


def _is_of_several(tree: Tree, noun: int) -> bool:
    """Return whether a noun has a relative clause in the plural.

    Example: "..., which are". Such a clause describes several nouns of a list.
    """
    clauses = [k for k in tree.under(noun, "acl") if any(tree[w].text in RELATIVES for w in tree.under(k, "nsubj"))]
    return any(tree[k].text in ("are", "were") for clause in clauses for k in tree.under(clause, "aux", "cop"))


def _is_subject(tree: Tree, noun: int) -> bool:
    return tree[noun].relation == "nsubj" and tree[tree[noun].head].tag in ("VBZ", "VBP", "VBD", "VBG")


def _words_before(tree: Tree, noun: int) -> list[str]:
    """Return the words of the sentence that stand before a noun and its adjectives, without most articles."""
    first = min(_right_before(tree, noun, *OF_NOUNS), default=noun)
    return [tree[k].text for k in range(first) if tree[k].text not in meta_words.ARTICLES or k < first - 2]


def _right_before(tree: Tree, noun: int, *relations: str) -> list[int]:
    """Return the dependents of a noun that stand directly before it, without other words between.

    relations: only dependents with these relations count.
    """
    wanted, place = tree.under(noun, *relations), noun
    while place - 1 in wanted:
        place -= 1
    return list(range(place, noun))
