"""Samples grouped by human judgement, for distributions of scores at each level."""

from dataclasses import dataclass

import numpy as np

from core.arrays import Floats, Ints

MOST_LEVELS = 12  # more distinct levels than this are no levels: judgement is then cut into fifths
FIFTHS = ("0–0.2", "0.2–0.4", "0.4–0.6", "0.6–0.8", "0.8–1")


@dataclass(frozen=True, slots=True, eq=False)
class HumanGroups:
    """Which group each sample belongs to."""

    title: str  # what the groups are of
    names: tuple[str, ...]  # lowest first
    of: Ints  # (samples,) index into names; -1: not judged


def human_groups(human: Floats, levels: Floats) -> HumanGroups:
    """Group samples by the level of their median judgement, or by fifths of the mean where there are no levels.

    `human` is the mean judgement on [0, 1], `levels` the median on the source's own scale; both (samples,).
    """
    distinct = np.unique(levels[np.isfinite(levels)])
    if 1 < len(distinct) <= MOST_LEVELS:
        place = np.where(np.isfinite(levels), np.searchsorted(distinct, levels), -1)
        return HumanGroups("human level (median judgement)", tuple(f"{level:g}" for level in distinct), place)
    known = np.isfinite(human)
    place = np.where(known, np.minimum(4, np.floor(5 * np.where(known, human, 0))), -1).astype(np.int64)
    return HumanGroups("human judgement, rescaled to 0–1", FIFTHS, place)
