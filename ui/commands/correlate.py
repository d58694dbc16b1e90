"""`correlate`: how well metrics agree with people, as each benchmark computes it."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console
from rich.table import Table

from core.errors import BadSetting
from core.settings import Settings
from ui.commands.options import AsJson, DataDir, print_json, progress_bar, workplace
from ui.correlating import Correlated, correlate_dataset, correlate_files

if TYPE_CHECKING:
    from core.comparison import MetricDifference
    from core.correlation import Correlation
    from core.pairwise import PairwiseAccuracy
    from core.types import Variant


def register(cli: typer.Typer, settings: Settings) -> None:
    """Add the command."""

    @cli.command()
    def correlate(
        benchmark: Annotated[
            str | None, typer.Argument(metavar="[BENCHMARK]", help="Whose convention, e.g. flickr8k-expert.")
        ] = None,
        judgements: Annotated[
            Path | None, typer.Option(help="The benchmark's file; not needed where the scores carry labels.")
        ] = None,
        scores: Annotated[list[Path] | None, typer.Option(help="File with a metric's scores; repeatable.")] = None,
        score_format: Annotated[
            str | None, typer.Option("--format", help="fleur-results, expert-results or jsonl; by default by ending.")
        ] = None,
        dataset: Annotated[str | None, typer.Option(help="Data set in the database, instead of files.")] = None,
        metric: Annotated[list[str] | None, typer.Option(help="With --dataset; repeatable, by default all.")] = None,
        as_json: AsJson = False,
        data_dir: DataDir = None,
    ) -> None:
        """Print Kendall's taus with ties and intervals, or pairwise accuracies, times 100."""
        if dataset is None:
            _check_files(benchmark, scores, metric)
            with progress_bar() as progress:
                found = correlate_files(benchmark or "", judgements, scores or [], score_format, progress)
        else:
            _check_dataset(judgements, scores, score_format)
            with workplace(settings, data_dir) as opened:
                found = correlate_dataset(opened, dataset, metric or [], benchmark)
        if as_json:
            print_json([row.as_json() for row in found.taus] + [row.as_json() for row in found.accuracies])
        else:
            _print(found)
        for remark in found.remarks:
            typer.echo(remark, err=True)


def _check_files(benchmark: str | None, scores: list[Path] | None, metric: list[str] | None) -> None:
    if benchmark is None or not scores:
        raise BadSetting(
            "Say what to correlate: BENCHMARK --judgements FILE --scores FILE, or --dataset NAME --metric M."
        )
    if metric:
        raise BadSetting("--metric goes with --dataset; result files name their metric themselves.")


def _check_dataset(judgements: Path | None, scores: list[Path] | None, score_format: str | None) -> None:
    if judgements or scores or score_format:
        raise BadSetting("Give either files or --dataset, not both.")


def _print(found: Correlated) -> None:
    console = Console()
    if found.taus:
        console.print(_tau_table(found.taus))
    if found.accuracies:
        console.print(_accuracy_table(found.accuracies))
    if found.differences:
        console.print(_difference_table(found.differences))


def _tau_table(rows: "tuple[Correlation, ...]") -> Table:
    columns = ("metric", "variant", "n", "tau-b", "tau-c", "published", "95 % interval", "tied pairs")
    table = Table(*columns, title=f"{rows[0].benchmark}: Kendall's tau x 100, interval of tau-{rows[0].convention}")
    for row in rows:
        values = row.as_json()
        interval = "-" if row.interval is None else f"{values['ci_low']:.2f} to {values['ci_high']:.2f}"
        printed = _published(row.benchmark, row.metric, row.variant, None)
        taus = (_number(values["tau_b"]), _number(values["tau_c"]), printed)
        table.add_row(row.metric, row.variant, f"{row.n:,}", *taus, interval, f"{row.ties:,}")
    return table


def _accuracy_table(rows: "tuple[PairwiseAccuracy, ...]") -> Table:
    columns = ("category", "metric", "variant", "n", "accuracy", "published", "ties", "half credit")
    table = Table(*columns, title=f"{rows[0].benchmark}: pairwise accuracy x 100, ties wrong")
    for row in rows:
        values = row.as_json()
        printed = _published(row.benchmark, row.metric, row.variant, row.category)
        figures = (_number(values["accuracy"]), printed, f"{row.ties:,}", _number(values["accuracy_half_credit"]))
        table.add_row(row.category, row.metric, row.variant, f"{row.n:,}", *figures)
    return table


def _difference_table(rows: "tuple[MetricDifference, ...]") -> Table:
    table = Table("metrics", "n", "difference", "95 % interval", "p", "", title="Paired bootstrap of the difference")
    for row in rows:
        found = row.result
        interval = found.interval and f"{100 * found.interval.low:.2f} to {100 * found.interval.high:.2f}"
        difference = None if found.difference is None else 100 * found.difference
        p = "-" if found.p is None else f"{found.p:.3f}"
        name = f"{row.first} - {row.second} (tau-{found.tau})"
        table.add_row(name, f"{found.n:,}", _number(difference), interval or "-", p, found.note)
    return table


def _published(benchmark: str, metric: str, variant: "Variant", category: str | None) -> str:
    """Return what papers printed of the same quantity, with its name where it is a tau."""
    from core.published import published

    found = [n for n in published(benchmark, metric, variant) if n.category in (None, category)]
    names = {"tau_b": "b ", "tau_c": "c ", "accuracy": ""}
    return ", ".join(f"{names[number.quantity]}{number.value}" for number in found) or "-"


def _number(value: float | None) -> str:
    return "-" if value is None else f"{value:.2f}"
