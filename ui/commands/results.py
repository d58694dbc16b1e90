"""`report` and `export`: what came out of a study, and of a data set without one."""

from pathlib import Path
from typing import Annotated

import typer

from core.errors import BadSetting
from ui.commands.options import AsJson, DataDir, print_json, print_table, progress_bar, workplace
from ui.services import studies as services
from ui.services.analysis import Analyst
from ui.services.workplace import Workplace
from ui.settings import Settings

StudyName = Annotated[str, typer.Argument(metavar="STUDY")]


def register(cli: typer.Typer, settings: Settings) -> None:
    """Add the commands."""

    @cli.command()
    def report(
        study: Annotated[str | None, typer.Argument(metavar="[STUDY]")] = None,
        dataset: Annotated[
            str | None, typer.Option(metavar="NAME", help="Report on a data set instead; goes with --to.")
        ] = None,
        to: Annotated[
            Path | None, typer.Option("--to", metavar="FILE", help="Write everything to one HTML file instead.")
        ] = None,
        adjudicated: Annotated[
            bool, typer.Option("--adjudicated", help="Let adjudicators' decisions take the place of ratings.")
        ] = False,
        as_json: AsJson = False,
        data_dir: DataDir = None,
    ) -> None:
        """Print means, intervals, abstentions and tests between metrics; or write a page that stands alone."""
        if (study is None) == (dataset is None):
            raise BadSetting("Say what to report on: STUDY, or --dataset NAME --to FILE.html.")
        with workplace(settings, data_dir) as opened:
            if to is not None:
                _write_page(opened, study, dataset, to, adjudicated)
                return
            if study is None:
                raise BadSetting(
                    "A data set's report is a page: give --to FILE.html; `correlate` prints its agreement."
                )
            rated = opened.repository.studies.named(study)
            if as_json:
                found = services.study_report(opened, rated, adjudicated)
                print_json({"study": study, "overlay": rated.overlay} | found.as_json())
                return
            from ui.services.study_results import rating_tables  # pandas and scipy load only where they are needed

            ratings, tests = rating_tables(opened, rated, adjudicated)
        print_table(ratings)
        print_table(tests)
        if not ratings.rows:
            typer.echo(f"Nobody has rated {study} yet. Start the app and send raters to its page.")
        elif rated.overlay:
            typer.echo("Raters saw the regions that HICE-S looked at.")

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


def _write_page(opened: Workplace, study: str | None, dataset: str | None, to: Path, adjudicated: bool) -> None:
    from ui.report.page import dataset_report_html, report_html  # pandas and scipy load only where they are needed

    if to.suffix.lower() not in (".html", ".htm"):
        raise BadSetting(f"A report is an HTML page: expected a file that ends in .html, found {to.name}.")
    with progress_bar() as progress:
        if study is None:
            text = dataset_report_html(Analyst(opened), str(dataset), progress)
        else:
            text = report_html(opened, opened.repository.studies.named(study), progress, adjudicated)
    try:
        to.write_text(text, encoding="utf-8")
    except OSError as error:
        raise BadSetting(f"Cannot write {to}: {error.strerror}.") from error
    typer.echo(f"Wrote the report of {study or dataset} to {to}")
