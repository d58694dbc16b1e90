"""Interpret a noun together with the words around it.

The parser returns single nouns. The words around a noun can change its meaning: a toy bear, a poster of a dog, the bed
of a truck. They also show how many things are meant: "a dog", "the dogs", "three dogs", "broccoli".
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from core.captions.depicted_nouns import is_imitation
from core.captions.factual_conventions import ARTICLES, COLOURS, NUMBERS
from core.captions.group_nouns import (
    FIXED_NUMBERS,
    GROUPS,
    OF_ANIMALS,
    ONLY_OF_PEOPLE,
    counted_by,
    is_member_of,
    is_of_others,
    smallest,
)
from core.captions.hedged_nouns import container, is_bounded, is_scarce, is_written
from core.captions.imagined_nouns import WANTING, is_imagined
from core.captions.nouns import NounTable
from core.captions.printed_nouns import LISTING, SHOWING, is_shown
from core.captions.shown_words import have_denial
from core.captions.word_splitting import FINAL_MARKS, Word, singular, whole_number, words

FARTHEST = 4  # maximum number of words before a noun that are read for its context
MOST_MODIFIERS = 2  # if the parser's span of a noun has more words than the noun plus this number, the span is ignored

SUPPOSING = frozenset("if whether".split())  # words before things that need not be there
# Words that end the group of words before a noun.
BEFORE_NOUN = frozenset(
    "of in on at with to by from and or but near under over behind beside into onto is are was were has have holding "
    "that who which while as for like without than through across around between".split()
) | ARTICLES | FINAL_MARKS | SHOWING | LISTING | WANTING | {"about"}  # fmt: skip
NO_COMPOUND = COLOURS | {
    "dark",
    "top",
    "little",
}  # words that form no compound with a noun: "a dark horse", "a black tie"
# Persons who are often not in the picture. A caption that names one is not wrong if no region shows this person.
OUT_OF_SIGHT = frozenset("viewer photographer cameraman passenger tourist visitor observer owner crew".split())
PERSON_OR_ANIMAL = frozenset("male female mate partner mother father baby hunter predator".split())
MANY = frozenset("many several numerous multiple various".split())  # words for at least three things
UNNAMED = frozenset("someone somebody anyone".split())  # persons who need not be in the picture
PEOPLE_PRONOUNS = {"they": None, "them": None, "he": 1, "him": 1, "she": 1, "her": 1}
MASS_WITHOUT_ARTICLE = frozenset("pizza cake orange hair carrot".split())


@dataclass(frozen=True, slots=True)
class NounInContext:
    """A noun with its meaning in its caption."""

    noun: str  # the noun with the words before it that belong to it: "truck bed"
    amount: int | None = 1  # how many things are meant; None: any number
    is_doubtful: bool = False  # True: the noun may mean another thing, such as a toy or a picture of the thing
    is_definite: bool = False  # True: the noun may mean a thing that was named before: "the dog", "he"
    is_plural: bool = False  # True: the word in the caption is plural
    may_be_absent: bool = False  # True: a caption may be right although no region shows the thing
    is_imitation: bool = False  # True: the noun names an imitation or picture of the thing: a toy, a statue, a poster
    is_another: bool = False  # True: the noun means another thing than all things before it: "another dog"
    is_whole: bool = False  # True: the noun is the group of a thing named before: "team" in "a player of a team"
    least: int = 1  # the smallest number of things that the words allow: 2 for "dogs", 3 for "many dogs"
    is_counted: bool = False  # True: a word before "of" states the number: "a pair of cups"
    container: str = ""  # the word before "of": "bowl" for the carrots of "a bowl of carrots"
    is_bounded: bool = False  # True: the number is only the largest possible one: "no more than two cups"


def in_context(caption: str, noun: str, span: tuple[int, int], table: NounTable) -> NounInContext:
    """Interpret a noun by the words around it in a caption.

    span: the noun's start and end in the caption. table: the nouns that Capscope knows. If the caption or the span is
    unknown, only the noun itself is used.
    """
    found = words(caption)
    places = [place for place, word in enumerate(found) if span[0] <= word.start and word.end <= span[1]]
    own = len(noun.split())  # number of words of `noun`; the span may have more: "toy bear" for "bear"
    if not places or len(places) > own + MOST_MODIFIERS:
        return _alone(noun, table)
    placed = _placed(noun, found, max(places[0], places[-1] - own + 1), places[-1], table)
    placed = replace(placed, least=max(placed.least, _least(placed, found, places[0])))
    if is_written(caption, found, places[0]):
        return replace(placed, is_doubtful=True, is_imitation=True)
    return replace(placed, is_doubtful=True) if caption.rstrip().endswith("?") else placed


def _least(noun: NounInContext, found: Sequence[Word], first: int) -> int:
    """Return the smallest number of things that a plural noun may mean. first: index of the noun's first word."""
    before = {word.text for word in found[max(0, first - FARTHEST) : first]}
    if not noun.is_plural:
        return smallest(noun.noun.lower())
    return 1 if noun.is_bounded else noun.amount or (3 if before & MANY else 2)


def _alone(noun: str, table: NounTable) -> NounInContext:
    last = (noun.lower().split() or [""])[-1]
    return NounInContext(noun, _usual_amount(last, True), table.is_doubtful(noun), False, _is_plural(last))


def _placed(noun: str, found: Sequence[Word], first: int, last: int, table: NounTable) -> NounInContext:
    own = found[last].text
    start = first
    while start > 0 and first - start < FARTHEST and found[start - 1].text not in BEFORE_NOUN:
        start -= 1
    before = [word.text for word in found[start:first]]
    edge = found[start - 1].text if start else ""  # the word that ends the group of words before the noun
    if own in UNNAMED:
        return NounInContext(noun, 1, True)
    if own == "one" and last and found[last - 1].text == "no":  # "no one" means no people
        return NounInContext(noun, None)
    if own == "one":  # in "two men, one in a hat", "one" is one of the men
        return NounInContext(noun, 1, True, True)
    if own in ("another", "other"):  # "a boy chases another"
        return NounInContext(noun, 1, is_another=True)
    if own in PEOPLE_PRONOUNS:
        return NounInContext(noun, PEOPLE_PRONOUNS[own], True, True, PEOPLE_PRONOUNS[own] is None)
    if own in OF_ANIMALS and before and _is_animal(before[-1], table):
        return NounInContext(before[-1], None, is_plural=True, least=FIXED_NUMBERS.get(own, 2))
    whole = _compound(noun, before, [word.text for word in found[last + 1 : last + 2]], table)
    imitation = is_imitation(noun, found, start, first, last, table)
    doubtful = (
        table.is_doubtful(whole)
        or (singular(own) in PERSON_OR_ANIMAL and any(_is_animal(word.text, table) for word in found))
        or imitation
        or is_shown(noun, found, start, last, table)
        or is_imagined(found, start, last, table)
        or _is_no_thing(found, start, last)
        or _is_bed_of_animal([*before, *noun.lower().split()], table)
        or is_of_others(found, start, last, table)
        or (own in ONLY_OF_PEOPLE and bool(before) and _is_animal(before[-1], table))
        or _is_supposed(found, start, last)
        or is_scarce(found, start)
        or is_bounded(found, start, first)
    )
    is_definite = edge in ARTICLES - {"a", "an"} and "other" not in before
    is_another = "another" in before or edge == "another"
    amount, counted = _amount(own, before, edge), counted_by(found, start)
    return NounInContext(
        whole,
        amount,
        doubtful,
        is_definite,
        _is_plural(own),
        may_be_absent=singular(own) in OUT_OF_SIGHT | PERSON_OR_ANIMAL,
        is_imitation=imitation,
        is_another=is_another,
        is_whole=is_member_of(found, start, last),
        least=counted or 1,
        is_counted=counted is not None,
        is_bounded=is_bounded(found, start, first),
        container=container(found, start),
    )


def _compound(noun: str, before: Sequence[str], after: Sequence[str], table: NounTable) -> str:
    """Return a noun with its neighbours, if they form a compound noun of the table.

    Examples: "flower bed" for "bed", "hair drier" for "hair".
    """
    if after and _is_known(f"{noun} {after[0]}", table):
        return f"{noun} {after[0]}"
    for count in (2, 1):
        run = [*before[-count:], noun]
        if len(run) == count + 1 and not NO_COMPOUND & set(run[:-1]) and _is_known(" ".join(run), table):
            return " ".join(run)
    return noun


def _is_known(run: str, table: NounTable) -> bool:
    known = table.known(run)
    return known is not None and len(known.replace("-", " ").split()) == len(run.split())


def _is_supposed(found: Sequence[Word], start: int, last: int) -> bool:
    """Return whether a named thing is only a possibility or a comparison.

    Examples: "a bus or a tram", "if there were a dog", "the size of a dog". Returns False for "no dog or cat", because
    both things are denied there. start, last: indices of the first and last word of the noun's group.
    """
    place = start
    while place and (found[place - 1].text in ARTICLES or found[place - 1].text in NUMBERS):
        place -= 1
    earlier = [word.text for word in found[:place]]
    following = found[last + 1].text if last + 1 < len(found) else ""
    if "or" in (*earlier[-1:], following):
        return not have_denial([word.text for word in found[: last + 1]])
    return bool(SUPPOSING & set(earlier)) or earlier[-2:] == ["size", "of"]


def _is_animal(noun: str, table: NounTable) -> bool:
    return table.naming(noun, "animal", likeliest=True) == "is"


def _is_bed_of_animal(named: Sequence[str], table: NounTable) -> bool:
    """Return whether a name with the words before it is the basket of a pet, which annotators label as no bed."""
    return len(named) > 1 and named[-1] in ("bed", "beds") and (named[-2] == "pet" or _is_animal(named[-2], table))


def _is_no_thing(found: Sequence[Word], start: int, last: int) -> bool:
    """Return whether a noun names no thing here: the colour in "dressed in orange", "a bear hug", "a cake of soap".

    start, last: indices of the first and last word of the noun's group.
    """
    own, following = found[last].text, found[last + 1].text if last + 1 < len(found) else ""
    if own == "orange" and start == last and start and found[start - 1].text == "in":
        return True
    if own == "cake" and [word.text for word in found[last + 1 : last + 3]] == ["of", "soap"]:
        return True
    return (own == "bear" and following in ("hug", "hugs")) or (own == "tie" and following in ("of", "between"))


def _amount(own: str, before: Sequence[str], edge: str) -> int | None:
    """Return how many things a noun means; None if any number is possible.

    own: the noun's last word. before: the words before it. edge: the article or other word before them.
    """
    numbers = [NUMBERS.get(word, word) for word in before]
    number = next((found for text in numbers if (found := whole_number(text)) is not None), None)
    if _is_plural(own):
        return FIXED_NUMBERS.get(singular(own), number)
    if {"every", "each", "all", "many", "several"} & {*before, edge}:
        return None
    has_article = edge in ARTICLES or bool({"one", "another", "this", "that"} & set(before))
    return _usual_amount(own, has_article) if edge not in ("a", "an") or own in FIXED_NUMBERS else _one(own)


def _one(own: str) -> int | None:
    return None if own in GROUPS - {"sheep", "pastry", "meal"} else 1


def _usual_amount(own: str, has_article: bool) -> int | None:
    if own in FIXED_NUMBERS:
        return FIXED_NUMBERS[own]
    is_mass = own in GROUPS or (own in MASS_WITHOUT_ARTICLE and not has_article)
    return None if is_mass or _is_plural(own) else 1


def _is_plural(word: str) -> bool:
    return singular(word) != word or word in ("people", "cattle", "police", "folk")
