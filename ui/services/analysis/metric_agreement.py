"""Compute how far metrics agree with people, for Analyse and the report.

Results are cached until the data change.
"""

from collections.abc import Hashable, Iterable, Mapping, Sequence
from contextlib import nullcontext
from threading import Lock
from typing import TYPE_CHECKING

import numpy as np

from core.analysis.column_names import split
from core.benchmarks.columns import Columns, JudgedColumn, with_scores
from core.datasets import benchmark_named
from core.errors import BadSetting, NotFound
from ui.services.analysis.analyst import Analyst
from ui.services.analysis.conventions import convention_of
from ui.services.analysis.correlation_tables import Correlations, correlation_tables
from ui.services.analysis.kept_results import Kept
from ui.services.long_work import turn

if TYPE_CHECKING:
    from core.benchmarks.figures import BenchmarkFigures, Correlated
    from core.datasets.benchmark import Benchmark

DATASETS_KEPT = 2  # maximum number of data sets whose judgements are cached
SAMPLES_KEPT = 4_000_000  # maximum of samples × metrics, summed over all cached data sets
PARTS_KEPT = 8  # maximum number of cached selections of samples, with scores and judgements; SCORES_KEPT may lower it
SCORES_KEPT = 4_000_000  # maximum number of scores in all cached selections together: 200 MB

_Part = tuple[str, bytes | None, Hashable]  # (data set, mask of chosen samples or None for all, version of the data)


class AgreementDesk:
    """Computes agreement with people for one workplace. Results are cached until the data or the slice change."""

    def __init__(self, analyst: Analyst) -> None:
        self._analyst = analyst
        self._turn = Lock()  # one thread computes at a time, so that waiting threads find the result in the cache
        self._reading = Lock()  # one thread reads judgements at a time, so that waiting threads find them in the cache
        self._judged = Kept(self._read_judged, DATASETS_KEPT, SAMPLES_KEPT, lambda columns: _scores(columns.values()))
        self._figures = Kept(self._of_part, PARTS_KEPT, SCORES_KEPT, lambda figures: _scores(figures.columns.values()))

    def correlations(
        self,
        dataset: str,
        metrics: Sequence[str],
        benchmark: str | None,
        slice_name: str | None = None,
        intervals: bool = True,
        common: Sequence[str] = (),
    ) -> Correlations:
        """Return all results on agreement, with the published values.

        intervals: whether to compute intervals and comparisons of metrics, which is slow. common: only samples with
        scores of all these metrics count. Raises NotFound, BadSetting.
        """
        name = convention_of(self._analyst.workplace, dataset, benchmark)
        table = self._analyst.table(dataset)
        names = [column.name for column in map(table.metric, metrics) if not column.by_people]
        if not names:
            raise BadSetting(
                f"These scores of {dataset} are human judgements themselves, so they cannot be compared with human "
                "judgements."
            )
        every = tuple(sorted({table.metric(metric).name for metric in common}))
        figures = self._figures(name, self._part(dataset, slice_name), every)
        self._check(dataset, figures.columns, names)
        with turn(self._turn, "Waiting until another page has computed its intervals") if intervals else nullcontext():
            correlated = figures.of(names, intervals)
        if correlated.is_empty:
            raise BadSetting(f"{dataset} has no judgements that {name} uses. Choose another convention.")
        if correlated.taus and not correlated.accuracies and all(row.tau_b is None for row in correlated.taus):
            raise BadSetting(f"No agreement can be computed for these samples of {dataset}: {correlated.taus[0].note}.")
        remarks = [_BY_ERROR] if slice_name and self._analyst.is_by_error(dataset, slice_name) else []
        metrics_there, is_whole = self._analyst.workplace.metrics, not slice_name and not every
        columns = {column_name: table.metric(column_name) for column_name in names}
        return correlation_tables(correlated, columns, metrics_there, counted(figures, names), is_whole, remarks)

    def figures(self, dataset: str, columns: Sequence[str], benchmark: str) -> "Correlated":
        """Return how well scores agree with people, by a benchmark's rules.

        columns: the scores in the data set. The results have no intervals. Raises NotFound, BadSetting.
        """
        figures = self._figures(benchmark_named(benchmark).name, self._part(dataset, None), ())
        self._check(dataset, figures.columns, columns)
        return figures.of(columns, intervals=False)

    def judged(self, dataset: str) -> Columns:
        """Return every metric's scores and the human judgements, in the score table's order. Raises NotFound."""
        found = self._beside_people(dataset, self._analyst.stamp(dataset))
        size = len(self._analyst.table(dataset))
        if any(len(column.sample) != size for column in [*found.values()]):
            raise NotFound(_CHANGED.format(dataset))
        return found

    def part(self, dataset: str, slice_name: str | None) -> JudgedColumn:
        """Return the judgements and scores of some samples. Raises NotFound.

        slice_name: the samples of this slice (saved filter); None: all samples.
        """
        column = next(iter(self.judged(dataset).values()), None)
        if column is None:  # no metric has a column of scores, because all scores are errors instead of values
            column = self._analyst.workplace.repository.analysis.judged(dataset)
        return column.where(self._analyst.members(dataset, slice_name).mask) if slice_name else column

    def rule(self, dataset: str) -> "Benchmark | None":
        """Return the benchmark by whose rule judgements are used for taus.

        The rule says whether taus use single judgements or each caption's mean judgement. None: the data set consists
        of compared pairs. Raises NotFound.
        """
        name = convention_of(self._analyst.workplace, dataset)
        return self._figures(name, self._part(dataset, None), ()).rule

    def _part(self, dataset: str, slice_name: str | None) -> _Part:
        stamp = self._analyst.stamp(dataset)
        mask = self._analyst.members(dataset, slice_name).mask.tobytes() if slice_name else None
        return dataset, mask, stamp

    def _check(self, dataset: str, columns: Mapping[str, JudgedColumn], metrics: Sequence[str]) -> None:
        if any(metric not in columns and not split(metric)[1] for metric in metrics):
            raise NotFound(_CHANGED.format(dataset))
        if not any(len(columns[metric].sample) for metric in metrics):
            raise BadSetting(
                f"No chosen sample of {dataset} has a score. Choose another metric or a slice with more samples."
            )
        if not any(columns[metric].is_judged for metric in metrics):
            raise BadSetting(f"These samples of {dataset} have no human judgements, so agreement cannot be computed.")

    def _beside_people(self, dataset: str, stamp: Hashable) -> Columns:
        with turn(self._reading, "Waiting until another page has read the judgements"):
            return self._judged(dataset, stamp)

    def _read_judged(self, dataset: str, _stamp: Hashable) -> Columns:
        table = self._analyst.table(dataset)
        return with_scores(self._analyst.workplace.repository.analysis.judged(dataset), table)

    def _of_part(self, benchmark: str, part: _Part, common: Sequence[str]) -> "BenchmarkFigures":
        """Return the scores and judgements from which agreement is computed.

        They belong to those samples of `part` that have scores of all metrics in `common`. Raises NotFound if an import
        has changed the data in the meantime.
        """
        from core.benchmarks.figures import BenchmarkFigures  # imported late, so that scipy is loaded only if needed

        dataset, mask, stamp = part
        judged = self._beside_people(dataset, stamp)
        if mask is not None and any(len(mask) != len(column.sample) for column in [*judged.values()]):
            raise NotFound(_CHANGED.format(dataset))
        every = [np.isfinite(judged[metric].smoothed) for metric in common]
        if mask is not None:
            every.append(np.frombuffer(mask, dtype=bool))
        chosen = np.logical_and.reduce(every) if every else True

        def scored(name: str) -> JudgedColumn:
            return judged[name].where(np.isfinite(judged[name].smoothed) & chosen)

        whole = {name: scored(name) for name, column in [*judged.items()] if not column.part}
        return BenchmarkFigures(benchmark, Columns(whole, scored))


def _scores(columns: Iterable[JudgedColumn]) -> int:
    return sum(len(column.sample) for column in columns)


def counted(figures: "BenchmarkFigures", metrics: Sequence[str]) -> str:
    """Return a text that explains the column n in tables of taus.

    The column counts captions, or the single judgements of all captions. The text is empty for a data set of compared
    pairs.
    """
    if figures.rule is None:
        return ""
    columns = [figures.columns[metric] for metric in metrics]
    of = columns[int(np.argmax([len(column.sample) for column in columns]))]
    known = of.where(of.counts > 0 if figures.rule.per_judgement else np.isfinite(of.human))
    size = f"{len(known.sample):,} captions of {len(np.unique(known.image)):,} images"
    if figures.rule.per_judgement:
        return f"n is the number of single judgements: {len(known.judgements):,} of {size}."
    return f"n is the number of captions; each has the mean of its human ratings: {size}."


_BY_ERROR = (
    "This slice selects samples by a metric’s error, which depends on the human judgements. So agreement within the "
    "slice follows from the selection and does not describe the metric."
)
_CHANGED = "The scores of {} have just changed. Load the page again."
