"""Items that are put among a study's own to see how raters work: training at the start, gold, silent repeats.

Gold is made of the study's own data: an explanation of another picture, whose Factuality cannot be high, or a score
that is shown turned (1 - score), whose explanation cannot be consistent with it. Where controls come in a rater's order
depends on a few numbers alone, so that nothing about it needs to be stored.
"""

import random
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, get_args

from core.errors import NotEnoughSamples
from core.studies.quality_types import Role

Making = Literal["swapped", "turned"]
MAKINGS: tuple[Making, ...] = get_args(Making)
JUDGED_BY: Mapping[Making, str] = {"swapped": "factuality", "turned": "consistency"}  # the criterion that must be low
APART = 10  # items at least between an item and its repeat
EXTREME = 0.2  # a turned score stands so near one end of its scale at least
GOLD_EVERY, REPEAT_EVERY = 15, 15  # by default
_DONORS = 30  # explanations of other pictures to choose from, by how little their captions have in common
_FEEDBACK: Mapping[Making, str] = {
    "swapped": "The explanation belongs to another picture, so that it cannot be factual here.",
    "turned": "The score was turned round: the explanation justifies the opposite one.",
}


@dataclass(frozen=True, slots=True)
class SourceScore:
    """A score with an explanation, as far as gold is made of it."""

    id: int
    metric: str
    position: float  # the value's place in its scale, [0, 1]


@dataclass(frozen=True, slots=True)
class Source:
    """A sample of which gold could be made."""

    sample: int
    image: int
    found: bool  # its picture was
    caption: str
    scores: tuple[SourceScore, ...]  # of the study's metrics
    used: bool  # it is part of the study already, in whatever role


@dataclass(frozen=True, slots=True)
class Proposal:
    """An item whose right answer is known by how it was made. Somebody has to look at it before raters get it."""

    making: Making
    sample: int  # whose picture and caption are shown
    scores: tuple[int, ...]  # that are shown with it


def expected(making: Making, low: int) -> dict[str, tuple[int, int]]:
    """Return what an item of that making must be answered with: criterion -> lowest and highest point."""
    return {JUDGED_BY[making]: (1, low)}


def feedback(making: Making) -> str:
    """Return what training says of an item once it is answered."""
    return _FEEDBACK[making]


def proposals(
    making: Making, sources: Sequence[Source], panels: int, count: int, seed: int, there: Collection[int] = ()
) -> tuple[Proposal, ...]:
    """Return up to count items that could be gold, made of samples that the study does not hold where there are any.

    panels: explanations side by side, of one sample each; 1: single. there: samples of which none is to be made. The
    same arguments give the same items. Raises NotEnoughSamples where none can be made.
    """
    numbers = random.Random(f"{making}/{seed}")
    shuffled = numbers.sample(sources, len(sources))
    found = []
    for source in sorted(shuffled, key=lambda one: one.used):
        scores = () if source.sample in there else _MAKERS[making](source, sources, panels, numbers)
        if scores:
            found.append(Proposal(making, source.sample, scores))
        if len(found) == count:
            break
    if not found:
        raise NotEnoughSamples(_NONE[making])
    return tuple(found)


_NONE: Mapping[Making, str] = {
    "swapped": "None can be made that is not there yet: it takes explanations of two pictures by the study's metrics, "
    "and one of the pictures must have been found.",
    "turned": f"None can be made that is not there yet: it takes scores within {EXTREME:.0%} of an end of their scale.",
}


def _swapped(source: Source, sources: Sequence[Source], panels: int, numbers: random.Random) -> tuple[int, ...]:
    """Return scores of another picture, by as many metrics; the less its caption has in common, the better."""
    drawn = numbers.sample(sources, min(len(sources), _DONORS))
    donors = [donor for donor in drawn if donor.image != source.image and len(donor.scores) >= panels]
    if not donors or not source.scores or not source.found:  # without the picture nobody can tell what is factual
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


# ---- where they come


@dataclass(frozen=True, slots=True)
class Controls:
    """What can be put among a rater's items."""

    training: int = 0  # items that come before all others
    gold: int = 0  # that this rater has not had yet
    gold_every: int | None = None  # one among so many; None: none
    repeat_every: int | None = None


def roles_to_come(seed: int, rater: int, past: Sequence[Role], free: int, controls: Controls) -> Iterator[Role]:
    """Yield the roles of the items that a rater gets next, until the study's own end; `past` are those given so far.

    rater: the rater's number in the study; free: the study's own items that are left for this rater.
    """
    roles, training, gold = list(past), controls.training, controls.gold
    begun, trained, again = "item" in roles, roles.count("training"), roles.count("repeat")
    far = roles[: max(len(roles) - APART, 0)].count("item")  # far enough back to be repeated
    while free > 0:
        role: Role = "item"
        if training > 0 and not begun:
            role, training, trained = "training", training - 1, trained + 1
        else:
            place = len(roles) - trained + 1
            planned = _planned(seed, rater, place, controls.gold_every, controls.repeat_every)
            if planned == "gold" and gold > 0:
                role, gold = "gold", gold - 1
            elif planned == "repeat" and far > again:
                role, again = "repeat", again + 1
        if role == "item":
            begun, free = True, free - 1
        roles.append(role)
        far += len(roles) > APART and roles[len(roles) - APART - 1] == "item"
        yield role


def _planned(seed: int, rater: int, place: int, gold_every: int | None, repeat_every: int | None) -> Role:
    """Return what is planned at a place, from 1: one control of a kind in each block, at a random place in it."""
    if gold_every and place == _in_block(f"{seed}/{rater}/gold", place, gold_every):
        return "gold"
    if repeat_every and place == _repeat_place(seed, rater, place, gold_every, repeat_every):
        return "repeat"
    return "item"


def _repeat_place(seed: int, rater: int, place: int, gold_every: int | None, every: int) -> int:
    """Return where the block's repeat comes; one place before gold where both were drawn at the same."""
    chosen = _in_block(f"{seed}/{rater}/repeat", place, every)
    taken = gold_every and chosen == _in_block(f"{seed}/{rater}/gold", chosen, gold_every)
    return chosen - 1 if taken and (chosen - 1) % every else chosen


@lru_cache(maxsize=4096)
def _drawn(name: str, block: int, every: int) -> int:
    return block * every + random.Random(f"{name}/{block}").randint(1, every)


def _in_block(name: str, place: int, every: int) -> int:
    return _drawn(name, (place - 1) // every, every)
