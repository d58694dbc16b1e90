"""`demo export`: the demo as a folder that any web host can serve."""

from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import typer

from core.errors import BadSetting

_MEGABYTE = 1_000_000


def register(cli: typer.Typer) -> None:
    """Add the command."""
    group = typer.Typer(help="The demo, to pass on.")
    cli.add_typer(group, name="demo")
    group.callback()(only)
    group.command()(export)


def only() -> None:
    """Keep `export` a word of its own."""


def export(
    to: Annotated[Path, typer.Argument(metavar="DIR", help="Folder to write; an earlier copy in it is replaced.")],
    url: Annotated[
        str | None, typer.Option(metavar="URL", help="Where it will be served, for the previews of links to it.")
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Write over files that are no earlier copy's.")] = False,
) -> None:
    """Write a static copy of the demo: recorded answers, no Python behind it."""
    from ui.demo_copy.export import export_demo  # imports Gradio

    if url is not None and not url.startswith(("https://", "http://")):
        raise BadSetting(f"--url: expected an address that begins with https://, found {url}.")
    written = export_demo(to, datetime.now(UTC).date(), url, force)
    typer.echo(
        f"Wrote {written.files} files to {to}: {written.bytes / _MEGABYTE:.2f} MB, "
        f"and {written.photographs / _MEGABYTE:.2f} MB of photographs."
    )
    typer.echo(f"Look at it: python -m http.server --directory {to}")
