"""Interpret a noun together with the words around it.

The parser returns single nouns. The words around a noun can change its meaning: a toy bear, a poster of a dog, a flower
bed. They also show how many things are meant: "a dog", "the dogs", "three dogs", "broccoli".
"""

from collections.abc import Sequence
from dataclasses import dataclass

from core.captions.reading.denial import have_denial
from core.captions.reading.factual import ARTICLES, COLOURS, CONTAINERS, NUMBERS, PICTURES, SURFACES
from core.captions.reading.lexicon import Lexicon
from core.captions.reading.words import FINAL_MARKS, Word, singular, whole_number, words

FARTHEST = 4  # maximum number of words before a noun that are read for its context
MOST_MODIFIERS = 2  # if the parser's span of a noun has more words than the noun plus this number, the span is ignored

GROUPS = frozenset(
    "family crowd team crew group gang audience herd flock bunch staff squad orchestra band class people cattle police "
    "sheep luggage furniture silverware cutlery food fruit produce broccoli traffic wildlife livestock pedestrians "
    "folk folks clothing equipment meal skis scissors pastry".split()
)  # words that may mean any number of things, even in the singular
# Words for groups. If a region has such a word as its label, the word means this region, not the members elsewhere.
GATHERINGS = frozenset("family crowd team crew group gang audience herd flock bunch squad orchestra band class".split())
FIXED_NUMBERS = {"couple": 2, "pair": 2, "duo": 2, "twosome": 2, "trio": 3, "threesome": 3}
MOST_PEOPLE = frozenset({"crowd", "audience", "orchestra"})  # at least three people, not only two
ONLY_OF_PEOPLE = frozenset(FIXED_NUMBERS) | {"family", "team", "crew", "crowd", "audience", "squad", "staff"}
# Groups of animals: "an elephant family" means elephants.
OF_ANIMALS = frozenset("family couple pair duo trio herd flock pack group".split())
MEMBER_OF = frozenset("of in from to among within".split())  # words between a member and its group
ONE_PAIR = frozenset({"skis", "scissors"})  # labels of one pair

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
MANY = frozenset("many several numerous multiple various".split())  # words for at least three things
UNNAMED = frozenset("someone somebody anyone".split())  # persons who need not be in the picture
PEOPLE_PRONOUNS = {"they": None, "them": None, "he": 1, "him": 1, "she": 1, "her": 1}
MASS_WITHOUT_ARTICLE = frozenset("pizza cake orange hair carrot".split())
HOLDERS = CONTAINERS | SURFACES | frozenset("dish dishes platter platters pan pans salad soup".split())
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
    is_another: bool = False  # True: the noun means another thing than all things before it: "another dog"
    is_whole: bool = False  # True: the noun is the group of a thing named before: "team" in "a player of a team"
    least: int = 1  # the smallest number of things that the words allow: 2 for "dogs", 3 for "many dogs"
    is_counted: bool = False  # True: a word before "of" states the number: "a pair of cups"
    container: str = ""  # the word before "of": "bowl" for the carrots of "a bowl of carrots"


def in_context(caption: str, noun: str, span: tuple[int, int], table: Lexicon) -> NounInContext:
    """Interpret a noun by the words around it in a caption.

    span: the noun's start and end in the caption. table: the nouns that Capscope knows. If the caption or the span is
    unknown, only the noun itself is used.
    """
    found = words(caption)
    places = [place for place, word in enumerate(found) if span[0] <= word.start and word.end <= span[1]]
    own = len(noun.split())  # number of words of `noun`; the span may have more: "toy bear" for "bear"
    if not places or len(places) > own + MOST_MODIFIERS:
        last = (noun.lower().split() or [""])[-1]
        return NounInContext(noun, _usual_amount(last, True), table.is_doubtful(noun), False, _is_plural(last))
    return _placed(noun, found, max(places[0], places[-1] - own + 1), places[-1], table)


def _placed(noun: str, found: Sequence[Word], first: int, last: int, table: Lexicon) -> NounInContext:
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
    if own in OF_ANIMALS and before and table.is_a(before[-1], "animal"):
        return NounInContext(before[-1], None, is_plural=True, least=FIXED_NUMBERS.get(own, 2))
    whole = _compound(noun, before, [word.text for word in found[last + 1 : last + 2]], table)
    imitation = _is_imitation(found, start, first, last)
    amount, counted = _amount(own, before, edge), counted_by(found, start)
    many = 3 if MANY & {word.text for word in found[max(0, first - FARTHEST) : first]} else 2
    least = (amount or many) if _is_plural(own) else smallest(whole.lower())
    return NounInContext(
        whole,
        amount,
        is_doubtful=table.is_doubtful(whole) or imitation or _is_of_others(found, start, last),
        is_definite=edge in ARTICLES - {"a", "an"} and "other" not in before,
        is_plural=_is_plural(own),
        may_be_absent=singular(own) in MAY_BE_ABSENT,
        is_imitation=imitation,
        is_another="another" in before or edge == "another",
        is_whole=is_member_of(found, start, last),
        least=max(counted or 1, least),
        is_counted=counted is not None,
        container=_container(found, start),
    )


def _compound(noun: str, before: Sequence[str], after: Sequence[str], table: Lexicon) -> str:
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


def _is_known(run: str, table: Lexicon) -> bool:
    known = table.known(run)
    return known is not None and len(known.replace("-", " ").split()) == len(run.split())


def _is_imitation(found: Sequence[Word], start: int, first: int, last: int) -> bool:
    """Return whether a noun names only an imitation or a picture of a thing.

    found: the caption's words. start: index of the first word of the noun's group, with its adjectives. first, last:
    indices of the noun's own first and last word.
    """
    texts = [singular(word.text) for word in found]
    place = _before_article(found, start)
    following = texts[last + 1] if last + 1 < len(found) else ""
    if IMITATIONS & {*texts[start:last], following} or (place >= 0 and texts[place] in COMPARING):
        return True
    of = texts[place - 1] if place > 0 and texts[place] == "of" else ""
    is_own = of in PICTURES and place <= FARTHEST  # "A picture of a dog" is the caption's own picture
    return of in IMITATIONS and not is_own


def _is_of_others(found: Sequence[Word], start: int, last: int) -> bool:
    """Return whether a noun may name something else: "a bus or a tram", "a family of elephants"."""
    texts = [word.text for word in found]
    before, after = texts[max(0, _before_article(found, start))], texts[last + 1 : last + 3]
    if "or" in (before, *after[:1]):
        return not have_denial(texts)
    return texts[last] in OF_ANIMALS and after[:1] == ["of"] and not NUMBERS.keys() & set(after)


def _container(found: Sequence[Word], start: int) -> str:
    """Return the container before "of" and a noun: "bowl" of "a bowl of carrots"; "" if there is none."""
    place = _before_article(found, start)
    if place < 1 or found[place].text not in ("of", "with"):
        return ""
    word = found[place - 1].text if found[place - 1].text != "full" else found[max(0, place - 2)].text
    return singular(word) if word in HOLDERS else ""


def _before_article(found: Sequence[Word], start: int) -> int:
    """Return the index of the last word before a noun's group that is no article and no number; -1 if none is."""
    place = start - 1
    while place >= 0 and (found[place].text in ARTICLES or found[place].text in NUMBERS):
        place -= 1
    return place


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
    if edge in ("a", "an") and own not in FIXED_NUMBERS:
        return None if own in GROUPS - {"sheep", "pastry", "meal"} else 1
    return _usual_amount(own, edge in ARTICLES or bool({"one", "another", "this", "that"} & set(before)))


def _usual_amount(own: str, has_article: bool) -> int | None:
    if own in FIXED_NUMBERS:
        return FIXED_NUMBERS[own]
    is_mass = own in GROUPS or (own in MASS_WITHOUT_ARTICLE and not has_article)
    return None if is_mass or _is_plural(own) else 1


def _is_plural(word: str) -> bool:
    return singular(word) != word or word in ("people", "cattle", "police", "folk")


def smallest(noun: str) -> int:
    """Return the smallest number of things that a group word in the singular means: 2 for "family", 3 for "crowd".

    Returns 1 for other words. noun: one word.
    """
    if noun in FIXED_NUMBERS:
        return FIXED_NUMBERS[noun]
    return 3 if noun in MOST_PEOPLE else 2 if noun in GATHERINGS | ONLY_OF_PEOPLE else 1


def counted_by(found: Sequence[Word], start: int) -> int | None:
    """Return the number that a word such as "pair" states of the noun after "of": 2 in "a pair of cups".

    found: the caption's words. start: index of the first word of the noun's group. Returns None without such a word.
    """
    before = [word.text for word in found[max(0, start - 2) : start]]
    return FIXED_NUMBERS.get(before[0]) if before[1:] == ["of"] else None


def is_member_of(found: Sequence[Word], start: int, last: int) -> bool:
    """Return whether a word for a group follows "of", "in" or a similar word: "a woman in the crowd"."""
    before = [word.text for word in found[max(0, start - 2) : start] if word.text not in ARTICLES]
    return found[last].text in GATHERINGS and bool(MEMBER_OF & set(before[-1:]))
