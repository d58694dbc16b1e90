"""Rules that edit a parsed caption: things, colours, numbers and relations.

Each rule makes one kind of edit. It returns which parts of the caption are replaced, and by what. It returns () if no
edit of this kind gives correct English.
"""

import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from core.captions import probe_words as lists
from core.captions.factual_conventions import COLOURS, OWNED, PICTURES, RELATIVES, TIMES, WORN_IN
from core.captions.nouns import NounTable
from core.captions.replacements import Replacement, exchanged, removed
from core.captions.tree import ONE, PARTS_OF_NOUNS, Tree
from core.captions.word_forms import article, like, plural
from core.captions.word_splitting import singular

NAMING = ("NN", "JJ", "CD")  # tags of words that belong to a thing's name


@dataclass(frozen=True, slots=True)
class Read:
    """A caption with its parse trees, as input of the rules."""

    caption: str
    trees: tuple[Tree, ...]  # syntax trees of the caption's sentences
    said: frozenset[str]  # words, singular and in lower case, of the caption and of other texts about the picture
    nouns: NounTable
    random: random.Random

    def tokens(self) -> Iterator[tuple[Tree, int]]:
        """Yield every token with its tree, in a random order."""
        every = [(tree, index) for tree in self.trees for index in range(len(tree))]
        yield from self.random.sample(every, len(every))

    def new(self, words: Sequence[str], instead: str = "") -> str | None:
        """Return a random noun of `words` that no text about the picture uses; None if all are used.

        instead: the noun that is replaced. The new noun is neither a kind nor a wider kind of this noun.
        """
        fit = [word for word in words if not self._says(word) and not (instead and self._is_kind(word, instead))]
        return self.random.choice(fit) if fit else None

    def _says(self, noun: str) -> bool:
        return noun in self.said or any(self._is_kind(noun, word) for word in self.said)

    def _is_kind(self, noun: str, other: str) -> bool:
        """Return whether `other` is the same as `noun`, or names a wider kind: "animal" for "dog"."""
        return self.nouns.naming(other, noun, likeliest=True) in ("is", "wider")


def thing_exchanged(read: Read) -> Sequence[Replacement]:
    """Exchange a thing for another thing of its group: a man for a woman, a bus for a train."""
    for tree, noun in read.tokens():
        others = _others(read, tree, noun)
        other = read.new(others, singular(tree[noun].text)) if others else None
        if other is not None:
            start, end = tree.span([*_compound(tree, noun), noun])
            return exchanged(read.caption, start, end, plural(other) if _is_plural(tree, noun) else other)
    return ()


def thing_left_out(read: Read) -> Sequence[Replacement]:
    """Remove a thing with its preposition and all words that depend on it: "on a bench"."""
    for tree, noun in read.tokens():
        below = _subtree(tree, noun)
        if not _is_thing(tree, noun) or tree[noun].relation not in ("nmod", "obl") or not _may_go(tree, noun, below):
            continue
        start, end = tree.span(below)
        return (removed(read.caption, start, end),)
    return ()


def thing_added(read: Read, start: int, end: int) -> Sequence[Replacement]:
    """Add an object to the end of the caption's first sentence.

    No text about the picture names this object. start: the position of the sentence's first character. end: the
    position after its last character.
    """
    thing = read.new(lists.ADDED)
    marks = re.search(r"[\s.!?,;:]*\Z", read.caption[start:end])
    if thing is None or marks is None:
        return ()
    place, preposition = start + marks.start(), "near" if "next to" in read.caption.lower() else "next to"
    return (Replacement(place, place, f" {preposition} {article(thing)} {thing}"),) if place > start else ()


def colour_changed(read: Read) -> Sequence[Replacement]:
    """Change the colour of a thing.

    Colours of people are not changed, nor colours joined to another colour ("black and white").
    """
    for tree, word in read.tokens():
        token, thing = tree[word], tree[tree[word].head]
        if token.text not in lists.COLOURED or token.relation not in ("amod", "compound"):
            continue
        if token.relation == "compound" and token.text == "orange" and thing.text in ("juice", "tree", "slice"):
            continue
        if thing.is_person or not tree.is_noun(token.head) or _is_joined(tree, word):
            continue
        is_animal = read.nouns.naming(thing.text, "animal", likeliest=True) == "is"
        same = {token.text}.union(*(one for one in lists.SAME_COLOUR if token.text in one))
        colours = [one for one in (lists.COATS if is_animal else lists.HUES) if one not in same | read.said]
        if colours:
            return exchanged(read.caption, token.start, token.end, read.random.choice(colours))
    return ()


def number_changed(read: Read) -> Sequence[Replacement]:
    """Change the number before a thing, or turn a single thing into several.

    A single thing becomes several only if no other word must change. So "a dog runs" is not edited, because the verb
    would change too ("dogs run").
    """
    for tree, word in read.tokens():
        token = tree[word]
        if token.text in lists.NUMBERS and token.relation == "nummod" and tree.is_noun(token.head):
            others = [one for one in lists.NUMBERS if one not in read.said]
            return exchanged(read.caption, token.start, token.end, read.random.choice(others)) if others else ()
    for tree, noun in read.tokens():
        first = tree.under(noun, "det")
        if not first or tree[first[0]].text not in ("a", "an") or not _is_countable(read, tree, noun):
            continue
        name, numbers = tree[noun], [one for one in lists.SEVERAL if one not in read.said]
        if numbers and not _is_plural(tree, noun):
            one = tree[first[0]]
            number = like(read.caption[one.start : one.end], read.random.choice(numbers))
            many = plural(read.caption[name.start : name.end])
            return Replacement(one.start, one.end, number), Replacement(name.start, name.end, many)
    return ()


def relation_changed(read: Read) -> Sequence[Replacement]:
    """Change the location of a thing by replacing its preposition.

    The new preposition contradicts the original one: "behind" replaces "in front of".
    """
    for tree, case in read.tokens():
        token = tree[case]
        written = read.caption[token.start : token.end].lower()
        other = lists.RELATIONS.get(written)
        if token.relation == "case" and other and token.head > case and _is_place(tree, case, written):
            return exchanged(read.caption, token.start, token.end, other)
    return ()


def _others(read: Read, tree: Tree, noun: int) -> tuple[str, ...]:
    """Return the words that can replace a thing, from the thing's group.

    Example: "train" for "bus". Returns () if the token is not a thing that can be replaced.
    """
    if not _is_thing(tree, noun) or not (_is_plural(tree, noun) or _is_determined(tree, noun)):
        return ()
    name = singular(tree[noun].text)
    if name in lists.PLACES:
        return lists.PLACES[name]
    if name in lists.GENDERED and not lists.GENDERED_PRONOUNS.isdisjoint(read.said):
        return ()  # keep the noun, because a pronoun such as "her" may refer to it: "a man in her chair"
    groups = (words for label, words in lists.GROUPS.items() if read.nouns.naming(name, label, likeliest=True) == "is")
    return next(groups, ())


def _is_thing(tree: Tree, noun: int) -> bool:
    token = tree[noun]
    last = singular(token.text.rpartition(" ")[2])
    is_named = tree.is_entity(noun) and token.tag in ("NN", "NNS") and token.kind in ("word", "thing")
    is_stuff = token.tag == "NN" and _is_measured(tree, noun)  # stuff, not a thing: "cake" in "a piece of cake"
    is_colour = token.text in COLOURS  # not a thing: "black" in "a nice black over and under washer"
    return is_named and last not in lists.NOT_THINGS | TIMES | PICTURES and not is_stuff and not is_colour


def _is_countable(read: Read, tree: Tree, noun: int) -> bool:
    """Return whether a noun can be replaced by a plural without other changes.

    It cannot be replaced if a verb or clause must agree with the noun's number.
    """
    token = tree[noun]
    agrees = token.relation in ("nsubj", "conj", "ROOT", "appos") or tree.under(noun, "acl", "nsubj", "cop", "conj")
    spoken = read.caption[token.start : token.end].lower() == token.text and " " not in token.text
    preposition = tree.preposition(noun)
    worn = singular(token.text) in WORN_IN or token.text in OWNED
    after = tree.tokens[noun + 1 :]
    followed = any(one.text in RELATIVES for one in after) or any(one.tag.startswith(NAMING) for one in after[:1])
    return (
        bool(_others(read, tree, noun))
        and not agrees
        and not followed
        and spoken
        and not worn
        and preposition not in ("as", "like")
    )


def _is_plural(tree: Tree, noun: int) -> bool:
    token = tree[noun]
    if any(tree[k].text in ONE for k in tree.under(noun, "det", "nummod")) and not _is_measured(tree, noun):
        return False
    return token.tag == "NNS" or singular(token.text) != token.text


def _is_measured(tree: Tree, noun: int) -> bool:
    """Return whether an amount precedes a noun: "a couple of", "a piece of"."""
    return any(tree[k].kind == "measure" for k in tree.under(noun, "det", "amod", "nummod", "compound"))


def _is_determined(tree: Tree, noun: int) -> bool:
    return any(tree[k].text not in ("no",) for k in tree.under(noun, "det", "nmod:poss", "nummod"))


def _compound(tree: Tree, noun: int) -> list[int]:
    """Return the words of a thing's name directly before its noun: "fire" of "fire truck"."""
    parts, place = tree.under(noun, *PARTS_OF_NOUNS), noun
    while place - 1 in parts and tree[place - 1].text not in lists.COLOURED:
        place -= 1
    return list(range(place, noun))


def _subtree(tree: Tree, index: int) -> list[int]:
    """Return a token and all tokens below it, in order of the caption."""
    found, waiting = [index], [index]
    while waiting:
        below = tree.children[waiting.pop()]
        waiting += below
        found += below
    return sorted(found)


def _may_go(tree: Tree, noun: int, below: Sequence[int]) -> bool:
    """Return whether a sentence is still English after a thing and its preposition are removed."""
    head = tree[tree[noun].head]
    preposition = tree.preposition(noun)
    together = below == list(range(below[0], below[-1] + 1)) and 0 < below[0] and len(below) < len(tree)
    cases = tree.under(noun, "case")
    leads = bool(cases) and below[0] == cases[0]  # the removed words begin with their preposition: "down the street"
    needed = head.tag == "VBN" or head.lemma in lists.NEEDS_MORE or singular(head.text) in lists.NOT_THINGS
    after_verb = head.tag.startswith("VB") and preposition in ("at", "into")
    follows = below[-1] + 1
    strands = follows < len(tree) and (
        tree[follows].tag.startswith(NAMING)  # the parser split a name: "on a mud | flat"
        or (tree[follows].text in lists.PARTICLES and tree[follows].relation != "case")
    )
    return (
        together and leads and not strands and preposition not in lists.NEVER_LEFT_OUT and not needed and not after_verb
    )


def _is_joined(tree: Tree, word: int) -> bool:
    """Return whether a colour is joined to another colour: "black and white"."""
    beside = [tree[k].text for k in (word - 2, word - 1, word + 1, word + 2) if 0 <= k < len(tree)]
    near = any(text in lists.COLOURED for text in beside)
    return near and ("and" in beside or tree[word].head == word + 1 and len({*beside} & lists.COLOURED) > 0)


def _is_place(tree: Tree, case: int, written: str) -> bool:
    """Return whether a preposition states a location that another preposition would contradict."""
    noun = tree[case].head
    if tree[case + 1].tag == "CC":
        return False  # these words name no place: "an over and under washer"
    head, name = tree[tree[noun].head], singular(tree[noun].text)
    if not tree.is_noun(noun) or name in TIMES | PICTURES | OWNED or len(tree.under(noun, "case")) > 1:
        return False
    if head.tag == "VBN" and written in ("with", "in", "over", "on"):
        return False  # these words name no place: "covered with a blanket"
    if written == "in":
        return name in lists.INSIDE and _is_determined(tree, noun)
    if written == "on":
        return name not in lists.NOT_ON and (_is_determined(tree, noun) or _is_plural(tree, noun))
    if written == "with":
        return _is_determined(tree, noun) and tree[case - 1].text not in ("along", "together")
    return name not in lists.NOT_THINGS or written not in ("up", "down", "over", "through", "along", "across")
