"""`rater export` and `rater erase`: everything that is known of one rater, given out or taken away."""

import json
from pathlib import Path
from typing import Annotated

import typer

from core.files import written_whole
from ui.commands.options import DataDir, workplace
from ui.services.invitations import COMMAND_LINE
from ui.services.rater_data import erase_rater, rater_data
from ui.settings import Settings


def register(cli: typer.Typer, settings: Settings) -> None:
    """Add the commands."""
    group = typer.Typer(help="Give out or erase what is known of one rater.")
    cli.add_typer(group, name="rater")

    @group.command()
    def export(
        code: Annotated[str, typer.Argument(metavar="CODE")],
        to: Annotated[Path, typer.Option(help="The JSON file to write.")],
        data_dir: DataDir = None,
    ) -> None:
        """Write everything that is stored about a rater into a file, but no secret and no platform's id."""
        with workplace(settings, data_dir) as opened:
            found = rater_data(opened, code)
            with written_whole(to) as unfinished:
                unfinished.write_text(json.dumps(found, ensure_ascii=False, indent=2), encoding="utf-8")
            opened.repository.audit.add(COMMAND_LINE, "rater's data taken", f"rater {code}")
        typer.echo(f"Wrote {sum(map(len, found.values()))} rows about {code} to {to}.")

    @group.command()
    def erase(
        code: Annotated[str, typer.Argument(metavar="CODE")],
        typed: Annotated[str, typer.Option("--code", help="The code once more.")] = "",
        keep_ratings: Annotated[
            bool, typer.Option("--keep-ratings/--with-ratings", help="Whether ratings stay, without their rater.")
        ] = True,
        data_dir: DataDir = None,
    ) -> None:
        """Erase a rater in every study: code, notes, sessions, links, a platform's id; ratings stay or go as well."""
        with workplace(settings, data_dir) as opened:
            number = erase_rater(opened, code, typed, keep_ratings)
            what = f"rater number {number}, ratings {'kept' if keep_ratings else 'gone'}"
            opened.repository.audit.add(COMMAND_LINE, "rater erased", what)
        typer.echo(f"Erased the rater, who was number {number}; the ratings {'stay' if keep_ratings else 'are gone'}.")
