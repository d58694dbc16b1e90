"""What came of evidence: how many sentences are wrong, of which kind, in which aspect, where in text and picture.

Shares are of judgements: a sentence that three raters judged counts three times. Intervals resample items.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np

from core.statistics.bootstrap import DRAWS, SEED, mean_interval
from core.studies.evidence_export import EvidenceRecord
from core.studies.rating_errors import RatedError

AREAS = ((0.01, "under 1 %"), (0.05, "1 to 5 %"), (0.2, "5 to 20 %"), (1.0, "20 % and more"))
RIGHT = "share of right sentences"


@dataclass(frozen=True, slots=True)
class EvidenceShare:
    """A share of the judgements of one metric's explanations. None: undefined with so few."""

    metric: str
    by: str  # what the judgements are divided by: "verdict", "aspect", "kind of error" ...
    group: str
    n: int  # judgements that it is a share of
    count: int
    share: float | None  # [0, 1]
    ci_low: float | None  # 95 %, bootstrap over items
    ci_high: float | None


def evidence_shares(
    records: Iterable[EvidenceRecord], draws: int = DRAWS, seed: int = SEED
) -> tuple[EvidenceShare, ...]:
    """Return every share, metric by metric in order of first appearance."""
    cells: dict[tuple[str, str, str], dict[int, list[int]]] = {}
    for record in records:
        for by, group, belongs in _facts(record):
            cell = cells.setdefault((record.metric, by, group), defaultdict(lambda: [0, 0]))
            cell[record.item][0] += belongs
            cell[record.item][1] += 1
    order = {metric: place for place, metric in enumerate(dict.fromkeys(key[0] for key in cells))}
    rank = {by: place for place, by in enumerate(_ORDER)}
    keys = sorted(cells, key=lambda key: (order[key[0]], rank[key[1]]))
    return tuple(_share(*key, cells[key], draws, seed) for key in keys)


_ORDER = (
    "verdict",
    "wrong, by aspect",
    "wrong, by place in the text",
    "kind of error",
    "how bad",
    "where on the picture",
)
_VERDICTS = {"right": "right", "wrong": "wrong", "unclear": "cannot tell", "beside": "not about the picture"}
_KINDS = ("object", "attribute", "number", "spatial_relation", "text", "named_entity")


def _facts(record: EvidenceRecord) -> Iterator[tuple[str, str, bool]]:
    """Yield what a judgement says to each table: by what, which group, whether it belongs to it."""
    is_wrong = record.verdict == "wrong"
    for verdict, name in _VERDICTS.items():
        yield "verdict", name, record.verdict == verdict
    yield "wrong, by aspect", record.aspect, is_wrong
    yield "wrong, by place in the text", _third(record), is_wrong
    if not is_wrong:
        return
    for kind in _KINDS:
        yield "kind of error", kind.replace("_", " "), record.kind == kind
    for severity in ("minor", "major"):
        yield "how bad", severity, record.severity == severity
    for _, name in AREAS:
        yield "where on the picture", name, _area(record) == name
    for name in ("nowhere", "not said"):
        yield "where on the picture", name, _area(record) == name


def _third(record: EvidenceRecord) -> str:
    return ("first third", "middle", "last third")[min(2, 3 * (record.sentence - 1) // record.sentences)]


def _area(record: EvidenceRecord) -> str:
    """Return how much of the picture the place of an error takes."""
    if record.area is None:
        return record.place if record.place == "nowhere" else "not said"
    return next(name for limit, name in AREAS if record.area < limit or limit == 1.0)


def _share(metric: str, by: str, group: str, items: dict[int, list[int]], draws: int, seed: int) -> EvidenceShare:
    held = np.array(list(items.values()), dtype=np.int64)
    count, n = (int(total) for total in held.sum(axis=0))
    interval = mean_interval(held[:, 0].astype(float), held[:, 1], draws, seed)
    low, high = (interval.low, interval.high) if interval else (None, None)
    return EvidenceShare(metric, by, group, n, count, count / n if n else None, low, high)


def right_beside_errors(records: Iterable[EvidenceRecord]) -> Iterator[RatedError]:
    """Yield each explanation's share of right sentences beside its score's error, where people judged the caption.

    Sentences of which nobody can tell, or which say nothing about the picture, are neither right nor wrong.
    """
    held: dict[tuple[str, int], list[EvidenceRecord]] = defaultdict(list)
    for record in records:
        if record.human is not None and record.verdict in ("right", "wrong"):
            held[record.metric, record.item].append(record)
    for (metric, _), rows in held.items():
        human = rows[0].human
        assert human is not None
        right = sum(row.verdict == "right" for row in rows) / len(rows)
        yield RatedError(metric, RIGHT, right, abs(rows[0].score_rescaled - human))
