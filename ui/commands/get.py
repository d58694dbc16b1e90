"""`get`: list published data, fetch them from their authors' repositories, and import them."""

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from core.datasets.published_files import PublishedData, published_named
from core.errors import CapscopeError, Unreachable
from core.installation import COMMAND
from core.network import Downloads
from ui.commands.data import print_report, report_json
from ui.commands.options import AsJson, DataDir, print_json, progress_bar, settings_of, workplace
from ui.services.accounts.invitations import COMMAND_LINE
from ui.services.importing.published import State, get_published, states
from ui.services.workplace import Workplace

FAILED = 2  # exit code
STATES: dict[State, str] = {"imported": "imported", "fetched": "files downloaded", "absent": "not here"}


def register(cli: typer.Typer) -> None:
    """Add the command `get`."""
    cli.command()(get)


def get(
    context: typer.Context,
    names: Annotated[list[str] | None, typer.Argument(metavar="[NAME...]", help="Names from the list, or all.")] = None,
    images: Annotated[
        list[Path] | None,
        typer.Option(help="Folder or ZIP file with pictures that you downloaded yourself; repeatable."),
    ] = None,
    as_json: AsJson = False,
    data_dir: DataDir = None,
) -> None:
    """Fetch published data and import them. Without a name: list them, and fetch nothing."""
    wanted = list(dict.fromkeys(data for name in names or () for data in published_named(name)))
    with workplace(context, data_dir) as opened:
        if wanted:
            _get_all(opened, wanted, settings_of(context).downloads, images or (), as_json)
        else:
            _list(opened, as_json)


def _get_all(
    opened: Workplace,
    wanted: list[PublishedData],
    downloads: Downloads,
    images: Sequence[Path],
    as_json: bool,
) -> None:
    """Get published data sets one after the other.

    If one data set fails, the next ones are still fetched. But if the server does not answer, the remaining ones are
    not fetched.
    """
    results: list[dict[str, object]] = []
    failed = False
    for data in wanted:
        try:
            with progress_bar() as progress:
                report = get_published(opened, data, downloads, progress, images=images)
        except CapscopeError as error:
            if len(wanted) == 1:
                raise
            print(f"Error: {error}", file=sys.stderr)
            failed = True
            if isinstance(error, Unreachable):
                break
            continue
        opened.repository.audit.add(COMMAND_LINE, "data imported", f"data set {data.name}, from published data")
        if as_json:
            results.append(report_json(report))
        else:
            print_report(report)
    if as_json:
        print_json(results)
    if failed:
        raise typer.Exit(FAILED)


def _list(opened: Workplace, as_json: bool) -> None:
    every = published_named("all")
    listed = list(zip(every, states(opened, every), strict=True))
    if as_json:
        names = ("name", "summary", "licence", "citation", "pictures")
        print_json(
            [
                {name: getattr(data, name) for name in names}
                | {"bytes": data.size, "state": state, "files": [data.address(file) for file in data.all_files]}
                for data, state in listed
            ]
        )
        return
    for data, state in listed:
        size = "size unknown" if data.size is None else f"{data.size / 1e6:.1f} MB"
        typer.echo(f"{data.name}  ({size}, {STATES[state]})")
        typer.echo(f"    {data.summary}")
        typer.echo(f"    licence: {data.licence}")
        typer.echo(f"    cite: {data.citation}")
        typer.echo(f"    from https://github.com/{data.repository}")
    typer.echo(f"To download and import: {COMMAND} get NAME, or {COMMAND} get all. Nothing was downloaded now.")
