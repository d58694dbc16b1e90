"""Correlate metrics with human judgements for the command line. The data come from files or from the database."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from core.analysis.column_names import part_name, split
from core.benchmarks.columns import by_metric, with_scores
from core.benchmarks.matching import Joined, join
from core.datasets import (
    BENCHMARKS,
    Format,
    Record,
    benchmark_named,
    format_named,
    judgement_format,
    raise_bad,
    score_format,
)
from core.errors import BadSetting, NotFound
from core.installation import COMMAND
from core.long_work.progress import Progress, no_progress
from ui.services.analysis.conventions import convention_of
from ui.services.workplace import Workplace

if TYPE_CHECKING:
    from core.benchmarks.figures import Correlated

_UNKNOWN = (
    f"{{name}} is not a known benchmark; the method is chosen by its data. To apply a benchmark's rules, name it: "
    f"{COMMAND} correlate BENCHMARK --dataset {{name}}."
)

Remarks = tuple[str, ...]  # sentences about excluded samples and undefined values


def correlate_files(
    benchmark: str,
    judgements: Path | None,
    scores: Sequence[Path],
    format_name: str | None = None,
    progress: Progress = no_progress,
    parts: Sequence[str] = (),
) -> "tuple[Correlated, Remarks]":
    """Correlate scores from result files with a benchmark's file of judgements.

    Without a file of judgements, the labels in the result files are used. parts: parts of the scores, such as
    "precision", to correlate too. Raises NotFound, BadFile, BadRow, BadSetting.
    """
    from core.benchmarks.figures import BenchmarkFigures  # imported late, so that scipy is loaded only if needed

    benchmark_named(benchmark)
    judged = [] if judgements is None else _read(judgements, judgement_format(benchmark, judgements), progress)
    named = format_named(format_name) if format_name else None
    scored = [_read(file, named or score_format(file), progress) for file in scores]
    joined = join(judged, *scored)
    if not joined.rows:
        raise BadSetting(_nothing(joined, len(judged), sum(map(len, scored))))
    columns = by_metric(joined.rows, parts)
    _check_parts(
        parts, columns, {name for row in joined.rows for name in row.score.components if row.part(name) is not None}
    )
    correlated = BenchmarkFigures(benchmark, columns).of(tuple(columns))
    _check_judged(correlated)
    return correlated, (*_left_over(joined), *_undefined(correlated))


def correlate_dataset(
    workplace: Workplace, dataset: str, metrics: Sequence[str], benchmark: str | None, parts: Sequence[str] = ()
) -> "tuple[Correlated, Remarks]":
    """Correlate the scores of a data set in the database.

    benchmark None: the rules of the data set's own benchmark apply. parts: parts of the scores, such as "precision", to
    correlate too. Raises NotFound.
    """
    found, remarks = dataset_figures(workplace, dataset, metrics, benchmark, parts)
    _check_judged(found)
    return found, remarks


def dataset_figures(
    workplace: Workplace,
    dataset: str,
    metrics: Sequence[str],
    benchmark: str | None,
    parts: Sequence[str] = (),
    intervals: bool = True,
) -> "tuple[Correlated, Remarks]":
    """Correlate a data set's scores, even if it has no human judgements.

    This function works like correlate_dataset, which raises an error without human judgements. intervals: whether to
    compute intervals and compare metrics.
    """
    from core.benchmarks.figures import BenchmarkFigures

    table = workplace.repository.analysis.table(dataset)
    if not table.metrics:
        raise BadSetting(f"{dataset} has no scores yet. To add scores, use `{COMMAND} import`.")
    known = {column.metric for column in table.compared.values()}
    if not known:
        people = ", ".join(table.metrics)
        raise BadSetting(f"{dataset} has no scores of metrics yet. Its scores are from people: {people}.")
    for metric in metrics:
        if metric not in known:
            raise NotFound(f"{dataset} has no score of {metric}. To add scores, use `{COMMAND} import`.")
    every = with_scores(workplace.repository.analysis.judged(dataset), table)
    own = [name for name, of in table.compared.items() if not metrics or of.metric in metrics]
    of_parts = [name for metric in own for name in (part_name(metric, part) for part in parts) if table.find(name)]
    chosen = [*own, *of_parts]
    if parts:
        counts = (workplace.repository.analysis.part_counts(table, metric) for metric in own)
        _check_parts(parts, chosen, {part for of_metric in counts for part in of_metric})
    columns = {name: every[name].where(np.isfinite(every[name].smoothed)) for name in (*table.metrics, *of_parts)}
    name = convention_of(workplace, dataset, benchmark)
    is_known = name in {one.name for one in BENCHMARKS}
    remarks = () if is_known else (_UNKNOWN.format(name=name),)
    correlated = BenchmarkFigures(name, columns).of(chosen, intervals)
    return correlated, (*remarks, *_undefined(correlated))


def _check_parts(parts: Sequence[str], columns: Iterable[str], known: Iterable[str]) -> None:
    """Raise NotFound for a component that no metric's scores have.

    A component of a score is, for example, "precision".
    """
    missing = [part for part in parts if part not in {split(name)[1] for name in columns}]
    if missing:
        there = ", ".join(sorted(known)) or "none"
        raise NotFound(f"No score here has the component {' or '.join(missing)}. Components of these scores: {there}.")


def _check_judged(found: "Correlated") -> None:
    """Raise BadSetting if no scored sample has a human judgement."""
    if found.is_empty:
        raise BadSetting(
            f"The scores have no human judgements, which {found.benchmark} needs. Add a file with --judgements."
        )


def _undefined(found: "Correlated") -> Remarks:
    """Return a sentence for each undefined correlation, with the reason."""
    named = ((", ".join(filter(None, (row.metric, row.variant))), row.note) for row in found.taus if row.note)
    return tuple(f"{name}: {note}." for name, note in named)


def _read(file: Path, known: Format, progress: Progress) -> list[Record]:
    def show(done: int, total: int) -> None:
        progress(f"Reading {file.name}", done, total)

    return list(known.read(file, raise_bad, show))


def _nothing(joined: Joined, judged: int, scored: int) -> str:
    if joined.errors:
        return f"None of the {joined.errors} scores could be computed. The score file contains only errors."
    return (
        f"No scored sample has the same picture and caption as a judged sample ({scored} scored, {judged} judged). "
        "Check that both files belong to the same benchmark."
    )


def _left_over(joined: Joined) -> list[str]:
    remarks = []
    if joined.without_score:
        remarks.append(f"{joined.without_score} judged samples have no score and are excluded.")
    if joined.without_judgement:
        remarks.append(f"{joined.without_judgement} scored samples have no judgement and are excluded.")
    if joined.errors:
        remarks.append(f"{joined.errors} scores could not be computed and are excluded.")
    return remarks
