"""`move-to`: move the database of a data folder to PostgreSQL, or back."""

from typing import Annotated

import typer

from ui.commands.options import DataDir, settings_of
from ui.services.transfer.moving import OWN_FILE, move


def register(cli: typer.Typer) -> None:
    """Add the command `move-to`."""
    cli.command("move-to")(move_to)


def move_to(
    context: typer.Context,
    to: Annotated[
        str,
        typer.Argument(
            metavar="URL",
            help=f"postgresql+psycopg://user@host/name; or {OWN_FILE} for the database file in the data folder.",
        ),
    ],
    data_dir: DataDir = None,
) -> None:
    """Copy the database into an empty PostgreSQL, or back into the data folder, and compare row counts."""
    moved = move(settings_of(context).with_options(data_dir=data_dir), to)
    filled = {name: rows for name, rows in moved.rows.items() if rows}
    typer.echo(
        f"Moved {sum(filled.values()):,} rows of {len(filled)} tables. Both databases have the same number of rows."
    )
    if to == OWN_FILE:
        typer.echo(f"The data are now in {moved.file}. From now on, start Capscope without CAPSCOPE_DATABASE.")
    else:
        typer.echo("From now on, start Capscope with this address in CAPSCOPE_DATABASE and with the same data folder.")
        typer.echo(f"The old database file is kept as {moved.file}.")
