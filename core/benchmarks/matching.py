"""Join scores to human judgements from another file.

Records are joined by picture and caption, never by position in the file. So a missing score in the middle of a file
does not shift the scores after it.
"""

from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from core.analysis.score_table import MetricColumn, Parts, ScoreTable, Version, column_names, part_columns
from core.datasets.base import Record
from core.errors import BadData
from core.picture_names import is_ending
from core.types import RAW, Pair, Score, sample_identity


@dataclass(frozen=True, slots=True)
class Joined:
    """Joined judgements and scores, and the numbers of records that could not be joined."""

    table: ScoreTable
    without_score: int  # judged samples without a score
    without_judgement: int  # scored samples without a judgement
    errors: int  # samples for which the metric gave an error instead of a score


@dataclass(frozen=True, slots=True)
class Match:
    """A judged sample, and the record with its score. Both can be the same record."""

    sample: Hashable
    judged: Record
    scored: Record

    @property
    def pair(self) -> Pair | None:
        """The pair, with the preference of the score file. Published files disagree about these preferences."""
        own = self.scored.pair
        return own if own and own.preferred is not None else self.judged.pair


def join(judged: Sequence[Record], *files: Sequence[Record]) -> Joined:
    """Join the scores of each file to human judgements.

    If `judged` is empty, the judgements in the score files are used. Raises BadData if two files have different scores
    of one metric for the same sample.
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
    scored_samples = {match.sample for match in matches}
    unscored = sum(sample not in scored_samples for sample in range(len(judged))) if by_judgements else 0
    errors = sum(not isinstance(one, Score) for match in matches for one in match.scored.scores)
    return Joined(_table(matches), unscored, unused, errors)


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


def _table(matches: Iterable[Match]) -> ScoreTable:
    """Return the matched samples that have a score. A metric with several signatures has a column for each."""
    samples: dict[Hashable, Match] = {}
    scores: dict[Version, dict[Hashable, Score]] = {}
    for match in matches:
        for one in match.scored.scores:
            if isinstance(one, Score):
                samples.setdefault(match.sample, match)
                first = scores.setdefault((one.metric, one.signature), {}).setdefault(match.sample, one)
                _check_same(match.judged.image, first, one)
    place = {sample: at for at, sample in enumerate(samples)}
    names = column_names(scores)
    order = sorted(scores, key=lambda version: [metric for metric, _ in scores].index(version[0]))
    places = {names[one]: np.array([place[sample] for sample in scores[one]], dtype=np.int64) for one in order}
    columns = {}
    for version in order:
        name, of = names[version], scores[version].values()
        value, raw = np.full((2, len(samples)), np.nan)
        value[places[name]] = [one.value for one in of]
        raw[places[name]] = [
            known if isinstance(known := one.components.get(RAW), float | int) else np.nan for one in of
        ]
        columns[name] = MetricColumn(name, version[0], name, next(iter(of)).scale, value, raw)
    of_name = {names[version]: of for version, of in scores.items()}

    def parts(name: str) -> Parts:
        return part_columns(columns[name], places[name], (one.components for one in of_name[name].values()))

    judged = [match.judged for match in samples.values()]
    frame = pd.DataFrame({"id": range(len(judged)), "human": np.array([one.human for one in judged], dtype=float)})
    frame["cluster"] = pd.factorize(np.array([one.image for one in judged], dtype=object), sort=True)[0]
    frame["counts"] = np.array([len(one.judgements) for one in judged], dtype=np.int64)
    frame["pair"] = pd.Series([match.pair for match in samples.values()], dtype=object)
    return ScoreTable(frame, np.array([point for one in judged for point in one.judgements]), columns, parts)


def _check_same(image: str, first: Score, second: Score) -> None:
    if first.value != second.value:
        raise BadData(
            f"{first.metric} has two different scores of {image}: {first.value} and "
            f"{second.value}. Give each metric's file once, and give metrics different names"
        )
