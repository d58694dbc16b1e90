"""Count how often raters changed their judgement of a sentence after they saw the hint for it."""

from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from core.statistics.bootstrap import DRAWS, SEED, mean_interval
from core.studies.results.evidence_export import EvidenceRecord

CHANGED = "verdict changed after the hint"


@dataclass(frozen=True, slots=True)
class HintChange:
    """The share of judgements that raters changed in one way after a hint, for one metric.

    Example: judgements changed from "right" to "wrong".
    """

    metric: str
    what: str  # kind of change: CHANGED (any change), or the verdicts before and after, such as "right → wrong"
    n: int  # number of judgements with a hint
    count: int
    share: float  # [0, 1]
    ci_low: float | None  # 95 % interval of the share, bootstrap over items; None: one item only
    ci_high: float | None


def hint_changes(records: Iterable[EvidenceRecord], draws: int = DRAWS, seed: int = SEED) -> tuple[HintChange, ...]:
    """Return the shares of changed judgements by metric.

    For each metric, the share of judgements with any change comes first. The shares of the kinds of change follow, most
    frequent kind first.
    """
    by_metric: dict[str, list[EvidenceRecord]] = defaultdict(list)
    for record in records:
        if record.hint_shown and record.before_hint is not None:
            by_metric[record.metric].append(record)
    return tuple(row for metric, rows in by_metric.items() for row in _of_metric(metric, rows, draws, seed))


def _of_metric(metric: str, rows: list[EvidenceRecord], draws: int, seed: int) -> Iterable[HintChange]:
    changes = [f"{row.before_hint} → {row.verdict}" if row.before_hint != row.verdict else "" for row in rows]
    yield _share(metric, CHANGED, rows, [bool(one) for one in changes], draws, seed)
    for what, _ in Counter(filter(None, changes)).most_common():
        yield _share(metric, what, rows, [one == what for one in changes], draws, seed)


def _share(
    metric: str, what: str, rows: list[EvidenceRecord], belongs: list[bool], draws: int, seed: int
) -> HintChange:
    items: dict[int, list[int]] = defaultdict(lambda: [0, 0])
    for row, one in zip(rows, belongs, strict=True):
        items[row.item][0] += one
        items[row.item][1] += 1
    held = np.array(list(items.values()), dtype=np.int64)
    interval = mean_interval(held[:, 0].astype(float), held[:, 1], draws, seed)
    low, high = (interval.low, interval.high) if interval else (None, None)
    return HintChange(metric, what, len(rows), sum(belongs), sum(belongs) / len(rows), low, high)
