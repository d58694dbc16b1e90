"""Count the things that explanations name, but that have no region in annotated pictures.

A thing counts only if the explanation claims that it is there. Also, annotators must have looked for things of its
kind. Things that a sentence denies or only quotes from the caption are not counted.

The module computes two rates for each metric. The first is the share of the counted things that are not among the
annotated regions. The second is the share of explanations with at least one such thing. These rates follow CHAIR
(Rohrbach et al., EMNLP 2018), but are for explanations by metrics. The module also measures the size of the regions
that explanations name.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from core.captions.explanation_hints import Hint
from core.statistics.bootstrap import DRAWS, SEED, mean_interval

CLAIMED = ("said", "lacking")  # stances of a sentence that says a thing is in the picture; "lacking": caption omits it


@dataclass(frozen=True, slots=True)
class NamedParts:
    """How many things one sentence names on an annotated picture, and how many have no region."""

    item: int  # number of the item, from 1
    metric: str
    signature: str
    sentence: int  # number of the sentence in the explanation, from 1
    things: int  # number of things that the sentence says are in the picture, if annotators looked for them
    absent: int  # number of things in `things` that annotators did not find, so that no region shows them
    area: float | None  # area of the smallest region named in the sentence, as a share of the picture; None: none


@dataclass(frozen=True, slots=True)
class AbsenceRow:
    """One metric's rates. None: undefined, because no thing was counted, or because there is only one item."""

    metric: str
    explanations: int  # number of explanations of annotated pictures
    things: int
    absent: int
    share: float | None  # `absent` divided by `things`, [0, 1]
    ci_low: float | None  # 95 % interval of the share, bootstrap over items
    ci_high: float | None
    with_absent: int  # number of explanations that name at least one thing that is not in the picture
    share_with: float | None  # `with_absent` divided by `explanations`, [0, 1]


def named_parts(
    item: int, metric: str, signature: str, sentence: int, hints: Sequence[Hint], areas: Sequence[float]
) -> NamedParts:
    """Count the things that a sentence names, and those of them without a region.

    hints: the named things. areas: the sizes of the picture's regions, as shares of the picture.
    """
    claimed = [hint for hint in hints if hint.stance in CLAIMED and hint.where != "unknown"]
    named = [areas[region] for hint in hints for region in hint.regions]
    absent = sum(hint.where != "picture" for hint in claimed)
    return NamedParts(item, metric, signature, sentence, len(claimed), absent, min(named, default=None))


def absence_rates(parts: Iterable[NamedParts], draws: int = DRAWS, seed: int = SEED) -> tuple[AbsenceRow, ...]:
    """Return how often each metric's explanations name absent things, in order of first appearance."""
    by_metric: dict[str, dict[int, list[NamedParts]]] = defaultdict(lambda: defaultdict(list))
    for part in parts:
        by_metric[part.metric][part.item].append(part)
    return tuple(_row(metric, items, draws, seed) for metric, items in by_metric.items())


def _row(metric: str, items: Mapping[int, Sequence[NamedParts]], draws: int, seed: int) -> AbsenceRow:
    held = np.array([[sum(p.absent for p in parts), sum(p.things for p in parts)] for parts in items.values()])
    absent, things = (int(total) for total in held.sum(axis=0))
    with_things = held[held[:, 1] > 0]
    interval = mean_interval(with_things[:, 0].astype(float), with_things[:, 1], draws, seed)
    low, high = (interval.low, interval.high) if interval else (None, None)
    with_absent = int((held[:, 0] > 0).sum())
    share = absent / things if things else None
    return AbsenceRow(metric, len(held), things, absent, share, low, high, with_absent, with_absent / len(held))
