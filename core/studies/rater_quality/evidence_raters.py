"""Summarise each rater's judgements of sentences, and their time."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from statistics import median

from core.studies.results.evidence_export import EvidenceRecord


@dataclass(frozen=True, slots=True)
class SentenceRater:
    """One rater's judgements of sentences."""

    rater: str
    items: int
    sentences: int
    wrong: float  # share of sentences that the rater judged wrong, [0, 1]
    seconds: float  # median time per item in seconds
    sentence_seconds: float  # median over items of the time per judged sentence, in seconds


def sentence_raters(records: Iterable[EvidenceRecord]) -> tuple[SentenceRater, ...]:
    """Return a summary of each rater, sorted by the rater's code.

    records: the judged sentences, without excluded records.
    """
    by_rater: dict[str, dict[int, list[EvidenceRecord]]] = defaultdict(lambda: defaultdict(list))
    for record in records:
        by_rater[record.rater][record.item].append(record)
    return tuple(_summary(rater, list(by_rater[rater].values())) for rater in sorted(by_rater))


def _summary(rater: str, items: list[list[EvidenceRecord]]) -> SentenceRater:
    seconds = [max(one.duration_ms for one in item) / 1000 for item in items]
    verdicts = [one.verdict for item in items for one in item]
    return SentenceRater(
        rater=rater,
        items=len(items),
        sentences=len(verdicts),
        wrong=verdicts.count("wrong") / len(verdicts),
        seconds=median(seconds),
        sentence_seconds=median(time / len(item) for time, item in zip(seconds, items, strict=True)),
    )
