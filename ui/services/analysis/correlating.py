"""Agreement of metrics with human judgement as `correlate` prints it and `capscope.agreement` returns it.

The scores come from data sets, or from files of scores and judgements without a database.
"""

import os
from collections.abc import Sequence
from pathlib import Path

import pandas as pd

from core.benchmarks.figures import correlated
from core.benchmarks.matching import Joined, join
from core.datasets import Format, Record, benchmark_named, format_named, judgement_format, raise_bad, score_format
from core.errors import BadSetting
from core.long_work.progress import Progress, no_progress
from ui.services.analysis import found_in
from ui.services.analysis.agreement import notes, tables, with_parts
from ui.services.analysis.analyst import Analyst
from ui.services.analysis.section import Asked, Found
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
    """Correlate scores from result files with a benchmark's file of judgements.

    Without a file of judgements, the labels in the result files are used. Raises NotFound, BadFile, BadRow, BadSetting.
    """
    benchmark_named(benchmark)
    judged = [] if judgements is None else _read(judgements, judgement_format(benchmark, judgements), progress)
    named = format_named(format_name) if format_name else None
    scored = [_read(file, named or score_format(file), progress) for file in scores]
    joined = join(judged, *scored)
    table = joined.table
    if not len(table):
        raise BadSetting(_nothing(joined, len(judged), sum(map(len, scored))))
    names = with_parts(table, table.metrics, components)
    found = correlated(benchmark, table, names)
    if not found.n:
        raise BadSetting(f"The scores have no human judgements, which {benchmark} needs. Add a file with --judgements.")
    return Found(tables(found, table), notes=[*_left_over(joined), *notes(found, table, names)])


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
    counts = (
        (joined.without_score, "judged samples have no score"),
        (joined.without_judgement, "scored samples have no judgement"),
        (joined.errors, "scores could not be computed"),
    )
    return [f"{number:,} {what} and are excluded." for number, what in counts if number]
