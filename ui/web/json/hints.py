"""Hints at a sentence, as pages get them."""

from collections.abc import Iterable
from dataclasses import dataclass

from core.captions.hints import Hint, Where
from core.captions.mention_status import Stance


@dataclass(frozen=True, slots=True)
class HintJson:
    """A thing that a sentence names, and where it was found."""

    start: int  # characters of the sentence
    end: int  # exclusive
    stance: Stance
    where: Where
    regions: tuple[int, ...]  # places among the regions that the page knows


def hints_json(hints: Iterable[Hint]) -> tuple[HintJson, ...]:
    """Return hints as pages get them."""
    return tuple(HintJson(one.start, one.end, one.stance, one.where, one.regions) for one in hints)
