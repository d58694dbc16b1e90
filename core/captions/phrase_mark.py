"""What labels and outlines show about a statement of a caption: a mark with its reason in words."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from core.types import Mark

REVERSED: Mapping[Mark, Mark] = {"correct": "incorrect", "incorrect": "correct", "not judged": "not judged"}


class Verdict(NamedTuple):
    """A mark, such as "correct", with the reason for it in words."""

    mark: Mark
    reason: str
    part: str = ""  # what labels or outlines show of it: "man on bench" of "man sleeps on bench"; "": the whole phrase


def all_absent(things: Sequence[Verdict]) -> Verdict:
    """Return the verdict on "neither a car nor a bus", from the verdicts on whether each thing is there."""
    there = next((one for one in things if one.mark == "correct"), None)
    if there is not None:
        return Verdict("incorrect", there.reason)
    unknown = next((one for one in things if one.mark != "incorrect"), None)
    return unknown or Verdict("correct", things[0].reason)
