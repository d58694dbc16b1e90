"""Count where in pictures raters marked something as wrong: regions by label, boxes, or nowhere."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from core.studies.results.evidence_export import EvidenceRecord

MOST_LABELS = 20  # maximum number of labels per metric; less frequent labels are counted together as "others"
BOX, NOWHERE, NOT_GIVEN, UNNAMED, OTHERS = "a box", "nowhere", "no place given", "a region without a label", "others"


@dataclass(frozen=True, slots=True)
class MarkedPlace:
    """How often raters chose one kind of position for the errors of one metric.

    Each error is a sentence that a rater calls wrong. The positions are regions of the picture with one label, boxes,
    or nowhere.
    """

    metric: str
    place: str  # label of the marked region, or BOX, NOWHERE, NOT_GIVEN, UNNAMED or OTHERS
    n: int  # number of "wrong" verdicts on the metric's sentences
    count: int
    share: float  # [0, 1]


def marked_places(records: Iterable[EvidenceRecord]) -> tuple[MarkedPlace, ...]:
    """Return one entry per metric and kind of position.

    Metrics are in order of appearance. For each metric, the most frequent position comes first.
    """
    places: dict[str, Counter[str]] = {}
    for record in records:
        if record.verdict == "wrong":
            places.setdefault(record.metric, Counter())[_place(record)] += 1
    return tuple(
        MarkedPlace(metric, place, counts.total(), count, count / counts.total())
        for metric, counts in places.items()
        for place, count in _few(counts)
    )


def _place(record: EvidenceRecord) -> str:
    if record.place == "region":
        return record.label or UNNAMED
    return {"box": BOX, "nowhere": NOWHERE}.get(record.place or "", NOT_GIVEN)


def _few(counts: Counter[str]) -> list[tuple[str, int]]:
    ordered = sorted(counts.items(), key=lambda one: (-one[1], one[0]))
    rest = sum(count for _, count in ordered[MOST_LABELS:])
    return [*ordered[:MOST_LABELS], *([(OTHERS, rest)] if rest else [])]
