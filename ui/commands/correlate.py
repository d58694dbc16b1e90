"""`correlate`: how well metrics agree with people, as each benchmark computes it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from core.errors import BadSetting
from core.metrics import Metric, published_by
from core.metrics.plugins import known_metrics
from ui.commands.options import AsJson, DataDir, print_json, print_table, progress_bar, workplace
from ui.services.correlation import correlate_dataset, correlate_files
from ui.services.correlation_json import correlated_json
from ui.settings import Settings

if TYPE_CHECKING:
    from core.benchmarks.correlation import Correlation
    from core.benchmarks.figures import Correlated
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
            _print(found, known_metrics(settings.plugin))
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


def _print(found: "Correlated", metrics: Sequence[type[Metric]]) -> None:
    rows: list[Correlation | PairwiseAccuracy] = [*found.taus, *found.accuracies]
    tables = correlated_json(found, {row.metric: _Name(row.metric, row.metric) for row in rows}, metrics)
    print_table(tables.taus)
    print_table(tables.accuracies)
    for line in _published(rows, metrics):
        typer.echo(line)
    if found.differences:
        typer.echo()
        print_table(tables.differences)


@dataclass(frozen=True, slots=True)
class _Name:
    """A metric of a file: what it is called there is all that is known of it."""

    metric: str
    label: str


def _published(rows: "Sequence[Correlation | PairwiseAccuracy]", metrics: Sequence[type[Metric]]) -> Iterator[str]:
    """Yield what papers printed of the same quantities, a line for each metric, variant and paper."""
    from core.benchmarks.published import published_beside

    for of in dict.fromkeys((row.benchmark, row.metric, row.variant) for row in rows):
        _, metric, variant = of
        categories = [getattr(row, "category", None) for row in rows if (row.benchmark, row.metric, row.variant) == of]
        beside = (published_beside(*of, category, published_by(metrics)) for category in categories)
        found = dict.fromkeys(number for numbers in beside for number in numbers)
        for paper in dict.fromkeys(number.paper for number in found):
            printed = ", ".join(f"{n.category or _QUANTITIES[n.quantity]} {n.value}" for n in found if n.paper == paper)
            yield f"published: {' '.join(filter(None, (metric, variant)))}: {printed}, in {paper}"
