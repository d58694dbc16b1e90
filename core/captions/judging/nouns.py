"""Interpret a noun together with the words around it.

The parser returns single nouns. The words around a noun can change its meaning: a toy bear, a poster of a dog, a flower
bed. They also show how many things are meant: "a dog", "the dogs", "three dogs", "broccoli".
"""

from collections.abc import Sequence
from dataclasses import dataclass

from core.captions.reading.factual import ARTICLES, COLOURS, NUMBERS, PICTURES
from core.captions.reading.lexicon import Lexicon
from core.captions.reading.words import FINAL_MARKS, is_plural, singular, whole_number, words

FARTHEST = 4  # maximum number of words before a noun that are read for its context
MOST_MODIFIERS = 2  # if the parser's span of a noun has more words than the noun plus this number, the span is ignored
# Words for groups. If a region has such a word as its label, the word means this region, not the members elsewhere.
GATHERINGS = frozenset("family crowd team crew group gang audience herd flock bunch squad orchestra band class".split())
MASSES = GATHERINGS | frozenset(
    "staff people cattle police luggage furniture silverware cutlery food fruit produce broccoli traffic wildlife "
    "livestock pedestrians folk folks clothing equipment skis scissors".split()
)  # words that may mean any number of things, even in the singular
FIXED_NUMBERS = {"couple": 2, "pair": 2, "duo": 2, "trio": 3}
# Words that end the group of words before a noun.
BEFORE_NOUN = frozenset(
    "of in on at with to by from and or but near under over behind beside into onto is are was were has have holding "
    "that who which while as for like without than through across around between about".split()
) | ARTICLES | FINAL_MARKS  # fmt: skip
NO_COMPOUND = COLOURS | {"dark", "top", "little"}  # no compounds with a noun: "a dark horse", "a black tie"
# Persons who are often not in the picture, and nouns for persons that may mean animals. A caption that names one is
# not wrong if no region shows this person.
MAY_BE_ABSENT = frozenset(
    "viewer photographer cameraman passenger tourist visitor observer owner crew male female mate partner mother "
    "father baby hunter predator".split()
)
PEOPLE_PRONOUNS = {"they": None, "them": None, "he": 1, "him": 1, "she": 1, "her": 1}
# Words before or after a noun for an imitation or a picture: "toy bear", "poster of a dog", "dog statue", "like a dog".
IMITATIONS = frozenset(
    "toy stuffed plush painted drawn carved sculpted ceramic porcelain inflatable cardboard origami fake cartoon "
    "printed miniature model lego plastic paper chocolate marble bronze wax poster picture photo photograph "
    "painting drawing sculpture statue figurine image portrait print mural graffiti logo shape sticker silhouette "
    "reflection illustration doll puppet costume balloon mask decoration design pattern "
    "book story video film movie".split()
)
COMPARING = frozenset({"like", "resembling", "about"})  # "a clock like an apple", "a book about dogs"


@dataclass(frozen=True, slots=True)
class NounInContext:
    """A noun with its meaning in its caption."""

    noun: str  # the noun with the words before it that belong to it: "flower bed"
    amount: int | None = 1  # how many things are meant; None: any number
    is_doubtful: bool = False  # True: the noun may mean another thing, such as a toy or a picture of the thing
    is_definite: bool = False  # True: the noun may mean a thing that was named before: "the dog", "he"
    is_plural: bool = False  # True: the word in the caption is plural
    may_be_absent: bool = False  # True: a caption may be right although no region shows the thing
    is_imitation: bool = False  # True: the noun names an imitation or picture of the thing: a toy, a statue, a poster


def in_context(caption: str, noun: str, span: tuple[int, int], lexicon: Lexicon) -> NounInContext:
    """Interpret a noun by the words around it in a caption.

    span: the noun's start and end in the caption. If the caption or the span is unknown, only the noun itself is used.
    """
    found = words(caption)
    places = [place for place, word in enumerate(found) if span[0] <= word.start and word.end <= span[1]]
    own = len(noun.split())  # number of words of `noun`; the span may have more: "toy bear" for "bear"
    if not places or len(places) > own + MOST_MODIFIERS:
        last = (noun.lower().split() or [""])[-1]
        return NounInContext(noun, _usual_amount(last), lexicon.is_doubtful(noun), False, is_plural(last))
    return _placed(noun, [word.text for word in found], max(places[0], places[-1] - own + 1), places[-1], lexicon)


def _placed(noun: str, texts: Sequence[str], first: int, last: int, lexicon: Lexicon) -> NounInContext:
    own = texts[last]
    start = first
    while start > 0 and first - start < FARTHEST and texts[start - 1] not in BEFORE_NOUN:
        start -= 1
    before, edge = texts[start:first], texts[start - 1] if start else ""  # edge: the word before the noun's group
    if own in ("someone", "somebody", "anyone"):  # they need not be in the picture
        return NounInContext(noun, 1, True)
    if own == "one" and texts[last - 1] == "no":  # "no one" means no people
        return NounInContext(noun, None)
    if own == "one":  # in "two men, one in a hat", "one" is one of the men
        return NounInContext(noun, 1, True, True)
    if own in PEOPLE_PRONOUNS:
        return NounInContext(noun, PEOPLE_PRONOUNS[own], True, True, PEOPLE_PRONOUNS[own] is None)
    whole, is_imitation = (
        _compound(noun, before, texts[last + 1 : last + 2], lexicon),
        _is_imitation(texts, start, last),
    )
    is_either = "or" in (edge, texts[max(0, _before_article(texts, start))], *texts[last + 1 : last + 2])
    return NounInContext(
        whole,
        _amount(own, before, edge),
        is_doubtful=lexicon.is_doubtful(whole) or is_imitation or is_either,
        is_definite=edge in ARTICLES - {"a", "an"} and "other" not in before,
        is_plural=is_plural(own),
        may_be_absent=singular(own) in MAY_BE_ABSENT,
        is_imitation=is_imitation,
    )


def _compound(noun: str, before: Sequence[str], after: Sequence[str], lexicon: Lexicon) -> str:
    """Return a noun with its neighbours, if they form a compound noun of the table.

    Examples: "flower bed" for "bed", "hair drier" for "hair".
    """
    runs = [f"{noun} {word}" for word in after]
    runs += [
        " ".join((*before[-count:], noun))
        for count in (2, 1)
        if len(before) >= count and not NO_COMPOUND & set(before[-count:])
    ]
    known = ((run, lexicon.known(run)) for run in runs)
    return next((run for run, name in known if name and len(name.replace("-", " ").split()) == len(run.split())), noun)


def _is_imitation(texts: Sequence[str], start: int, last: int) -> bool:
    """Return whether a noun names only an imitation or a picture of a thing.

    start: index of the first word of the noun's group, with its adjectives. last: index of the noun's last word.
    """
    place = _before_article(texts, start)
    around = {singular(word) for word in (*texts[start:last], *texts[last + 1 : last + 2])}
    if IMITATIONS & around or (place >= 0 and texts[place] in COMPARING):
        return True
    of = singular(texts[place - 1]) if place > 0 and texts[place] == "of" else ""
    return of in IMITATIONS and not (of in PICTURES and place <= FARTHEST)  # "A picture of a dog": the caption's own


def _before_article(texts: Sequence[str], start: int) -> int:
    """Return the index of the last word before a noun's group that is no article and no number; -1 if none is."""
    place = start - 1
    while place >= 0 and (texts[place] in ARTICLES or texts[place] in NUMBERS):
        place -= 1
    return place


def _amount(own: str, before: Sequence[str], edge: str) -> int | None:
    """Return how many things a noun means; None if any number is possible.

    own: the noun's last word. before: the words before it. edge: the article or other word before them.
    """
    if is_plural(own):
        numbers = (whole_number(NUMBERS.get(word, word)) for word in before)
        return FIXED_NUMBERS.get(singular(own), next((number for number in numbers if number is not None), None))
    if {"every", "each", "all", "many", "several"} & {*before, edge}:
        return None
    return _usual_amount(own)


def _usual_amount(own: str) -> int | None:
    if own in FIXED_NUMBERS:
        return FIXED_NUMBERS[own]
    return None if own in MASSES or is_plural(own) else 1
