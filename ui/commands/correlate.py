"""`correlate`: compute how well metrics agree with people, by each benchmark's rules."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from core.analysis.column_names import split
from core.csv_text import csv_text
from core.errors import BadSetting
from core.metrics import Metric, published_by
from core.metrics.plugins import known_metrics
from ui.commands.options import AsJson, DataDir, print_json, progress_bar, settings_of, workplace
from ui.commands.print_tables import Latex, print_latex, print_table
from ui.services.analysis.correlation import correlate_dataset, correlate_files
from ui.services.analysis.correlation_tables import correlation_tables
from ui.services.analysis.several_datasets import DatasetFigure, several_datasets, table_of
from ui.services.tables import Table, spreadsheet

if TYPE_CHECKING:
    from core.benchmarks.correlation import Correlation
    from core.benchmarks.figures import Correlated
    from core.benchmarks.pairwise import PairwiseAccuracy

_QUANTITIES = {"tau_b": "tau-b", "tau_c": "tau-c", "accuracy": "accuracy"}


def register(cli: typer.Typer) -> None:
    """Add the command `correlate`."""
    cli.command()(correlate)


def correlate(
    context: typer.Context,
    benchmark: Annotated[
        str | None,
        typer.Argument(metavar="[BENCHMARK]", help="The benchmark whose rules apply, such as flickr8k-expert."),
    ] = None,
    judgements: Annotated[
        Path | None,
        typer.Option(
            help="File with the benchmark's human judgements; not needed if the score file contains judgements."
        ),
    ] = None,
    scores: Annotated[list[Path] | None, typer.Option(help="File with a metric's scores; repeatable.")] = None,
    score_format: Annotated[
        str | None, typer.Option("--format", help="fleur-results, expert-results or jsonl; default: by file ending.")
    ] = None,
    dataset: Annotated[
        list[str] | None,
        typer.Option(help="Data set in the database, instead of files. Repeat it for a table of several data sets."),
    ] = None,
    metric: Annotated[
        list[str] | None, typer.Option(help="A metric of the data set; repeatable; default: all.")
    ] = None,
    part: Annotated[
        list[str] | None,
        typer.Option(help="Also correlate this component of the scores, such as precision or recall; repeatable."),
    ] = None,
    latex: Latex = False,
    as_csv: Annotated[bool, typer.Option("--csv", help="With several data sets: print the table as CSV.")] = False,
    as_json: AsJson = False,
    data_dir: DataDir = None,
) -> None:
    """Print how well metrics agree with people, in values times 100.

    The values are Kendall's taus with intervals and the number of ties, or pairwise accuracies.
    """
    if latex + as_json + as_csv > 1:
        raise BadSetting("Use only one of --latex, --json and --csv.")
    if dataset and len(dataset) > 1:
        _check_dataset(judgements, scores, score_format)
        if benchmark:
            raise BadSetting("Each data set uses the rules of its own benchmark. Remove BENCHMARK.")
        with workplace(context, data_dir) as opened:
            figures, remarks = several_datasets(opened, dataset, metric or [], part or [])
        _print_several(figures, latex, as_csv, as_json)
        for remark in remarks:
            typer.echo(remark, err=True)
        return
    if as_csv:
        raise BadSetting("--csv needs several data sets: --dataset A --dataset B.")
    if not dataset:
        _check_files(benchmark, scores, metric)
        with progress_bar() as progress:
            found, remarks = correlate_files(
                benchmark or "", judgements, scores or [], score_format, progress, part or []
            )
    else:
        _check_dataset(judgements, scores, score_format)
        with workplace(context, data_dir) as opened:
            found, remarks = correlate_dataset(opened, dataset[0], metric or [], benchmark, part or [])
    if as_json:
        print_json([row.as_json() for row in found.taus] + [row.as_json() for row in found.accuracies])
    else:
        _print(found, known_metrics(settings_of(context).plugin), print_latex if latex else print_table)
    for remark in remarks:
        typer.echo(remark, err=True)


def _check_files(benchmark: str | None, scores: list[Path] | None, metric: list[str] | None) -> None:
    if benchmark is None or not scores:
        raise BadSetting(
            "Choose what to correlate: either BENCHMARK --judgements FILE --scores FILE, or --dataset NAME --metric M."
        )
    if metric:
        raise BadSetting("--metric needs --dataset. Result files already contain the name of their metric.")


def _check_dataset(judgements: Path | None, scores: list[Path] | None, score_format: str | None) -> None:
    if judgements or scores or score_format:
        raise BadSetting("Use either files or --dataset, not both.")


def _print_several(figures: Sequence[DatasetFigure], latex: bool, as_csv: bool, as_json: bool) -> None:
    table = table_of(figures)
    if as_json:
        print_json([asdict(one) for one in figures])
    elif as_csv:
        heads, lines = spreadsheet(table)
        print(csv_text([heads, *([one.exact or one.text for one in line] for line in lines)]), end="")
    else:
        (print_latex if latex else print_table)(table)


def _print(
    found: "Correlated",
    metrics: Sequence[type[Metric]],
    show: Callable[[Table[Any]], None] = print_table,
) -> None:
    rows: list[Correlation | PairwiseAccuracy] = [*found.taus, *found.accuracies]
    tables = correlation_tables(found, {row.metric: _named(row.metric) for row in rows}, metrics)
    show(tables.taus)
    show(tables.accuracies)
    for line in _published(rows, metrics) if show is print_table else ():
        typer.echo(line)
    for compared in (tables.differences, tables.accuracy_differences):
        if compared.rows:
            typer.echo()
            show(compared)


@dataclass(frozen=True, slots=True)
class _Name:
    """The name and the label of a metric, all that is known if it occurs only in a file of scores."""

    metric: str
    label: str


def _named(column: str) -> _Name:
    metric, part = split(column)
    return _Name(metric, f"{metric} {part}".strip())


def _published(rows: "Sequence[Correlation | PairwiseAccuracy]", metrics: Sequence[type[Metric]]) -> Iterator[str]:
    """Yield lines with published values of the quantities that `correlate` prints.

    Each line has the values of one metric, variant and paper.
    """
    from core.benchmarks.published import published_beside

    brought = published_by(metrics)
    for of in dict.fromkeys((row.benchmark, row.metric, row.variant) for row in rows):
        benchmark, metric, variant = of
        categories = [getattr(row, "category", None) for row in rows if (row.benchmark, row.metric, row.variant) == of]
        beside = (published_beside(benchmark, split(metric)[0], variant, category, brought) for category in categories)
        found = dict.fromkeys(number for numbers in beside for number in numbers)
        for paper in dict.fromkeys(number.paper for number in found):
            printed = ", ".join(f"{n.category or _QUANTITIES[n.quantity]} {n.value}" for n in found if n.paper == paper)
            yield f"published: {' '.join(filter(None, (split(metric)[0], variant)))}: {printed}, in {paper}"
