"""`study`: create, list, start, pause, close and delete studies; make links; list forms."""

from pathlib import Path
from typing import Annotated

import typer

from core.errors import BadSetting
from core.installation import COMMAND
from core.studies.asking.form_file import form_named, shipped_forms
from core.studies.asking.form_words import numbered
from core.studies.design import STATES, State
from storage.rating.raters import clean_code
from ui.commands.options import AsJson, DataDir, print_json, settings_of, study_opened, workplace
from ui.commands.study_create import create, created_json, described, names_of
from ui.services.accounts.invitations import COMMAND_LINE, base_address, study_address
from ui.services.studies.study_actions import erase_rater
from ui.services.transfer.archive import SUFFIX, archive_study
from ui.services.workplace import ensure_key, served_at

StudyName = Annotated[str, typer.Argument(metavar="STUDY")]


def register(cli: typer.Typer) -> None:
    """Add the commands of `study` and `rater`."""
    group = typer.Typer(help="Create and list studies.")
    cli.add_typer(group, name="study")
    for command in (create, forms, link, state, archive, delete):
        group.command()(command)
    group.command("list")(list_)
    raters = typer.Typer(help="Erase a rater's data.")
    cli.add_typer(raters, name="rater")
    raters.command()(erase)


def forms(
    key: Annotated[
        str | None, typer.Argument(help="Print the file of this form, as a start for your own form.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """List Capscope's forms, or print one."""
    if key is not None:
        typer.echo(form_named(key).text, nl=False)
    elif as_json:
        print_json([{"form": form.key, "title": form.title, "source": form.source} for form in shipped_forms()])
    else:
        for form in shipped_forms():
            typer.echo(f"{form.key}: {form.title}")


def archive(
    context: typer.Context,
    name: StudyName,
    to: Annotated[Path, typer.Option("--to", metavar="FILE", help=f"Ends in {SUFFIX}.")],
    pictures: Annotated[
        bool, typer.Option("--pictures", help="Include the pictures. Use this only if their licence allows it.")
    ] = False,
    data_dir: DataDir = None,
) -> None:
    """Write a study with all data of its results into one SQLite file, without private data."""
    with study_opened(context, name, data_dir) as (opened, study):
        included = archive_study(opened, study, to, pictures)
        opened.repository.audit.add(COMMAND_LINE, "archive exported", f"study {study.name}")
    typer.echo(f"Wrote {to}: {to.stat().st_size / 1e6:,.1f} MB, {numbered(included, 'picture')}.")
    typer.echo(f"Others can make the same report from this file: {COMMAND} report {to.name}")


def link(
    context: typer.Context,
    name: StudyName,
    codes: Annotated[
        str | None, typer.Option(help="A,B,...: codes of raters who each get a link; default: one link for everyone.")
    ] = None,
    uses: Annotated[
        int | None,
        typer.Option(
            help=(
                "How many browsers may use each link; default: 100 for a link for everyone, unlimited for a rater's "
                "link."
            )
        ),
    ] = None,
    address: Annotated[
        str | None,
        typer.Option(metavar="URL", help="Address of the server; default: the address of the running app."),
    ] = None,
    as_json: AsJson = False,
    data_dir: DataDir = None,
) -> None:
    """Make links by which raters enter a study without an account.

    The links are printed now and never again.
    """
    with study_opened(context, name, data_dir) as (opened, study):
        wanted: list[str | None] = [*map(clean_code, names_of(codes))] or [None]  # [None]: one link without a code
        ensure_key(opened)
        made = opened.repository.links.make_all(study.id, wanted, uses)
        told = ", ".join(link.rater or "open" for link, _ in made)
        opened.repository.audit.add(COMMAND_LINE, "study link made", f"study {study.name}: {told}")
        base = address or served_at(opened.data_dir)
    if base is None:
        base = base_address(settings_of(context))
        typer.echo(f"The app does not run now. The links assume that it will run at {base}; see --address.", err=True)
    base = base.rstrip("/")
    if as_json:
        print_json([{"rater": link.rater, "address": study_address(base, token)} for link, token in made])
        return
    for link, token in made:
        typer.echo(f"{link.rater + ': ' if link.rater else ''}{study_address(base, token)}")


def list_(context: typer.Context, as_json: AsJson = False, data_dir: DataDir = None) -> None:
    """List the studies and their raters' progress."""
    with workplace(context, data_dir) as opened:
        overview = opened.repository.studies.overview()
    if as_json:
        print_json(
            [
                created_json(study)
                | {
                    "raters": [
                        {"rater": one.code, "done": one.counted, "skipped": one.done - one.counted, "total": one.total}
                        for one in raters
                    ]
                }
                for study, raters in overview
            ]
        )
        return
    if not overview:
        typer.echo(f"There is no study yet. To create one: {COMMAND} study create NAME --dataset NAME")
    for study, raters in overview:
        typer.echo(f"{study.name}: {described(study)}; {study.state}")
        for rater in raters:
            aside = f" (excluded: {rater.excluded})" if rater.excluded else ""
            skipped = f", {rater.done - rater.counted} skipped" if rater.done > rater.counted else ""
            typer.echo(f"  {rater.code}: {rater.counted} of {rater.total}{skipped}{aside}")


def state(
    context: typer.Context,
    name: StudyName,
    new: Annotated[str, typer.Argument(metavar="STATE", help=f"{', '.join(STATES)}.")],
    data_dir: DataDir = None,
) -> None:
    """Start, pause or close a study."""
    if new not in STATES:
        raise BadSetting(f"The state must be one of {', '.join(STATES)}, found {new!r}.")
    wanted: State = new
    with study_opened(context, name, data_dir) as (opened, study):
        opened.repository.studies.step(study.id, wanted)
        entry = f"study {name}: {study.state} to {wanted}"
        opened.repository.audit.add(COMMAND_LINE, "study's state changed", entry)
    typer.echo(f"{name} changed from {study.state} to {wanted}.")


def delete(
    context: typer.Context,
    name: StudyName,
    typed: Annotated[str, typer.Option("--name", help="Type the study's name again to confirm.")] = "",
    data_dir: DataDir = None,
) -> None:
    """Delete a study with all its ratings. To keep them, archive the study."""
    with study_opened(context, name, data_dir) as (opened, study):
        ratings = opened.repository.managing.delete_study(study.id, typed)
        opened.repository.audit.add(COMMAND_LINE, "study deleted", f"study {name}")
    typer.echo(f"Deleted {name} with {numbered(ratings, 'rating')}.")


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
