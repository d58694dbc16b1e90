"""Correlating metrics with people, from files or from the database; pages and command line both call this."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from core.datasets import Record, format_named, raise_bad
from core.errors import BadSetting, NotFound
from core.progress import Progress, no_progress
from storage.analysis.columns import judged_samples
from ui.services.workplace import Workplace

if TYPE_CHECKING:
    from core.benchmarks.columns import JudgedColumn
    from core.benchmarks.comparison import MetricDifference
    from core.benchmarks.correlation import Benchmark, Correlation
    from core.benchmarks.matching import Joined
    from core.benchmarks.pairwise import PairwiseAccuracy

SCORE_FORMATS = {
    ".txt": "fleur-results",
    ".json": "expert-results",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".csv": "csv",
}
OWN_FORMATS = {".jsonl": "jsonl", ".ndjson": "jsonl"}  # judgements may always come in our own form


@dataclass(frozen=True, slots=True)
class Correlated:
    """Figures of a benchmark, and what of the data they leave out."""

    benchmark: str
    taus: tuple["Correlation", ...]
    accuracies: tuple["PairwiseAccuracy", ...]
    differences: tuple["MetricDifference", ...]  # between every two metrics, by the benchmark's own tau
    remarks: tuple[str, ...]  # sentences on samples left out and figures that are undefined


def correlate_files(
    benchmark: str,
    judgements: Path | None,
    scores: Sequence[Path],
    score_format: str | None = None,
    progress: Progress = no_progress,
) -> Correlated:
    """Correlate scores from result files with judgements from a benchmark's own file.

    Without a file of judgements the scores' own labels count. Raises NotFound, BadFile, BadRow, BadSetting.
    """
    from core.benchmarks.columns import by_metric
    from core.benchmarks.figures import check_benchmark, rule_of
    from core.benchmarks.matching import join

    check_benchmark(benchmark)
    judged = [] if judgements is None else _read(judgements, _judgement_format(benchmark, judgements), progress)
    scored = [_read(file, score_format or _score_format(file), progress) for file in scores]
    joined = join(judged, *scored)
    if not joined.rows:
        raise BadSetting(_nothing(joined, len(judged), sum(map(len, scored))))
    columns = by_metric(joined.rows)
    return correlate_columns(benchmark, columns, rule_of(benchmark, columns.values()), _left_over(joined))


def correlate_dataset(workplace: Workplace, dataset: str, metrics: Sequence[str], benchmark: str | None) -> Correlated:
    """Correlate the scores of a data set in the database; without a benchmark its data say how. Raises NotFound."""
    from core.benchmarks.columns import with_scores
    from core.benchmarks.figures import BENCHMARK_NAMES, check_benchmark, rule_of

    table = workplace.repository.analysis.table(dataset)
    if not table.metrics:
        raise BadSetting(f"{dataset} has no scores yet; `python app.py import` adds scores to a data set.")
    known = {column.metric for column in table.metrics.values()}
    for metric in metrics:
        if metric not in known:
            raise NotFound(f"{dataset} has no score by {metric}; `python app.py import` adds scores to a data set.")
    every = with_scores(judged_samples(workplace.repository.database, dataset), table)
    columns = {name: column.where(np.isfinite(column.smoothed)) for name, column in every.items()}
    chosen = {name: columns[name] for name, of in table.metrics.items() if not metrics or of.metric in metrics}
    name = check_benchmark(benchmark) if benchmark else dataset
    remark = f"{name} is no known benchmark; its data suggest how it is computed."
    rule = rule_of(name, columns.values())  # of the data set, whichever metrics are asked for
    return correlate_columns(name, chosen, rule, [] if name in BENCHMARK_NAMES else [remark])


def correlate_columns(
    benchmark: str, columns: "Mapping[str, JudgedColumn]", rule: "Benchmark | None", remarks: list[str]
) -> Correlated:
    """Return a benchmark's figures for every metric. Raises BadSetting where nothing was judged."""
    from core.benchmarks.comparison import metric_differences
    from core.benchmarks.figures import figures

    taus, accuracies = figures(benchmark, columns, rule)
    if not any(row.n for row in taus) and not any(row.n for row in accuracies):
        raise BadSetting(f"The scores come without the human judgements that {benchmark} needs: give --judgements.")
    differences = metric_differences(columns, rule) if rule else ()
    undefined = [f"{row.metric}, {row.variant}: {row.note}." for row in taus if row.note]
    return Correlated(benchmark, tuple(taus), tuple(accuracies), differences, tuple(remarks + undefined))


def _read(file: Path, format_name: str, progress: Progress) -> list[Record]:
    def show(done: int, total: int) -> None:
        progress(f"Reading {file.name}", done, total)

    return list(format_named(format_name).read(file, raise_bad, show))


def _judgement_format(benchmark: str, file: Path) -> str:
    if file.suffix.lower() in OWN_FORMATS:
        return OWN_FORMATS[file.suffix.lower()]
    # Polaris's test set also comes as JSON, in the same form as Nebula's.
    return "nebula" if benchmark == "polaris" and file.suffix.lower() == ".json" else benchmark


def _score_format(file: Path) -> str:
    if file.suffix.lower() not in SCORE_FORMATS:
        raise BadSetting(f"Cannot tell the format of {file.name}: say --format, e.g. fleur-results.")
    return SCORE_FORMATS[file.suffix.lower()]


def _nothing(joined: "Joined", judged: int, scored: int) -> str:
    if joined.errors:
        return f"None of the {joined.errors} scores could be made: the score file holds only errors."
    return (
        f"None of {scored} scored samples has the picture and caption of one of {judged} judged samples: "
        "check that both files are of the same benchmark."
    )


def _left_over(joined: "Joined") -> list[str]:
    remarks = []
    if joined.without_score:
        remarks.append(f"{joined.without_score} judged samples have no score and are left out.")
    if joined.without_judgement:
        remarks.append(f"{joined.without_judgement} scored samples have no judgement and are left out.")
    if joined.errors:
        remarks.append(f"{joined.errors} scores could not be made and are left out.")
    return remarks
