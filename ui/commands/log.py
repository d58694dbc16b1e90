"""`log`: print or write the log of actions."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from ui.commands.options import DataDir, workplace
from ui.services.accounts.audit_file import LINES, lines_for


def register(cli: typer.Typer) -> None:
    """Add the command `log`."""
    cli.command()(log)


def log(
    context: typer.Context,
    to: Annotated[
        Path | None, typer.Option(help=f"File to write ({', '.join(LINES)}); default: print the lines.")
    ] = None,
    data_dir: DataDir = None,
) -> None:
    """Print or write the log of actions, oldest first: accounts, studies, links, exports, sign-ins."""
    lines = lines_for(to)
    with workplace(context, data_dir) as opened:
        entries = opened.repository.audit.all()
        if to is None:
            sys.stdout.writelines(lines(entries))
            return
        with to.open("w", encoding="utf-8", newline="") as file:
            file.writelines(lines(entries))
    typer.echo(f"Wrote {to}.")
