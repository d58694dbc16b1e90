"""`rater erase`: erase a rater's data."""

from typing import Annotated

import typer

from ui.commands.options import DataDir, workplace
from ui.services.accounts.invitations import COMMAND_LINE
from ui.services.studies.study_actions import erase_rater


def register(cli: typer.Typer) -> None:
    """Add the commands of `rater`."""
    group = typer.Typer(help="Erase a rater's data.")
    cli.add_typer(group, name="rater")
    group.command()(erase)


def erase(
    context: typer.Context,
    code: Annotated[str, typer.Argument(metavar="CODE")],
    typed: Annotated[str, typer.Option("--code", help="Type the code again to confirm.")] = "",
    keep_ratings: Annotated[
        bool,
        typer.Option(
            "--keep-ratings/--with-ratings",
            help="Whether to keep the ratings without the rater's code, or delete the ratings too.",
        ),
    ] = True,
    data_dir: DataDir = None,
) -> None:
    """Erase a rater in every study: code, notes, sessions, links, platform's id and, if wanted, ratings."""
    with workplace(context, data_dir) as opened:
        number = erase_rater(opened, code, typed, keep_ratings)
        what = f"rater number {number}, ratings {'kept' if keep_ratings else 'deleted'}"
        opened.repository.audit.add(COMMAND_LINE, "rater erased", what)
    typer.echo(
        f"Erased the rater, who had the number {number}. The ratings {'were kept' if keep_ratings else 'were deleted'}."
    )
