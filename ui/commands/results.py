"""`report` and `export`: results of a study, or of a data set."""

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from core.errors import BadSetting
from storage.study_types import Study
from ui.commands.options import AsJson, DataDir, print_json, workplace
from ui.commands.print_tables import print_table
from ui.report.report import dataset_report_html, report_html
from ui.services.analysis.analyst import Analyst
from ui.services.studies import study_actions as services
from ui.services.studies.study_results import study_summary
from ui.services.transfer.archive import SUFFIX
from ui.services.workplace import Workplace

StudyName = Annotated[str, typer.Argument(metavar="STUDY")]


def register(cli: typer.Typer) -> None:
    """Add the commands `report` and `export`."""
    cli.command()(report)
    cli.command()(export)


def report(
    context: typer.Context,
    study: Annotated[
        str | None, typer.Argument(metavar="[STUDY]", help="A study's name, or the file of its archive.")
    ] = None,
    dataset: Annotated[
        str | None, typer.Option(metavar="NAME", help="Report on a data set instead of a study; needs --to.")
    ] = None,
    to: Annotated[
        Path | None,
        typer.Option("--to", metavar="FILE", help="Write the report to an HTML file instead of printing it."),
    ] = None,
    as_json: AsJson = False,
    data_dir: DataDir = None,
) -> None:
    """Print mean ratings, intervals, abstentions and tests between metrics, or write one HTML page."""
    if (study is None) == (dataset is None):
        raise BadSetting("Name a study or a data set: report STUDY, or report --dataset NAME --to FILE.html.")
    is_archive = study is not None and study.endswith(SUFFIX)
    with workplace(context, Path(study) if study and is_archive else data_dir) as opened:
        studies = opened.repository.studies
        rated = None if study is None else studies.all()[0] if is_archive else studies.named(study)
        if to is not None:
            _write_page(opened, rated, dataset, to)
            return
        if rated is None:
            raise BadSetting(
                "The report of a data set is an HTML page. Add --to FILE.html. To print the agreement with people, "
                "use `correlate`."
            )
        if as_json:
            content = asdict(services.study_report(opened, rated))
            print_json({"study": rated.name, "overlay": rated.design.overlay} | content)
            return
        found = study_summary(opened, rated)
    for table in (found.ratings, found.tests, found.left_out):
        if table.rows or table.footnote or table is found.ratings:
            print_table(table)
    if found.nothing:
        typer.echo(f"{rated.name}: {found.nothing} Start the app and send raters to the study's page.")
    elif rated.design.overlay:
        typer.echo("Raters saw the regions that HICE-S used.")


def export(
    context: typer.Context,
    study: StudyName,
    to: Annotated[Path, typer.Option("--to", metavar="FILE", help="File to write: .csv, .jsonl or .parquet.")],
    answers: Annotated[bool, typer.Option("--answers", help="Include raters' answers about themselves.")] = False,
    data_dir: DataDir = None,
) -> None:
    """Write a study's ratings to a file."""
    with workplace(context, data_dir) as opened:
        count = services.export_study(opened, opened.repository.studies.named(study), to, with_answers=answers)
    typer.echo(f"Wrote {count:,} ratings to {to}")


def _write_page(opened: Workplace, study: Study | None, dataset: str | None, to: Path) -> None:
    if to.suffix.lower() not in (".html", ".htm"):
        raise BadSetting(f"The name of a report must end in .html. Found: {to.name}.")
    if study is None:
        content = dataset_report_html(Analyst(opened), str(dataset)).encode()
    else:
        content = report_html(Analyst(opened), study.id).encode()
    try:
        to.write_bytes(content)
    except OSError as error:
        raise BadSetting(f"Cannot write {to}: {error.strerror}.") from error
    typer.echo(f"Wrote the report of {dataset if study is None else study.name} to {to}")
