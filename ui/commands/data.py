"""`formats`, `import`, `annotate` and `share`: list formats, import data, and write data for others."""

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from core.datasets import FORMATS
from ui.commands.import_data import SHOWN, SkipBad, import_, print_skipped, skipped_json
from ui.commands.options import AsJson, DataDir, print_json, progress_bar, workplace
from ui.services.accounts.invitations import COMMAND_LINE
from ui.services.importing.annotations import annotate
from ui.services.transfer.dataset_export import WRITTEN, ExportReport, export_dataset


def register(cli: typer.Typer) -> None:
    """Add the commands `formats`, `import`, `annotate` and `share`."""
    cli.command()(formats)
    cli.command("import")(import_)
    cli.command("annotate")(annotate_)
    cli.command("share")(share)


def formats() -> None:
    """List the formats that can be imported."""
    width = max(len(known.name) for known in FORMATS)
    for known in FORMATS:
        typer.echo(f"{known.name:<{width}}  {known.summary}")


def annotate_(
    context: typer.Context,
    dataset: Annotated[str, typer.Argument(metavar="DATASET")],
    file: Annotated[Path, typer.Argument(metavar="FILE", help="COCO instances file.")],
    skip_bad: SkipBad = False,
    as_json: AsJson = False,
    data_dir: DataDir = None,
) -> None:
    """Add regions from a COCO instances file to a data set's pictures.

    Pictures that already have regions are not changed.
    """
    with workplace(context, data_dir) as opened, progress_bar() as progress:
        report = annotate(opened, dataset, file, skip_bad, progress)
        opened.repository.audit.add(COMMAND_LINE, "pictures annotated", f"data set {dataset}")
    if as_json:
        print_json(asdict(report.counts) | {"dataset": report.dataset, "skipped": skipped_json(report.skipped)})
    else:
        counts = report.counts
        added = f"{counts.regions_added:,} regions were added to {counts.annotated_added:,} pictures"
        typer.echo(f"{report.dataset}: {added};")
        typer.echo(f"  {counts.annotated:,} of {counts.pictures:,} pictures have annotated regions.")
        print_skipped(report.skipped)


def share(
    context: typer.Context,
    dataset: Annotated[str, typer.Argument(metavar="DATASET")],
    to: Annotated[Path, typer.Option("--to", metavar="DIR", help="A new folder.")],
    form: Annotated[
        str, typer.Option("--as", metavar="FORMAT", help=f"Format: {', '.join(one.name for one in WRITTEN)}.")
    ] = "huggingface",
    as_json: AsJson = False,
    data_dir: DataDir = None,
) -> None:
    """Write a data set into a folder for other tools and `import`.

    The folder has the samples with their scores, and a data card (a description of the data set).
    """
    with workplace(context, data_dir) as opened, progress_bar() as progress:
        report = export_dataset(opened, dataset, form, to, progress)
    if as_json:
        print_json(asdict(report))
    else:
        _print_shared(report)


def _print_shared(report: ExportReport) -> None:
    typer.echo(f"{report.dataset}: wrote {report.samples:,} samples to {report.folder}, with a data card.")
    if report.left_out:
        typer.echo(f"  Skipped {len(report.left_out):,}:")
    for reason in report.left_out[:SHOWN]:
        typer.echo(f"    {reason}")
