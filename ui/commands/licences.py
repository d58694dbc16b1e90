"""`licences`: list the licences of installed packages."""

from dataclasses import asdict

import typer

from ui.commands.options import AsJson, print_json
from ui.services.scoring.licences import installed_licences


def register(cli: typer.Typer) -> None:
    """Add the command `licences`."""
    cli.command()(licences)


def licences(as_json: AsJson = False) -> None:
    """List the licence of every installed package. * marks licences that demand more than attribution."""
    found = installed_licences()
    if as_json:
        print_json([asdict(one) for one in found])
        return
    width = max(len(f"{one.package} {one.version}") for one in found)
    for one in found:
        typer.echo(f"{'*' if one.asks else ' '} {f'{one.package} {one.version}':<{width}}  {one.licence}")
