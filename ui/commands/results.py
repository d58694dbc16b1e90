"""`report` and `export`: what came out of a study."""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console
from rich.table import Table

from core.errors import BadSetting
from core.studies.criteria import criterion_named
from ui.commands.options import AsJson, DataDir, print_json, progress_bar, workplace
from ui.services import studies as services
from ui.services.workplace import Workplace
from ui.settings import Settings

if TYPE_CHECKING:
    from core.studies.report import StudyReport  # pandas and scipy load only where they are needed

StudyName = Annotated[str, typer.Argument(metavar="STUDY")]


def register(cli: typer.Typer, settings: Settings) -> None:
    """Add the commands."""

    @cli.command()
    def report(
        study: StudyName,
        to: Annotated[
            Path | None, typer.Option("--to", metavar="FILE", help="Write everything to one HTML file instead.")
        ] = None,
        as_json: AsJson = False,
        data_dir: DataDir = None,
    ) -> None:
        """Print means, intervals, abstentions and tests between metrics; or write a page that stands alone."""
        with workplace(settings, data_dir) as opened:
            if to is not None:
                _write_page(opened, study, to)
                return
            rated = opened.repository.studies.named(study)
            result = services.study_report(opened, rated)
        if as_json:
            print_json({"study": study, "overlay": rated.overlay} | result.as_json())
        elif result.rows:
            _print(result, {key: criterion_named(key).scale_name for key in rated.criteria})
            if rated.overlay:
                typer.echo("Raters saw the regions that HICE-S looked at.")
        else:
            typer.echo(f"Nobody has rated {study} yet. Start the app and send raters to its page.")

    @cli.command()
    def export(
        study: StudyName,
        to: Annotated[Path, typer.Option("--to", metavar="FILE", help="Ends in .csv, .jsonl or .parquet.")],
        data_dir: DataDir = None,
    ) -> None:
        """Write every rating of a study to a file."""
        with workplace(settings, data_dir) as opened:
            count = services.export_study(opened, opened.repository.studies.named(study), to)
        typer.echo(f"Wrote {count:,} ratings to {to}")


def _write_page(opened: Workplace, study: str, to: Path) -> None:
    from ui.report.page import report_html  # pandas and scipy load only where they are needed

    if to.suffix.lower() not in (".html", ".htm"):
        raise BadSetting(f"A report is an HTML page: expected a file that ends in .html, found {to.name}.")
    with progress_bar() as progress:
        text = report_html(opened, opened.repository.studies.named(study), progress)
    try:
        to.write_text(text, encoding="utf-8")
    except OSError as error:
        raise BadSetting(f"Cannot write {to}: {error.strerror}.") from error
    typer.echo(f"Wrote the report of {study} to {to}")


def _print(result: "StudyReport", scales: Mapping[str, str]) -> None:
    console = Console()
    summary = Table(
        "metric", "criterion", "scale", "n", "mean", "sd", "95 % interval", "abstained", "", title="Ratings"
    )
    for row in result.rows:
        interval = "-" if row.ci_low is None else f"{row.ci_low:.3f} to {row.ci_high:.3f}"
        means = (str(row.n), _number(row.mean), _number(row.sd), interval, f"{row.abstain_rate:.1%}")
        summary.add_row(row.metric, row.criterion, scales[row.criterion], *means, row.note)
    console.print(summary)
    if result.tests:
        tests = Table("criterion", "metrics", "items", "difference", "p", "p (Holm)", "", title="Wilcoxon signed-rank")
        for test in result.tests:
            pair = f"{test.metric_a} - {test.metric_b}"
            numbers = (str(test.n_items), _number(test.mean_difference), _number(test.p), _number(test.p_holm))
            tests.add_row(test.criterion, pair, *numbers, test.note)
        console.print(tests)


def _number(value: float | None) -> str:
    return "-" if value is None else f"{value:.3f}"
