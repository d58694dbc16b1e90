"""Control items that check how raters work: practice at the start, and gold items.

A gold item has a known right answer. It is made from the study's own data in one of two ways. A "swapped" item shows
the explanation of another picture, so Factuality cannot be high. A "turned" item shows the score as 1 - score, so the
explanation cannot be consistent with this score. core.studies.planning.control_places inserts control items into a
rater's order.
"""

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, get_args

from core.errors import NotEnoughSamples

Making = Literal["swapped", "turned"]
MAKINGS: tuple[Making, ...] = get_args(Making)
JUDGED_BY: Mapping[Making, str] = {"swapped": "factuality", "turned": "consistency"}  # how made -> criterion rated low
EXTREME = 0.2  # a score can be reversed in a gold item if it is at most this share of the scale from an end
_DONORS = 30  # number of samples drawn for a gold item, which shows the explanation of the least similar caption


@dataclass(frozen=True, slots=True)
class SourceScore:
    """A score with an explanation, with the fields that are needed to make gold items."""

    id: int
    metric: str
    position: float  # the value's position in its scale, [0, 1]


@dataclass(frozen=True, slots=True)
class Source:
    """A sample that can become a gold item."""

    sample: int
    image: int
    found: bool  # True: the sample's picture was found
    caption: str
    scores: tuple[SourceScore, ...]  # the sample's scores by the study's metrics
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
    of existing gold or practice items, because raters would recognise a gold item by a repeated picture. panels: number
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
        "one of these pictures as a file. Each picture is used for at most one gold or practice item."
    ),
    "turned": (
        f"No new control item can be made. It needs a score that is within {EXTREME:.0%} of the lowest or highest "
        "possible score. Each picture is used for at most one gold or practice item."
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


def _some(scores: Sequence[SourceScore], panels: int, numbers: random.Random) -> tuple[int, ...]:
    return tuple(score.id for score in (numbers.sample(scores, 1) if panels == 1 else scores[:panels]))


_MAKERS = {"swapped": _swapped, "turned": _turned}
