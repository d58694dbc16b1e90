"""Items that are put among a study's own to see how raters work: training at the start, gold, silent repeats.

Gold is made of the study's own data: an explanation of another picture, whose Factuality cannot be high, or a score
that is shown turned (1 - score), whose explanation cannot be consistent with it. core.studies.planning.control_places
says where controls come in a rater's order.
"""

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, get_args

from core.errors import NotEnoughSamples

Making = Literal["swapped", "turned"]
MAKINGS: tuple[Making, ...] = get_args(Making)
JUDGED_BY: Mapping[Making, str] = {"swapped": "factuality", "turned": "consistency"}  # the criterion that must be low
EXTREME = 0.2  # a turned score stands so near one end of its scale at least
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
    used: bool  # its picture is part of the study already
    taken: bool = False  # its picture is shown by gold or practice that is in use


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


def proposals(making: Making, sources: Sequence[Source], panels: int, count: int, seed: int) -> tuple[Proposal, ...]:
    """Return up to count items that could be gold, with pictures that the study does not show where there are any.

    No two show the same picture, and none a picture that is taken: a picture that comes twice gives gold away. panels:
    explanations side by side, of one sample each; 1: single. The same arguments give the same items. Raises
    NotEnoughSamples where none can be made.
    """
    numbers = random.Random(f"{making}/{seed}")
    shuffled = numbers.sample(sources, len(sources))
    found = []
    shown = {source.image for source in sources if source.taken}
    for source in sorted(shuffled, key=lambda one: one.used):
        scores = () if source.image in shown else _MAKERS[making](source, sources, panels, numbers)
        if scores:
            found.append(Proposal(making, source.sample, scores))
            shown.add(source.image)
        if len(found) == count:
            break
    if not found:
        raise NotEnoughSamples(_NONE[making])
    return tuple(found)


_NONE: Mapping[Making, str] = {
    "swapped": "None can be made that is not there yet: it takes explanations of two pictures by the study's metrics, "
    "and one of the pictures must have been found. No picture is used for two gold or practice items.",
    "turned": f"None can be made that is not there yet: it takes scores within {EXTREME:.0%} of an end of their scale. "
    "No picture is used for two gold or practice items.",
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
