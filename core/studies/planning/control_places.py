"""Insert practice items, gold items (with known right answers) and repeated items among a rater's items.

The order of these items depends on the study's seed, the rater's number and the rater's earlier items. Nothing is
stored in advance. Raters with the same number of items get the same number of gold items and repeats. So a study can
announce how many items its raters get.
"""

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice

from core.studies.rater_quality.types import Role

APART = 10  # minimum number of items between an item and its repeat
GOLD_EVERY = 15  # default


@dataclass(frozen=True, slots=True)
class Controls:
    """The practice items, gold items and repeats available for a rater."""

    training: int = 0  # number of practice items, which come before all other items
    gold: int = 0  # number of gold items (with known answers) that this rater has not received
    gold_every: int | None = None  # each group of this many items gets one gold item; None: there are no gold items
    repeat_every: int | None = None


@dataclass(frozen=True, slots=True)
class Workload:
    """How many items of each role one rater gets: items that count in results, practice, gold, repeats."""

    items: int  # number of items that count in results
    practice: int = 0
    gold: int = 0
    repeats: int = 0

    @property
    def rated(self) -> int:
        """Return the number of items without the practice items.

        The number includes gold items (with known answers) and repeated items, because raters cannot tell them from
        other items.
        """
        return self.items + self.gold + self.repeats

    @property
    def total(self) -> int:
        """Return the number of all items."""
        return self.practice + self.rated

    @property
    def words(self) -> str:
        """Return the numbers as text for a study's managers: "12 items + 2 practice + 2 gold"."""
        more = ((self.practice, "practice"), (self.gold, "gold"), (self.repeats, _counted(self.repeats, "repeat")))
        return " + ".join([f"{self.items} {_counted(self.items, 'item')}", *(f"{n} {what}" for n, what in more if n)])


def workload(seed: int, items: int, controls: Controls, most: int | None = None, rater: int = 0) -> Workload:
    """Return how many items of each role a rater gets.

    items: the rater's number of items that count in results. most: the largest number of all items, including practice,
    gold and repeats. If `most` is set, raters may differ by one or two in their number of items that count in results.
    """
    roles = list(islice(roles_to_come(seed, rater, [], items, controls), most))
    practice, gold, repeats = (roles.count(role) for role in ("training", "gold", "repeat"))
    return Workload(len(roles) - practice - gold - repeats, practice, gold, repeats)


def roles_to_come(seed: int, rater: int, past: Sequence[Role], free: int, controls: Controls) -> Iterator[Role]:
    """Yield the roles of a rater's next items: practice, gold, repeat, or an item that counts in results.

    past: the roles of the earlier items. rater: the rater's number in the study. free: how many items that count in
    results this rater still gets.

    Items that count in results form blocks of gold_every items. In each full block, one gold item is inserted before a
    random item. The same items also form blocks of repeat_every items. In each full block of these, one repeat is
    inserted before a random item. Between a repeat and its original are at least APART items. If a block has no place
    at this distance, the block gets no repeat.
    """
    training: list[Role] = ["training"] * (controls.training if free else 0)
    yield from training
    roles, gold = [*past, *training], controls.gold
    own, golds, repeats = (roles.count(role) for role in ("item", "gold", "repeat"))
    end = own + free
    gold_at = _places(f"{seed}/{rater}/gold", controls.gold_every, end, 0)
    repeat_at = _places(f"{seed}/{rater}/repeat", controls.repeat_every, end, APART)
    before = _since_last_item(roles)  # roles of the control items after the rater's last item that counts in results
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
    """Return the items before which gold or repeated items are inserted.

    Items that count in results form blocks of `every` items. In each full block, one item is drawn at random, and the
    gold or repeated item is inserted before it. Each key of the result is the index of a drawn item among the items
    that count in results. The value is the number of gold or repeated items that are inserted earlier.

    If `apart` is not 0, each index is at least `apart` + 1 plus its value. A block without such an index gets no gold
    or repeated item.
    """
    places: dict[int, int] = {}
    for block in range(end // every if every else 0):
        assert every is not None
        first, last = block * every, (block + 1) * every - 1
        if apart:
            first = max(first, apart + len(places) + 1)
        if first <= last:
            places[_drawn(name, block, first, last)] = len(places)
    return places


@lru_cache(maxsize=4096)
def _drawn(name: str, block: int, first: int, last: int) -> int:
    return random.Random(f"{name}/{block}").randint(first, last)


def _counted(number: int, what: str) -> str:
    return what if number == 1 else f"{what}s"
