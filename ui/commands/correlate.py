"""`correlate`: how well metrics agree with people, as each benchmark computes it."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from core.errors import BadSetting
from ui.commands.options import AsJson, DataDir, print_json, progress_bar, workplace
from ui.services.correlation import correlate_dataset, correlate_files
from ui.settings import Settings

if TYPE_CHECKING:
    from core.benchmarks.correlation import Correlation
    from core.benchmarks.figures import Correlated, MetricDifference
    from core.benchmarks.pairwise import PairwiseAccuracy

_QUANTITIES = {"tau_b": "tau-b", "tau_c": "tau-c", "accuracy": "accuracy"}


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
                found, remarks = correlate_files(benchmark or "", judgements, scores or [], score_format, progress)
        else:
            _check_dataset(judgements, scores, score_format)
            with workplace(settings, data_dir) as opened:
                found, remarks = correlate_dataset(opened, dataset, metric or [], benchmark)
        if as_json:
            print_json([row.as_json() for row in found.taus] + [row.as_json() for row in found.accuracies])
        else:
            _print(found)
        for remark in remarks:
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


def _print(found: "Correlated") -> None:
    console = Console(highlight=False)
    if found.taus:
        console.print(_tau_table(found.taus))
    if found.accuracies:
        console.print(_accuracy_table(found.accuracies))
    for line in _published((*found.taus, *found.accuracies)):
        console.print(line, markup=False)
    if found.differences:
        console.print()
        console.print(_difference_table(found.differences))


def _table(title: str, names: Sequence[str], figures: Sequence[str]) -> Table:
    """Return a table for 80 columns: its first column may wrap, the figures never do."""
    table = Table(title=escape(title), title_justify="left", box=SIMPLE_HEAD, show_edge=False, pad_edge=False)
    table.padding = (0, 1, 0, 0)
    for name in names:
        table.add_column(name, overflow="fold", no_wrap=name != names[0])
    for name in figures:
        table.add_column(name, no_wrap=True, justify="right")
    return table


def _tau_table(rows: "tuple[Correlation, ...]") -> Table:
    title = f"{rows[0].benchmark}: Kendall's tau x 100, interval of tau-{rows[0].convention}"
    figures = ("n", "tau-b", "tau-c", "95 % interval", "tied pairs")
    table = _table(title, ("metric", "variant"), figures)
    for row in rows:
        values = row.as_json()
        interval = "-" if row.interval is None else f"{values['ci_low']:.2f} to {values['ci_high']:.2f}"
        taus = (_number(values["tau_b"]), _number(values["tau_c"]))
        table.add_row(escape(row.metric), row.variant, f"{row.n:,}", *taus, interval, f"{row.ties:,}")
    return table


def _accuracy_table(rows: "tuple[PairwiseAccuracy, ...]") -> Table:
    title = f"{rows[0].benchmark}: pairwise accuracy x 100, ties wrong"
    table = _table(title, ("metric", "variant", "category"), ("n", "accuracy", "ties", "half credit"))
    for row in rows:
        values = row.as_json()
        figures = (_number(values["accuracy"]), f"{row.ties:,}", _number(values["accuracy_half_credit"]))
        table.add_row(escape(row.metric), row.variant, escape(row.category), f"{row.n:,}", *figures)
    return table


def _difference_table(rows: "tuple[MetricDifference, ...]") -> Table:
    title = f"Paired bootstrap of the difference in tau-{rows[0].result.tau} x 100"
    table = _table(title, ("metrics",), ("n", "difference", "95 % interval", "p"))
    for row in rows:
        found = row.result
        interval = found.interval and f"{100 * found.interval.low:.2f} to {100 * found.interval.high:.2f}"
        difference = None if found.difference is None else 100 * found.difference
        p = "-" if found.p is None else f"{found.p:.3f}"
        name = f"{row.first} - {row.second}" + (f" ({found.note})" if found.note else "")
        table.add_row(escape(name), f"{found.n:,}", _number(difference), interval or "-", p)
    return table


def _published(rows: "Sequence[Correlation | PairwiseAccuracy]") -> Iterator[str]:
    """Yield what papers printed of the same quantities, a line for each metric, variant and paper."""
    from core.benchmarks.published import published_beside
    from core.metrics import PUBLISHED

    for of in dict.fromkeys((row.benchmark, row.metric, row.variant) for row in rows):
        _, metric, variant = of
        categories = [getattr(row, "category", None) for row in rows if (row.benchmark, row.metric, row.variant) == of]
        beside = (published_beside(*of, category, PUBLISHED) for category in categories)
        found = dict.fromkeys(number for numbers in beside for number in numbers)
        for paper in dict.fromkeys(number.paper for number in found):
            printed = ", ".join(f"{n.category or _QUANTITIES[n.quantity]} {n.value}" for n in found if n.paper == paper)
            yield f"published: {metric} {variant}: {printed}, in {paper}"


def _number(value: float | None) -> str:
    return "-" if value is None else f"{value:.2f}"
