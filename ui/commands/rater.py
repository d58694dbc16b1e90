"""`rater erase` and `rater import`: erase a rater's data; import saved answers."""

from pathlib import Path
from typing import Annotated

import typer

from ui.commands.options import DataDir, workplace
from ui.services.accounts.invitations import COMMAND_LINE
from ui.services.studies.rater_data import erase_rater
from ui.services.transfer.answer_files import import_answers


def register(cli: typer.Typer) -> None:
    """Add the commands of `rater`."""
    group = typer.Typer(help="Erase a rater's data; import answers from a rater's browser.")
    cli.add_typer(group, name="rater")
    group.command()(erase)
    group.command("import")(import_)


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


def import_(
    context: typer.Context,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="answers-of-CODE.json, saved on the rating page.")],
    new_rater: Annotated[
        bool, typer.Option("--new-rater", help="Create the rater if the database has no rater with this code.")
    ] = False,
    data_dir: DataDir = None,
) -> None:
    """Store answers that a rater saved as a file, for example after a restore. Importing twice changes nothing."""
    with workplace(context, data_dir) as opened:
        imported = import_answers(opened, file, new_rater)
        refused = sum(imported.refused.values())
        what = f"rater {imported.rater}: {imported.stored} stored, {imported.known} known, {refused} refused"
        opened.repository.audit.add(COMMAND_LINE, "answers imported", what)
    typer.echo(f"Stored {imported.stored} answers of {imported.rater}. {imported.known} answers were stored before.")
    for reason, answers in imported.refused.items():
        typer.echo(f"Not imported, {answers}: {reason}")
