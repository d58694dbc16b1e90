"""`study bundle`: write a study and all data that its results need into one file."""

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from core.errors import BadSetting
from core.installation import COMMAND
from ui.commands.options import AsJson, DataDir, print_json, study_opened
from ui.services.accounts.invitations import COMMAND_LINE
from ui.services.transfer.bundle import write_bundle

SUFFIX = ".zip"


def register_bundle(group: typer.Typer) -> None:
    """Add the command `bundle` to the group `study`."""
    group.command()(bundle)


def bundle(
    context: typer.Context,
    name: Annotated[str, typer.Argument(metavar="STUDY")],
    to: Annotated[Path, typer.Option("--to", metavar="FILE", help="Ends in .zip.")],
    pictures: Annotated[
        bool, typer.Option("--pictures", help="Include the pictures. Use this only if their licence allows it.")
    ] = (False),
    as_json: AsJson = False,
    data_dir: DataDir = None,
) -> None:
    """Write a study with its form, items, events, ratings and scores, so that anybody can compute its report."""
    if to.suffix.lower() != SUFFIX:
        raise BadSetting(
            f"The name of a bundle must end in {SUFFIX}, because a bundle is a ZIP file. Found: {to.name}."
        )
    with study_opened(context, name, data_dir) as (opened, study):
        made = write_bundle(opened, study, to, pictures)
        opened.repository.audit.add(COMMAND_LINE, "bundle exported", f"study {study.name}")
    if as_json:
        print_json(asdict(made) | {"study": study.name})
        return
    typer.echo(f"Wrote {to}: {made.files} files, {made.bytes / 1e6:,.1f} MB, {made.pictures:,} pictures.")
    if made.missing:
        typer.echo(f"{made.missing:,} pictures are not in the bundle, because their files no longer exist.")
    typer.echo(f"Others can make the same report from this file: {COMMAND} report {to.name} --to report.html")
