"""Agreement of metrics with human judgement as `correlate` prints it and `capscope.agreement` returns it.

The scores come from data sets, or from files of scores and judgements.
"""

import os
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pandas as pd

from core.analysis.score_table import ScoreTable
from core.datasets import Format, benchmark_named, format_named, judgement_format, raise_bad, score_format
from core.errors import BadSetting
from core.long_work.progress import Progress, no_progress
from ui.services.analysis import found_in
from ui.services.analysis.analyst import Analyst
from ui.services.analysis.section import Asked, Found
from ui.services.importing.importing import import_files
from ui.services.tables import records
from ui.services.workplace import open_workplace
from ui.settings import Settings


def agreement(
    dataset: str,
    metrics: Sequence[str] = (),
    *,
    components: Sequence[str] = (),
    slice: str | None = None,
    benchmark: str = "",
    data_dir: str | Path | None = None,
) -> pd.DataFrame:
    """Return how well metrics agree with people, times 100: the first table of `correlate --dataset … --json`.

    metrics: names of metrics; (): all. components: components of the scores, such as "precision". slice: a saved
    filter. benchmark: the benchmark whose rule applies; "": the data set's own. data_dir: the data folder; None:
    CAPSCOPE_DATA or the default folder. Raises NotFound, BadSetting.
    """
    settings = Settings.from_env(os.environ).with_options(data_dir=None if data_dir is None else Path(data_dir))
    workplace = open_workplace(settings)
    try:
        found = of_datasets(Analyst(workplace), (dataset,), metrics, components, slice, benchmark)
        return pd.DataFrame(records(found.tables[0]))
    finally:
        workplace.repository.close()


def of_datasets(
    analyst: Analyst,
    datasets: Sequence[str],
    metrics: Sequence[str] = (),
    components: Sequence[str] = (),
    slice_name: str | None = None,
    benchmark: str = "",
) -> Found:
    """Correlate the scores of one data set or several. Several give one table. Raises NotFound, BadSetting."""
    options = {"rule": benchmark, "against": "all", "parts": ",".join(components)}
    asked = Asked(tuple(datasets), tuple(metrics), slice_name, options)
    return found_in(analyst, "several" if len(datasets) > 1 else "agreement", asked)


def of_files(
    benchmark: str,
    judgements: Path | None,
    scores: Sequence[Path],
    format_name: str | None = None,
    progress: Progress = no_progress,
    components: Sequence[str] = (),
) -> Found:
    """Correlate scores from result files with a benchmark's file of judgements, in a temporary database.

    Without a file of judgements, the labels in the result files are used. Published result files of pairs contain the
    labels of their paper, which then replace the judgements. Raises NotFound, BadFile, BadRow, BadSetting.
    """
    formats = [format_named(format_name) if format_name else score_format(file) for file in scores]
    with TemporaryDirectory() as folder:
        workplace = open_workplace(Settings(data_dir=Path(folder)))
        try:
            add = partial(import_files, workplace, dataset=benchmark_named(benchmark).name, progress=progress)
            if judgements is not None and not all(map(_has_label, formats, scores)):
                add(judgement_format(benchmark, judgements).name, [judgements], received=True)
            counts = [add(fmt.name, [file], received=True).counts for fmt, file in zip(formats, scores, strict=True)]
            analyst = Analyst(workplace)
            left_over = _left_over(analyst.table(benchmark), sum(one.scores_added for one in counts), benchmark)
            found = of_datasets(analyst, (benchmark,), (), components, None, benchmark)
            return replace(found, notes=[*left_over, *found.notes])
        finally:
            workplace.repository.close()


def _has_label(known: Format, file: Path) -> bool:
    first = next(known.read(file, raise_bad), None)
    return first is not None and first.pair is not None and first.pair.preferred is not None


def _left_over(table: ScoreTable, outcomes: int, benchmark: str) -> list[str]:
    """Return notes about samples that do not count. Raises BadSetting if no sample counts."""
    finite = [np.isfinite(one.value) for one in table.metrics.values()]
    is_scored = np.logical_or.reduce([np.zeros(len(table), dtype=bool), *finite])
    has_label = np.array([pair is not None and pair.preferred is not None for pair in table["pair"]], dtype=bool)
    is_judged = np.isfinite(table["human"]) | (table["counts"] > 0) | has_label
    errors = outcomes - int(np.sum(finite))
    if not is_scored.any() and errors:
        raise BadSetting(f"None of the {errors} scores could be computed. The score file contains only errors.")
    if not is_judged.any():
        raise BadSetting(f"The scores have no human judgements, which {benchmark} needs. Add a file with --judgements.")
    if not (is_scored & is_judged).any():
        counts = f"({is_scored.sum()} scored, {is_judged.sum()} judged)"
        raise BadSetting(
            f"No scored sample has the same picture and caption as a judged sample {counts}. "
            "Check that both files belong to the same benchmark."
        )
    told = (
        (int((is_judged & ~is_scored).sum()), "judged samples have no score"),
        (int((is_scored & ~is_judged).sum()), "scored samples have no judgement"),
        (errors, "scores could not be computed"),
    )
    return [f"{number:,} {what} and are excluded." for number, what in told if number]
