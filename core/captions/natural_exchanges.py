"""Exchange a thing of a caption for another thing of the same kind, so that the caption stays natural English.

The rules use only the caption's words. A thing is left unchanged if the words around it may not fit another thing:
proper names ("Eiffel Tower"), compounds ("baseball pitcher"), amounts ("a bowl of soup") and verbs that suit only one
kind of thing ("an airplane flies").
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from core.captions.factual_conventions import COLOURS, NUMBERS
from core.captions.nouns import NounTable
from core.captions.word_splitting import singular

Find = Callable[[Sequence[str]], str | None]  # (things) -> the first one that is certainly not in the picture, or None

HUES = ("red", "blue", "green", "yellow", "purple", "orange", "pink", "black", "white", "brown")
COATS = ("black", "white", "brown", "gray")  # colours of animals
COLOURED = frozenset((*HUES, "grey", "gray", "tan", "beige", "teal", "maroon"))
SAME_COLOUR = ({"grey", "gray"}, {"tan", "beige", "brown"}, {"red", "maroon"}, {"green", "teal"})
PREPOSITIONS = frozenset(
    "in on at with by near under over behind beside against across along through around down up of to next from "
    "between above below inside into past onto before after toward towards among".split()
)
CLAUSE_ENDS = frozenset({"and", "while", "as", "but", "that", "who", "which", "is", "are"})
ANIMALS = "dog horse cat cow sheep elephant bear zebra".split()
# Key: a kind of thing, or "". Value: lists of nouns, in the order in which they are tried. Any noun of a kind can be
# replaced by a noun from this kind's list. A noun in a list of the key "" is replaced only by nouns of this list.
KINDS: Mapping[str, Sequence[Sequence[str]]] = {
    "animal": (ANIMALS,),
    "vehicle": ("bus car truck train bicycle motorcycle".split(),),
    "furniture": ("chair couch bed bench table".split(),),
    "fruit": ("banana apple orange".split(),),
    "food": ("sandwich cake pizza banana apple".split(),),
    "": (
        "oven microwave refrigerator toaster".split(), "laptop keyboard clock".split(), "bowl cup bottle vase".split(),
        "skateboard surfboard snowboard".split(), "umbrella suitcase handbag backpack".split(),
        "knife fork spoon".split(), "tower tree".split(),
    ),
}  # fmt: skip
PERSONS = ("man", "woman", "child")
PERSON_ADJECTIVES = frozenset("young old tall short small little elderly smiling grey-haired seated".split())
OWNED = frozenset("his her their he she him himself herself".split())
SIZES = frozenset("large small big little huge tiny old new".split())
OF_ANIMALS = frozenset("wild young male female adult baby domestic".split())
DETERMINERS = frozenset("a an the this that another one his her its their my our each every".split())
SEVERAL = frozenset("some these those both several many few".split()) | frozenset(NUMBERS)
# Verbs that suit any animal, and verbs that suit any vehicle. Other verbs may suit only some of them.
DOING_OF_ANIMALS = frozenset(
    "stand stands standing sit sits sitting lie lies lying lay lays laying rest rests resting wait waits waiting walk "
    "walks walking run runs running look looks looking eat eats eating drink drinks drinking sleep sleeps "
    "sleeping".split()
)
DOING = DOING_OF_ANIMALS | frozenset(
    "stop stops stopping stopped park parks parked drive drives driving travel travels traveling pass passes passing "
    "placed".split()
)
RIDING = frozenset("ride rides riding ridden rider riders".split())
RIDDEN = ("bicycle", "motorcycle", "horse")
WITH_MANE = ("horse",)
NOT_VERBS = frozenset("building ceiling evening morning something anything nothing railing painting".split())
IN_PLACE = {"boat": frozenset("water lake river sea ocean harbor harbour dock".split()), "airplane": {"sky", "runway"}}


@dataclass(frozen=True, slots=True)
class CaptionWord:
    """A word of a caption with its position."""

    text: str
    start: int  # index of the word's first character in the caption
    end: int  # exclusive

    @property
    def lower(self) -> str:
        """The word in lower case."""
        return self.text.lower()


@dataclass(frozen=True, slots=True)
class Exchange:
    """A word of a caption, and the word that replaces it.

    The replaced word can include "male" or "female" before it: "male lion". The new word is in the singular and in
    lower case.
    """

    word: CaptionWord
    other: str
    is_plural: bool = False


def caption_words(caption: str) -> list[CaptionWord]:
    """Return the words of a caption."""
    return [CaptionWord(match.group(), *match.span()) for match in re.finditer(r"[\w'’-]+", caption)]


def exchange(
    caption: str,
    words: Sequence[CaptionWord],
    named: Sequence[int],
    labels: Sequence[str],
    absent: Find,
    nouns: NounTable,
) -> Exchange | None:
    """Return the first exchange that keeps a caption natural; None if there is none.

    named: the indices of the words that name regions. labels: the regions' labels. If possible, a thing is exchanged
    for another thing. Otherwise a colour that a label states is exchanged for another colour.
    """
    for place in named:
        if not is_in_name(caption, words, place) and _stands_free(caption, words, place):
            other = _other(words, place, absent, nouns)
            if other is not None:
                return Exchange(_with_sex(caption, words[place]), other, is_plural(words[place].lower))
    return next(_colours(words, named, labels, nouns), None)


def _with_sex(caption: str, noun: CaptionWord) -> CaptionWord:
    """Return a noun with a preceding "male" or "female", if any.

    They are replaced together, because "male" or "female" may sound odd before the new noun.
    """
    sex = re.search(r"\b(?:fe)?male +$", caption[: noun.start], re.IGNORECASE)
    return noun if sex is None else CaptionWord(caption[sex.start() : noun.end], sex.start(), noun.end)


def is_in_name(caption: str, words: Sequence[CaptionWord], place: int) -> bool:
    """Return whether a word belongs to a proper name, such as "Eiffel Tower"."""
    is_title = [word.text[0].isupper() for word in words[max(0, place - 1) : place + 2]]
    own = is_title[min(place, 1)]
    beside = sum(is_title) > 1 and own
    return beside or (own and not _begins_sentence(caption, words[place]))


def is_plural(word: str) -> bool:
    """Return whether a noun in lower case is in the plural."""
    return word == "people" or singular(word) != word


def _begins_sentence(caption: str, word: CaptionWord) -> bool:
    before = caption[: word.start].rstrip()
    return not before or before[-1] in '.!?"“'


def _stands_free(caption: str, words: Sequence[CaptionWord], place: int) -> bool:
    """Return whether the words after a noun also fit another noun.

    The words do not fit if the noun begins a compound ("baseball pitcher") or an amount ("bowl of soup").
    """
    if singular(words[place].lower) in PERSONS:
        return [word.lower for word in words[place + 1 : place + 2]] != ["of"]
    if place + 1 == len(words) or re.search(r"[,.;:!?]", caption[words[place].end : words[place + 1].start]):
        return True
    after = [word.lower for word in words[place + 1 : place + 3]]
    if after[0] in ("is", "are"):
        return after[1:] == [] or after[1] in DOING | PREPOSITIONS
    return after[0] != "of" and after[0] in PREPOSITIONS | CLAUSE_ENDS | DOING


def _other(words: Sequence[CaptionWord], place: int, absent: Find, nouns: NounTable) -> str | None:
    noun = singular(words[place].lower)
    before = list(_modifiers(words, place))
    edge = place - len(before) - 1
    edge_word = words[edge].lower if edge >= 0 else ""
    if not is_plural(words[place].lower) and edge_word not in DETERMINERS:
        return None  # the singular noun has no article, so it cannot be counted: "food" in "topped with food"
    if not _may_follow(edge_word):
        return None  # the word before the noun may fit no other noun: "baseball" in "a baseball pitcher"
    if nouns.naming(noun, "person", likeliest=True) == "is":
        return _other_person(words, place, before, absent)
    said = {word.lower for word in words}
    if said & IN_PLACE.get(noun, frozenset()):
        return None
    found = next(_kinds(noun, before, nouns), ())
    if RIDING & said and set(RIDDEN) & set(found):
        found = RIDDEN
    if "mane" in said and set(WITH_MANE) & set(found):
        found = (*WITH_MANE, *found)
    return absent([thing for thing in found if thing != noun])


def _may_follow(word: str) -> bool:
    return (
        word == ""
        or word in DETERMINERS | SEVERAL | PREPOSITIONS | CLAUSE_ENDS
        or (word.endswith(("ing", "s")) and word not in NOT_VERBS)
    )


def _modifiers(words: Sequence[CaptionWord], place: int) -> Iterator[str]:
    """Yield the colours, sizes and other usual adjectives before a noun, the nearest first."""
    at = place - 1
    while at >= 0:
        word = words[at].lower
        joins = word == "and" and at > 0 and words[at - 1].lower in COLOURED and words[at + 1].lower in COLOURED
        if not joins and word not in COLOURED | SIZES | OF_ANIMALS | PERSON_ADJECTIVES:
            return
        yield word
        at -= 1


def _other_person(words: Sequence[CaptionWord], place: int, before: Sequence[str], absent: Find) -> str | None:
    """Return a replacement for a noun that names a person.

    For a man or woman, the replacement is another person. For people in a pose that animals also have, the replacement
    can be an animal. Returns None if there is no replacement.
    """
    said = [word.lower for word in words]
    if OWNED & set(said):
        return None  # no change: in "a man with his dog", "his" may not fit another person
    if singular(said[place]) in PERSONS and (person := absent(PERSONS)) is not None:
        return person
    acts = {word for word in said if word.endswith("ing")} - DOING - NOT_VERBS
    after = said[place + 1 : place + 2]
    if acts or before or not set(after) <= DOING_OF_ANIMALS | {"is", "are"}:
        return None  # no animal holds a phone or wears a uniform
    return absent(ANIMALS[1:])  # not "dog", the first animal, because horses fit people's activities better


def _kinds(noun: str, before: Sequence[str], nouns: NounTable) -> Iterator[Sequence[str]]:
    """Yield lists of things that may replace a noun.

    before: the adjectives before the noun, which the things must also fit.
    """
    colours = COLOURED & set(before)
    for kind, lists in KINDS.items():
        belongs = bool(kind) and nouns.naming(noun, kind, likeliest=True) == "is"
        for things in lists:
            if not belongs and noun not in things:
                continue
            if kind in ("food", "fruit") and colours:
                return
            if kind == "animal" and not colours <= {*COATS, "grey"}:
                return
            if kind != "animal" and (OF_ANIMALS - {"young"}) & set(before):
                return
            yield things
            return


def _colours(
    words: Sequence[CaptionWord], named: Sequence[int], labels: Sequence[str], nouns: NounTable
) -> Iterator[Exchange]:
    """Yield exchanges of a colour that a label states, such as "red" for the label "red pagoda"."""
    said = {word.lower for word in words}
    for place in named:
        noun = words[place].lower
        for at in range(max(0, place - 2), place):
            colour = words[at].lower
            if colour not in HUES or not any(_states(label, colour, noun, nouns) for label in labels):
                continue
            is_animal = nouns.naming(noun, "animal", likeliest=True) == "is"
            equal = {colour}.union(*(one for one in SAME_COLOUR if colour in one))
            stated = equal | said | {word for label in labels for word in label.lower().split()}
            other = next((hue for hue in (COATS if is_animal else ("blue", *HUES)) if hue not in stated), None)
            if other is not None:
                yield Exchange(words[at], other)


def _states(label: str, colour: str, noun: str, nouns: NounTable) -> bool:
    own = label.lower().split()
    colours = [word for word in own if word in COLOURS]
    return colours == [colour] and own[-1] not in COLOURS and nouns.naming(noun, label, likeliest=True) == "is"
