"""`demo export`: write the demo as a folder that any web host can serve."""

from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import typer

_MEGABYTE = 1_000_000


def register(cli: typer.Typer) -> None:
    """Add the command `demo export`."""
    group = typer.Typer(help="Write a copy of the demo that any web server can serve.")
    cli.add_typer(group, name="demo")
    group.callback()(only)
    group.command()(export)


def only() -> None:
    """Do nothing. Without this callback, Typer would not make the only command, `export`, a subcommand."""


def export(
    to: Annotated[
        Path, typer.Argument(metavar="DIR", help="Folder to write; replaces an earlier copy in this folder.")
    ],
    force: Annotated[bool, typer.Option("--force", help="Overwrite files that are not from an earlier copy.")] = False,
) -> None:
    """Write a static copy of the demo that needs no server.

    The copy shows recorded answers of the app.
    """
    from ui.demo_copy.export import export_demo  # imports Gradio

    written = export_demo(to, datetime.now(UTC).date(), force)
    typer.echo(
        f"Wrote {written.files} files to {to}: {written.photographs / _MEGABYTE:.2f} MB of photographs and "
        f"{written.bytes / _MEGABYTE:.2f} MB of other files."
    )
    typer.echo(f"To open it in a browser: python -m http.server --directory {to}")
