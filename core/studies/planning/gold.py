"""Control items: practice at the start, and gold items (with known right answers), which check how raters work.

Practice items are the study's first items. A gold item is made from the study's own data in one of two ways. A
"swapped" item shows the explanation of another picture, so Factuality cannot be high. A "turned" item shows the score
as 1 - score, so the explanation cannot be consistent with this score.

The order of these items depends on the study's seed, the rater's number and the rater's earlier items. Nothing is
stored in advance. Raters with the same number of items get the same number of gold items. So a study can announce how
many items its raters get.
"""

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, get_args

from core.errors import NotEnoughSamples
from core.studies.asking.form_words import numbered
from core.studies.planning.choices import ExplainedScore

Role = Literal["item", "practice", "gold"]  # what an item is for
Making = Literal["swapped", "turned"]
MAKINGS: tuple[Making, ...] = get_args(Making)
JUDGED_BY: Mapping[Making, str] = {"swapped": "factuality", "turned": "consistency"}  # how made -> criterion rated low
EXTREME = 0.2  # a score can be reversed in a gold item if it is at most this share of the scale from an end
_DONORS = 30  # number of samples drawn for a gold item, which shows the explanation of the least similar caption


@dataclass(frozen=True, slots=True)
class Source:
    """A sample that can become a gold item."""

    sample: int
    image: int | None
    found: bool  # True: the sample's picture was found
    caption: str
    scores: tuple[ExplainedScore, ...]  # the sample's scores by the study's metrics
    used: bool  # True: the study already shows the picture
    taken: bool = False  # True: a gold or practice item in use shows the picture


@dataclass(frozen=True, slots=True)
class Proposal:
    """A proposed gold item (with a known right answer).

    How the item was made determines the right answer. A person must check the item before use.
    """

    making: Making
    sample: int  # sample with the displayed picture and caption
    scores: tuple[int, ...]  # displayed scores


def expected(making: Making, low: int) -> dict[str, tuple[int, int]]:
    """Return the right answers to a gold item, by criterion: the lowest and highest right point.

    making: how the gold item was made. low: the highest point of the scale's lower half.
    """
    return {JUDGED_BY[making]: (1, low)}


def proposals(making: Making, sources: Sequence[Source], panels: int, count: int, seed: int) -> tuple[Proposal, ...]:
    """Return up to `count` possible gold items (with a known right answer).

    Items with pictures that the study does not show come first. All items have different pictures. None shows a picture
    of existing gold items, because raters would recognise a gold item by a repeated picture. panels: number
    of explanations side by side, all of one sample; 1: a single explanation. The same arguments give the same items.
    Raises NotEnoughSamples if no item can be made.
    """
    numbers = random.Random(f"{making}/{seed}")
    shuffled = numbers.sample(sources, len(sources))
    proposed = []
    shown = {source.image for source in sources if source.taken}
    for source in sorted(shuffled, key=lambda one: one.used):
        scores = () if source.image in shown else _MAKERS[making](source, sources, panels, numbers)
        if scores:
            proposed.append(Proposal(making, source.sample, scores))
            shown.add(source.image)
        if len(proposed) == count:
            break
    if not proposed:
        raise NotEnoughSamples(_NONE[making])
    return tuple(proposed)


_NONE: Mapping[Making, str] = {
    "swapped": (
        "No new control item can be made. It needs explanations of two pictures by the study's metrics, and at least "
        "one of these pictures as a file. Each picture is used for at most one gold item."
    ),
    "turned": (
        f"No new control item can be made. It needs a score that is within {EXTREME:.0%} of the lowest or highest "
        "possible score. Each picture is used for at most one gold item."
    ),
}


def _swapped(source: Source, sources: Sequence[Source], panels: int, numbers: random.Random) -> tuple[int, ...]:
    """Return the ids of scores whose explanations describe another picture.

    panels: how many explanations the page shows. The same number of scores is returned. Preferred is a picture whose
    caption has few words in common with the item's caption. Returns () if no picture is suitable.
    """
    drawn = numbers.sample(sources, min(len(sources), _DONORS))
    donors = [donor for donor in drawn if donor.image != source.image and len(donor.scores) >= panels]
    if not donors or not source.scores or not source.found:  # factuality cannot be judged without the item's picture
        return ()
    words = set(source.caption.casefold().split())
    donor = min(donors, key=lambda one: len(words & set(one.caption.casefold().split())))
    return _some(donor.scores, panels, numbers)


def _turned(source: Source, sources: Sequence[Source], panels: int, numbers: random.Random) -> tuple[int, ...]:
    extreme = [score for score in source.scores if not EXTREME < score.position < 1 - EXTREME]
    return _some(extreme, panels, numbers) if len(extreme) >= panels else ()


def _some(scores: Sequence[ExplainedScore], panels: int, numbers: random.Random) -> tuple[int, ...]:
    return tuple(score.id for score in (numbers.sample(scores, 1) if panels == 1 else scores[:panels]))


_MAKERS = {"swapped": _swapped, "turned": _turned}


@dataclass(frozen=True, slots=True)
class Controls:
    """The practice items and gold items available for a rater."""

    practice: int = 0  # number of practice items that the rater has not received; they come before all other items
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
        return " + ".join([numbered(self.items, "item"), *(f"{n} {what}" for n, what in more if n)])


def workload(seed: int, items: int, controls: Controls, rater: int = 0) -> Workload:
    """Return how many items of each role a rater gets. items: the rater's number of items that count in results."""
    roles = list(roles_to_come(seed, rater, [], items, controls))
    practice, gold = roles.count("practice"), roles.count("gold")
    return Workload(len(roles) - practice - gold, practice, gold)


def roles_to_come(seed: int, rater: int, past: Sequence[Role], free: int, controls: Controls) -> Iterator[Role]:
    """Yield the roles of a rater's next items: practice, gold, or an item that counts in results.

    past: the roles of the earlier items. rater: the rater's number in the study. free: how many items that count in
    results this rater still gets.

    Items that count in results form blocks of gold_every items. In each full block, one gold item is inserted before a
    random item.
    """
    practice: list[Role] = ["practice"] * (controls.practice if free else 0)
    yield from practice
    roles, gold = [*past, *practice], controls.gold
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
    firsts = range(0, end - end % every, every)
    return {random.Random(f"{name}/{n}").randint(at, at + every - 1): n for n, at in enumerate(firsts)}
