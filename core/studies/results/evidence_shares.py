"""Summarise evidence: shares of wrong sentences by kind of error, aspect and position.

The positions are those in the text and in the picture. Each judgement counts once, so a sentence with three raters
counts three times. Intervals resample items.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np

from core.statistics.bootstrap import DRAWS, SEED, mean_interval
from core.studies.asking.criteria import ABSTAIN
from core.studies.results.evidence_export import EvidenceRecord
from core.studies.results.export import RatingRecord
from core.studies.results.rating_errors import RatedError

AREAS = ((0.01, "under 1 %"), (0.05, "1 to 5 %"), (0.2, "5 to 20 %"), (1.0, "20 % and more"))
BY_NAMED_AREA = "wrong sentences, by the smallest region that they mention"
RIGHT = "share of right sentences"


@dataclass(frozen=True, slots=True)
class EvidenceShare:
    """A share of the judgements of one metric's explanations. None: undefined, because there are too few judgements."""

    metric: str
    by: str  # grouping of the judgements: "verdict", "aspect", "kind of error" ...
    group: str
    n: int  # number of judgements, or of pairs (explanation, rater) if `by` is "whole explanation"
    count: int
    share: float | None  # [0, 1]
    ci_low: float | None  # 95 % interval of the share, bootstrap over items
    ci_high: float | None


def evidence_shares(
    records: Iterable[EvidenceRecord],
    areas: Mapping[tuple[int, str, int], float] = MappingProxyType({}),
    draws: int = DRAWS,
    seed: int = SEED,
    remarked: Sequence[EvidenceRecord] | None = None,
) -> tuple[EvidenceShare, ...]:
    """Return all shares, one metric after another.

    The metrics are in order of first appearance. areas: the size of the smallest region that a judged sentence names,
    as a share of the picture. The keys of `areas` are (item, signature, sentence). remarked: records with raters'
    remarks on whole explanations; None: the remarks in `records` are used.
    """
    records = list(records)
    cells: dict[tuple[str, str, str], dict[int, list[int]]] = {}
    wholes: set[tuple[int, str, str]] = set()  # keys (item, signature, rater) of explanations already counted

    def count(record: EvidenceRecord, facts: Iterable[tuple[str, str, bool]]) -> None:
        for by, group, belongs in facts:
            cell = cells.setdefault((record.metric, by, group), defaultdict(lambda: [0, 0]))
            cell[record.item][0] += belongs
            cell[record.item][1] += 1

    for record in records:
        area = areas.get((record.item, record.signature, record.sentence))
        named = () if area is None else [(BY_NAMED_AREA, _bin(area), record.verdict == "wrong")]
        count(record, (*_facts(record), *named))
    for record in records if remarked is None else remarked:
        whole = (record.item, record.signature, record.rater)
        if whole not in wholes:
            count(record, _remarks(record))
        wholes.add(whole)
    order = {metric: place for place, metric in enumerate(dict.fromkeys(key[0] for key in cells))}
    rank = {by: place for place, by in enumerate(_ORDER)}
    sizes = {name: place for place, (_, name) in enumerate(AREAS)}
    keys = sorted(cells, key=lambda key: (order[key[0]], rank[key[1]], sizes.get(key[2], len(sizes))))
    return tuple(_share(*key, cells[key], draws, seed) for key in keys)


_ORDER = (
    "verdict",
    "wrong sentences, by aspect",
    "wrong sentences, by position in the text",
    BY_NAMED_AREA,
    "kind of error",
    "how bad",
    "marked",
    "position on the picture",
    "whole explanation",
)
_VERDICTS = {"right": "right", "wrong": "wrong", "unclear": "cannot tell", "beside": "not about the picture"}
_KINDS = ("object", "attribute", "number", "spatial_relation", "text", "named_entity")


def _facts(record: EvidenceRecord) -> Iterator[tuple[str, str, bool]]:
    """Yield the groups to which a judgement of a sentence may belong.

    Each tuple has the kind of group (such as "verdict") and the group (such as "wrong"). The third value says whether
    the judgement belongs to the group.
    """
    is_wrong = record.verdict == "wrong"
    for verdict, name in _VERDICTS.items():
        yield "verdict", name, record.verdict == verdict
    yield "wrong sentences, by aspect", record.aspect, is_wrong
    yield "wrong sentences, by position in the text", _third(record), is_wrong
    if not is_wrong:
        return
    for kind in _KINDS:
        yield "kind of error", kind.replace("_", " "), record.kind == kind
    for severity in ("minor", "major"):
        yield "how bad", severity, record.severity == severity
    yield "marked", "words", record.words_start is not None
    yield "marked", "a place", record.place is not None
    for _, name in AREAS:
        yield "position on the picture", name, _area(record) == name
    for name in ("nowhere", "not said"):
        yield "position on the picture", name, _area(record) == name


def _remarks(record: EvidenceRecord) -> Iterator[tuple[str, str, bool]]:
    """Yield the groups to which a remark on an explanation may belong.

    The tuples are as in `_facts`. Each rater makes one remark on a whole explanation. So shares of remarks are computed
    over all pairs of an explanation and a rater.
    """
    yield "whole explanation", "overlooks something", record.overlooked > 0
    yield "whole explanation", "true, but irrelevant to the caption's quality", record.no_fault


def _third(record: EvidenceRecord) -> str:
    return ("first third", "middle", "last third")[min(2, 3 * (record.sentence - 1) // record.sentences)]


def _area(record: EvidenceRecord) -> str:
    """Return the size class of the area that a rater marked for an error, as a share of the picture.

    If the rater marked no area, returns "nowhere" or "not said".
    """
    if record.area is None:
        return record.place if record.place == "nowhere" else "not said"
    return _bin(record.area)


def _bin(area: float) -> str:
    return next(name for limit, name in AREAS if area < limit or limit == 1.0)


def _share(metric: str, by: str, group: str, items: dict[int, list[int]], draws: int, seed: int) -> EvidenceShare:
    held = np.array(list(items.values()), dtype=np.int64)
    count, n = (int(total) for total in held.sum(axis=0))
    interval = mean_interval(held[:, 0].astype(float), held[:, 1], draws, seed)
    low, high = (interval.low, interval.high) if interval else (None, None)
    return EvidenceShare(metric, by, group, n, count, count / n if n else None, low, high)


def wrong_beside_ratings(records: Iterable[EvidenceRecord], ratings: Iterable[RatingRecord]) -> Iterator[RatedError]:
    """Yield each explanation's mean rating on a criterion, with the share of its sentences that are wrong.

    Mean and share are computed over all raters of one study. Abstentions do not count in the mean. Only sentences that
    are judged right or wrong count in the share.
    """
    held: dict[tuple[str, int], list[bool]] = defaultdict(list)
    named: dict[tuple[str, int], str] = {}
    for record in records:
        if record.verdict in ("right", "wrong"):
            held[record.signature, record.item].append(record.verdict == "wrong")
            named[record.signature, record.item] = record.metric
    points: dict[tuple[str, int, str], list[int]] = defaultdict(list)
    for rating in ratings:
        if rating.rating > ABSTAIN:
            points[rating.signature, rating.item, rating.criterion].append(rating.rating)
    for (signature, item, criterion), given in points.items():
        wrong = held.get((signature, item))
        if wrong:
            yield RatedError(named[signature, item], criterion, sum(given) / len(given), sum(wrong) / len(wrong))


def right_beside_errors(records: Iterable[EvidenceRecord]) -> Iterator[RatedError]:
    """Yield each explanation's share of right sentences, with the error of the explained score.

    Only captions with human scores are included. Sentences with the verdict "unclear" or "beside" (not about the
    picture) are ignored.
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
