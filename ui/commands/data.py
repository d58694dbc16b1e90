"""`formats` and `import`: what can be read, and reading it."""

from pathlib import Path
from typing import Annotated

import typer

from core.datasets import FORMATS
from core.settings import Settings
from ui import services
from ui.commands.options import AsJson, DataDir, print_json, progress_bar, workplace

_SHOWN = 10  # left-out rows that are listed; --json lists all


def register(cli: typer.Typer, settings: Settings) -> None:
    """Add the commands."""

    @cli.command()
    def formats() -> None:
        """List the formats that can be imported."""
        width = max(len(known.name) for known in FORMATS)
        for known in FORMATS:
            typer.echo(f"{known.name:<{width}}  {known.summary}")

    @cli.command("import")
    def import_(
        format_name: Annotated[str, typer.Argument(metavar="FORMAT", help="One of `formats`.")],
        files: Annotated[list[Path], typer.Argument(metavar="FILE...")],
        dataset: Annotated[str | None, typer.Option(help="Data set to add to; by default the file's name.")] = None,
        images: Annotated[
            list[Path] | None, typer.Option(help="Folder with pictures, searched by file name; repeatable.")
        ] = None,
        skip_bad: Annotated[bool, typer.Option("--skip-bad", help="Leave bad rows out instead of stopping.")] = False,
        as_json: AsJson = False,
        data_dir: DataDir = None,
    ) -> None:
        """Add samples, scores and explanations from files: all of them or, on a bad row, nothing."""
        with workplace(settings, data_dir) as opened, progress_bar() as progress:
            report = services.import_files(opened, format_name, files, dataset, images or (), skip_bad, progress)
        if as_json:
            print_json(_as_json(report))
        else:
            _print(report)


def _as_json(report: services.ImportReport) -> dict[str, object]:
    return {
        "dataset": report.dataset,
        "samples": report.counts.samples,
        "scores": report.counts.scores,
        "samples_added": report.counts.samples_added,
        "scores_added": report.counts.scores_added,
        "images_found": report.counts.images_found,
        "images_missing": report.counts.images_missing,
        "skipped": [{"row": bad.row, "reason": f"{bad.field}: {bad.reason}"} for bad in report.skipped],
    }


def _print(report: services.ImportReport) -> None:
    counts = report.counts
    typer.echo(f"{report.dataset}: read {counts.samples:,} samples and {counts.scores:,} scores,")
    typer.echo(f"  of which {counts.samples_added:,} samples and {counts.scores_added:,} scores are new;")
    typer.echo(f"  pictures: {counts.images_found:,} found, {counts.images_missing:,} missing.")
    for reason in report.unreadable[:_SHOWN]:
        typer.echo(f"  Cannot open a picture: {reason}")
    if report.skipped:
        typer.echo(f"  Left out {len(report.skipped):,} bad rows:")
    for bad in report.skipped[:_SHOWN]:
        typer.echo(f"    {bad}")
    if len(report.skipped) > _SHOWN:
        typer.echo(f"    ... and {len(report.skipped) - _SHOWN:,} more; --json lists all.")
