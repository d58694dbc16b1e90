"""Join scores to human judgements from another file.

Records are joined by picture and caption, never by position in the file. So a missing score in the middle of a file
does not shift the scores after it.
"""

from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from core.datasets.base import Record
from core.errors import BadData
from core.picture_names import is_ending
from core.types import Pair, Score, sample_identity


@dataclass(frozen=True, slots=True)
class JudgedScore:
    """A metric's score of a sample, with the human judgements of the sample."""

    sample: Hashable  # id of the sample; all scores of one sample have the same id
    image: str  # the picture's file name or id
    human: float | None  # mean human judgement, [0, 1]
    judgements: tuple[float, ...]  # individual human judgements on the data set's own scale
    pair: Pair | None
    score: Score

    def part(self, name: str) -> float | None:
        """Return a numeric component of the score, such as "raw"; None if there is no such number."""
        value = self.score.components.get(name)
        return value if isinstance(value, float | int) else None


@dataclass(frozen=True, slots=True)
class Joined:
    """Joined judgements and scores, and the numbers of records that could not be joined."""

    rows: tuple[JudgedScore, ...]
    without_score: int  # judged samples without a score
    without_judgement: int  # scored samples without a judgement
    errors: int  # samples for which the metric gave an error instead of a score


def join(judged: Sequence[Record], *files: Sequence[Record]) -> Joined:
    """Join the scores of each file to human judgements.

    If `judged` is empty, the judgements in the score files are used. If `judged` and a score file both say which
    caption of a pair people prefer, the score file is used. The reason is that published files disagree about these
    preferences.

    Raises BadData if two files have different scores of one metric for the same sample.
    """
    matches: list[Match] = []
    unused, by_judgements = 0, False
    for scored in files:
        if not judged or all(record.pair and record.pair.preferred is not None for record in scored):
            matches += _with_themselves(scored)
        else:
            by_judgements = True
            found = _with_judgements(judged, scored)
            matches += found
            unused += len(scored) - len({id(match.scored) for match in found})
    rows, errors = _rows(matches)
    scored_samples = {match.sample for match in matches}
    unscored = sum(sample not in scored_samples for sample in range(len(judged))) if by_judgements else 0
    return Joined(tuple(rows), unscored, unused, errors)


@dataclass(frozen=True, slots=True)
class Match:
    """A judged sample, and the record with its score. Both can be the same record."""

    sample: Hashable
    judged: Record
    scored: Record


def _with_themselves(scored: Sequence[Record]) -> Iterator[Match]:
    seen: Counter[Hashable] = Counter()
    for record in scored:
        key = sample_identity(record.image, record.candidate), record.pair and record.pair.key
        seen[key] += 1
        yield Match((key, seen[key]), record, record)


def _with_judgements(judged: Sequence[Record], scored: Sequence[Record]) -> list[Match]:
    """Match judged records with scored records of the same picture and caption.

    If a picture and caption occur several times, the k-th judged record gets the k-th scored record. If there are fewer
    scored than judged records, the last scored record is used again.
    """
    by_identity: dict[Hashable, list[Record]] = defaultdict(list)
    for record in scored:
        by_identity[sample_identity(record.image, record.candidate)].append(record)
    seen: Counter[Hashable] = Counter()
    matches = []
    for sample, record in enumerate(judged):
        key = sample_identity(record.image, record.candidate)
        if key in by_identity:
            known = by_identity[key]
            known = [one for one in known if is_ending(one.image, record.image)] or known
            place = key, record.image
            matches.append(Match(sample, record, known[min(seen[place], len(known) - 1)]))
            seen[place] += 1
    return matches


def _rows(matches: Iterable[Match]) -> tuple[list[JudgedScore], int]:
    rows: dict[Hashable, JudgedScore] = {}
    errors = 0
    for match in matches:
        judged, scored = match.judged, match.scored
        pair = scored.pair if scored.pair and scored.pair.preferred is not None else judged.pair
        for outcome in scored.scores:
            if not isinstance(outcome, Score):
                errors += 1
                continue
            row = JudgedScore(match.sample, judged.image, judged.human, judged.judgements, pair, outcome)
            _check_same(rows.setdefault((match.sample, outcome.signature), row), row)
    return list(rows.values()), errors


def _check_same(first: JudgedScore, second: JudgedScore) -> None:
    if first.score.value != second.score.value:
        raise BadData(
            f"{first.score.metric} has two different scores of {first.image}: {first.score.value} and "
            f"{second.score.value}. Give each metric's file once, and give metrics different names"
        )
