"""`probe`: make captions worse by edits, and report how often metrics' scores fall."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Annotated

import typer

from core.long_work.progress import reporting
from core.metrics import SERVED
from core.metrics.evaluator import Evaluator
from core.models import ModelSettings
from core.types import Outcome, Sample
from ui.commands.options import AsJson, DataDir, Plugin, print_json, progress_bar, settings_of, workplace
from ui.commands.print_tables import Latex, check_one_output, print_latex, print_table
from ui.services.analysis.analyst import Analyst
from ui.services.probe_report import remarks
from ui.services.probing import EXAMPLES, LIMIT, MOST, ProbePlan, probe
from ui.services.scoring.scoring_plan import dataset_settings
from ui.services.tables import Table
from ui.services.workplace import Workplace


def register(cli: typer.Typer) -> None:
    """Add the command `probe`."""
    cli.command("probe")(probe_metrics)


def probe_metrics(
    context: typer.Context,
    metric: Annotated[list[str], typer.Argument(metavar="METRIC...", help="Metrics; `models` lists all.")],
    dataset: Annotated[str, typer.Option(metavar="NAME", help="The data set whose captions are edited.")],
    limit: Annotated[int, typer.Option(min=1, max=MOST, help="Number of captions to edit, chosen at random.")] = LIMIT,
    seed: Annotated[int, typer.Option(help="Random seed for choosing captions and for the edits.")] = 0,
    references: Annotated[
        bool, typer.Option("--references", help="Edit each sample's first reference instead of its caption.")
    ] = False,
    slice_name: Annotated[str | None, typer.Option("--slice", help="A saved slice of the data set.")] = None,
    examples: Annotated[
        int, typer.Option(min=0, max=100, help="Number of examples per metric and kind of edit.")
    ] = EXAMPLES,
    plugin: Plugin = None,
    latex: Latex = False,
    as_json: AsJson = False,
    data_dir: DataDir = None,
) -> None:
    """Edit captions in eight ways, score them again, and print how often and by how much scores fall."""
    check_one_output(latex, as_json)
    plan = ProbePlan(dataset, limit, seed, "references" if references else "candidates", slice_name, examples)
    with workplace(context, data_dir, plugin) as opened, progress_bar() as progress, reporting(progress):
        evaluator = Evaluator(opened.metrics)
        kinds = [evaluator.kind(name) for name in dict.fromkeys(metric)]  # reports a wrong name before any work
        wanted = ModelSettings(
            endpoint=settings_of(context).model_server(), cache_dir=opened.data_dir / "image-features"
        )
        scorer = _Scorer(opened, evaluator, wanted, dataset)
        probed = probe(Analyst(opened), plan, kinds, scorer)
    if as_json:
        print_json(asdict(probed))
        return
    if latex:
        print_latex(probed.falls)
        return
    for name in probed.signatures:
        rows = [row for row in probed.falls.rows if row.metric == name]
        print_table(Table(f"{name} on {dataset}", probed.falls.columns[1:], rows))
    typer.echo(probed.falls.footnote)
    for remark in remarks(probed):
        typer.echo(remark, err=True)
    for one in probed.examples.rows:
        typer.echo()
        typer.echo(f"{one.metric}, {one.kind}: {one.score:.3f} → {one.edited_score:.3f}  ({one.key})")
        typer.echo(f"  {one.caption}\n  {one.edited}")


@dataclass(frozen=True, slots=True)
class _Scorer:
    """A function that scores samples of a data set with the settings that `score --dataset` uses."""

    workplace: Workplace
    evaluator: Evaluator
    settings: ModelSettings
    dataset: str

    def __call__(self, metric: str, samples: Sequence[Sample]) -> Iterator[Outcome]:
        kind = self.evaluator.kind(metric)
        settings = self.settings if issubclass(kind, SERVED) else replace(self.settings, endpoint=None)
        wanted = dataset_settings(self.workplace, kind, self.dataset, settings)
        return self.evaluator.evaluate(metric, samples, wanted)
