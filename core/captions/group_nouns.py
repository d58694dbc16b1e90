"""Nouns for groups: how many things "a couple" means, and whether "a family" means people or animals."""

from collections.abc import Sequence

from core.captions.factual_conventions import ARTICLES
from core.captions.word_splitting import Word

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
