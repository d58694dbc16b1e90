"""What sentences of explanations name on annotated pictures: things that no region shows, and how small the parts are.

Rates in the manner of CHAIR (Rohrbach et al., EMNLP 2018), of metrics' explanations: of the things that they say to be
there, of kinds that were looked for, the share that is not among the annotated regions; and the share of explanations
with one at least. What is denied or only reported of the caption claims nothing of the picture and is not counted.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from core.captions.hints import Hint
from core.statistics.bootstrap import DRAWS, SEED, mean_interval

CLAIMED = ("said", "lacking")  # stances by which a thing is there


@dataclass(frozen=True, slots=True)
class NamedParts:
    """What one sentence names of an annotated picture."""

    item: int  # number of the item, from 1
    metric: str
    signature: str
    sentence: int  # its number in the explanation, from 1
    things: int  # said to be there, of kinds that were looked for
    absent: int  # of these not among the regions
    area: float | None  # of the smallest region that it names, share of the picture; None: it names none


@dataclass(frozen=True, slots=True)
class AbsenceRow:
    """One metric's rates. None: undefined with nothing to count, or with one item."""

    metric: str
    explanations: int  # on annotated pictures
    things: int
    absent: int
    share: float | None  # of things, [0, 1]
    ci_low: float | None  # 95 %, bootstrap over items
    ci_high: float | None
    with_absent: int  # explanations that name at least one such thing
    share_with: float | None  # of explanations, [0, 1]


def named_parts(
    item: int, metric: str, signature: str, sentence: int, hints: Sequence[Hint], areas: Sequence[float]
) -> NamedParts:
    """Count what a sentence names; areas: of the picture's regions, shares of the picture."""
    claimed = [hint for hint in hints if hint.stance in CLAIMED and hint.where != "unknown"]
    named = [areas[region] for hint in hints for region in hint.regions]
    absent = sum(hint.where != "picture" for hint in claimed)
    return NamedParts(item, metric, signature, sentence, len(claimed), absent, min(named, default=None))


def absence_rates(parts: Iterable[NamedParts], draws: int = DRAWS, seed: int = SEED) -> tuple[AbsenceRow, ...]:
    """Return the rates metric by metric, in order of first appearance."""
    by_metric: dict[str, dict[int, list[NamedParts]]] = defaultdict(lambda: defaultdict(list))
    for part in parts:
        by_metric[part.metric][part.item].append(part)
    return tuple(_row(metric, items, draws, seed) for metric, items in by_metric.items())


def _row(metric: str, items: Mapping[int, Sequence[NamedParts]], draws: int, seed: int) -> AbsenceRow:
    held = np.array([[sum(p.absent for p in parts), sum(p.things for p in parts)] for parts in items.values()])
    absent, things = (int(total) for total in held.sum(axis=0))
    told = held[held[:, 1] > 0]
    interval = mean_interval(told[:, 0].astype(float), told[:, 1], draws, seed)
    low, high = (interval.low, interval.high) if interval else (None, None)
    with_absent = int((held[:, 0] > 0).sum())
    share = absent / things if things else None
    return AbsenceRow(metric, len(held), things, absent, share, low, high, with_absent, with_absent / len(held))
