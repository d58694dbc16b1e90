"""Where practice, gold and repeats come among a rater's items.

The order follows from the study's seed, the rater's number and what the rater has had. Nothing is stored ahead. Every
rater with the same number of items gets the same number of gold items and repeats, so that it can be told beforehand.
"""

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice

from core.studies.rater_quality.types import Role

APART = 10  # items at least between an item and its repeat
GOLD_EVERY = 15  # by default


@dataclass(frozen=True, slots=True)
class Controls:
    """The practice, gold and repeats that can be put among a rater's items."""

    training: int = 0  # items that come before all others
    gold: int = 0  # gold items that this rater has not had yet
    gold_every: int | None = None  # one gold item in every so many items; None: no gold
    repeat_every: int | None = None


@dataclass(frozen=True, slots=True)
class Workload:
    """What one rater gets in a study, by role."""

    items: int  # the items that count
    practice: int = 0
    gold: int = 0
    repeats: int = 0

    @property
    def rated(self) -> int:
        """Return the number of items after practice: raters cannot tell gold and repeats from the others."""
        return self.items + self.gold + self.repeats

    @property
    def total(self) -> int:
        """Return the number of all items."""
        return self.practice + self.rated

    @property
    def words(self) -> str:
        """Return the sum as managers read it: "12 items + 2 practice + 2 gold"."""
        more = ((self.practice, "practice"), (self.gold, "gold"), (self.repeats, _counted(self.repeats, "repeat")))
        return " + ".join([f"{self.items} {_counted(self.items, 'item')}", *(f"{n} {what}" for n, what in more if n)])


def workload(seed: int, items: int, controls: Controls, most: int | None = None, rater: int = 0) -> Workload:
    """Return what a rater gets who gets so many items that count.

    most: the number of places where practice, gold and repeats are counted among the items; there it may differ by one
    or two from rater to rater.
    """
    roles = list(islice(roles_to_come(seed, rater, [], items, controls), most))
    practice, gold, repeats = (roles.count(role) for role in ("training", "gold", "repeat"))
    return Workload(len(roles) - practice - gold - repeats, practice, gold, repeats)


def roles_to_come(seed: int, rater: int, past: Sequence[Role], free: int, controls: Controls) -> Iterator[Role]:
    """Yield the roles of the items that a rater gets next; `past` are the roles of the items given so far.

    rater: the rater's number in the study; free: the number of the study's own items that this rater still gets.

    Each full block of gold_every own items has one gold item, before a random one of them; repeats likewise. A block
    in which no item is APART items back has no repeat.
    """
    training: list[Role] = ["training"] * (controls.training if free else 0)
    yield from training
    roles, gold = [*past, *training], controls.gold
    own, golds, repeats = (roles.count(role) for role in ("item", "gold", "repeat"))
    end = own + free
    gold_at = _places(f"{seed}/{rater}/gold", controls.gold_every, end, 0)
    repeat_at = _places(f"{seed}/{rater}/repeat", controls.repeat_every, end, APART)
    before = _since_last_item(roles)  # controls that the rater has already had before the next own item
    for place in range(own, end):
        if gold > 0 and golds <= gold_at.get(place, -1) and "gold" not in before:
            golds, gold = golds + 1, gold - 1
            yield "gold"
        if repeats <= repeat_at.get(place, -1) and "repeat" not in before:
            repeats += 1
            yield "repeat"
        before = ()
        yield "item"


def _since_last_item(roles: Sequence[Role]) -> Sequence[Role]:
    last = max((place for place, role in enumerate(roles) if role == "item"), default=-1)
    return roles[last + 1 :]


@lru_cache(maxsize=256)
def _places(name: str, every: int | None, end: int, apart: int) -> dict[int, int]:
    """Return before which own items (from 0) a control comes, each with the number of controls before it.

    One place is drawn in each full block. Before the place there are more than `apart` own items for each control.
    """
    found: dict[int, int] = {}
    for block in range(end // every if every else 0):
        assert every is not None
        first, last = block * every, (block + 1) * every - 1
        if apart:
            first = max(first, apart + len(found) + 1)
        if first <= last:
            found[_drawn(name, block, first, last)] = len(found)
    return found


@lru_cache(maxsize=4096)
def _drawn(name: str, block: int, first: int, last: int) -> int:
    return random.Random(f"{name}/{block}").randint(first, last)


def _counted(number: int, what: str) -> str:
    return what if number == 1 else f"{what}s"
