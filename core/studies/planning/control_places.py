"""Insert practice items and gold items (with known right answers) among a rater's items.

The order of these items depends on the study's seed, the rater's number and the rater's earlier items. Nothing is
stored in advance. Raters with the same number of items get the same number of gold items. So a study can announce how
many items its raters get.
"""

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

Role = Literal["item", "gold", "training"]  # what an item is for
GOLD_EVERY = 15  # default


@dataclass(frozen=True, slots=True)
class Controls:
    """The practice items and gold items available for a rater."""

    training: int = 0  # number of practice items, which come before all other items
    gold: int = 0  # number of gold items (with known answers) that this rater has not received
    gold_every: int | None = None  # each group of this many items gets one gold item; None: there are no gold items


@dataclass(frozen=True, slots=True)
class Workload:
    """How many items of each role one rater gets: items that count in results, practice, gold."""

    items: int  # number of items that count in results
    practice: int = 0
    gold: int = 0

    @property
    def rated(self) -> int:
        """Return the number of items without the practice items.

        The number includes gold items (with known answers), because raters cannot tell them from other items.
        """
        return self.items + self.gold

    @property
    def total(self) -> int:
        """Return the number of all items."""
        return self.practice + self.rated

    @property
    def words(self) -> str:
        """Return the numbers as text for a study's managers: "12 items + 2 practice + 2 gold"."""
        more = ((self.practice, "practice"), (self.gold, "gold"))
        return " + ".join([f"{self.items} {_counted(self.items, 'item')}", *(f"{n} {what}" for n, what in more if n)])


def workload(seed: int, items: int, controls: Controls, rater: int = 0) -> Workload:
    """Return how many items of each role a rater gets. items: the rater's number of items that count in results."""
    roles = list(roles_to_come(seed, rater, [], items, controls))
    practice, gold = roles.count("training"), roles.count("gold")
    return Workload(len(roles) - practice - gold, practice, gold)


def roles_to_come(seed: int, rater: int, past: Sequence[Role], free: int, controls: Controls) -> Iterator[Role]:
    """Yield the roles of a rater's next items: practice, gold, or an item that counts in results.

    past: the roles of the earlier items. rater: the rater's number in the study. free: how many items that count in
    results this rater still gets.

    Items that count in results form blocks of gold_every items. In each full block, one gold item is inserted before a
    random item.
    """
    training: list[Role] = ["training"] * (controls.training if free else 0)
    yield from training
    roles, gold = [*past, *training], controls.gold
    own, golds = roles.count("item"), roles.count("gold")
    end = own + free
    gold_at = _places(f"{seed}/{rater}/gold", controls.gold_every, end)
    before = _since_last_item(roles)  # roles of the control items after the rater's last item that counts in results
    for place in range(own, end):
        if gold > 0 and golds <= gold_at.get(place, -1) and "gold" not in before:
            golds, gold = golds + 1, gold - 1
            yield "gold"
        before = ()
        yield "item"


def _since_last_item(roles: Sequence[Role]) -> Sequence[Role]:
    last = max((place for place, role in enumerate(roles) if role == "item"), default=-1)
    return roles[last + 1 :]


@lru_cache(maxsize=256)
def _places(name: str, every: int | None, end: int) -> dict[int, int]:
    """Return the items before which gold items are inserted.

    Each key of the result is the index of a drawn item among the items that count in results. The value is the number
    of gold items that are inserted earlier.
    """
    if every is None:
        return {}
    blocks = range(end // every)
    return {_drawn(name, block, block * every, (block + 1) * every - 1): block for block in blocks}


@lru_cache(maxsize=4096)
def _drawn(name: str, block: int, first: int, last: int) -> int:
    return random.Random(f"{name}/{block}").randint(first, last)


def _counted(number: int, what: str) -> str:
    return what if number == 1 else f"{what}s"
