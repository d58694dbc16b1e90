"""`backup` and `restore`: back up a data folder and restore it."""

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from core.errors import BadSetting
from ui.commands.options import AsJson, DataDir, print_json, settings_of, workplace
from ui.services.accounts.invitations import COMMAND_LINE
from ui.services.transfer import backup as services
from ui.settings import Settings


def register(cli: typer.Typer) -> None:
    """Add the commands `backup` and `restore`."""
    cli.command()(backup)
    cli.command()(restore)


def backup(
    context: typer.Context,
    to: Annotated[
        Path, typer.Argument(metavar="TO", help="Folder for backups; each backup gets its own folder inside.")
    ],
    keep: Annotated[
        int | None, typer.Option(min=1, help="Number of backups to keep; older backups are deleted.")
    ] = None,
    as_json: AsJson = False,
    data_dir: DataDir = None,
) -> None:
    """Copy the data folder at one moment, also while people rate, and check the copy."""
    chosen = settings_of(context).with_options(data_dir=data_dir)
    _check_file(chosen)
    made = services.back_up(chosen.data_dir, to, keep)
    if as_json:
        print_json(asdict(made) | {"folder": str(made.folder)})
    else:
        typer.echo(f"Wrote the backup {made.folder} and checked it: {_described(made)}.")


def restore(
    context: typer.Context,
    from_: Annotated[
        Path, typer.Argument(metavar="FROM", help="A backup, or a folder of backups (then the newest backup is used).")
    ],
    data_dir: DataDir = None,
) -> None:
    """Replace the data folder's database, key and pictures with a backup. Stop Capscope first."""
    settings = settings_of(context)
    _check_file(settings)
    found, aside = services.restore(from_, settings.with_options(data_dir=data_dir).data_dir)
    with workplace(context, data_dir) as opened:
        opened.repository.epochs.renew()
        opened.repository.audit.add(COMMAND_LINE, "backup restored", found.folder.name)
    typer.echo(f"Restored {found.folder}: {_described(found)}.")
    typer.echo(f"The data from before the restore are in {aside}.")


def _check_file(settings: Settings) -> None:
    """Raise BadSetting if the database is in PostgreSQL."""
    if settings.database is not None:
        raise BadSetting(
            "CAPSCOPE_DATABASE names a PostgreSQL database. Use pg_dump and pg_restore, and copy the data folder."
        )


def _described(found: services.Backup) -> str:
    raters, events, samples = (found.counts[name] for name in services.COUNTED)
    size = f"{found.files:,} files, {found.bytes / 1e6:,.1f} MB"
    return f"log entries: {events:,}, raters: {raters:,}, samples: {samples:,} ({size})"
