"""`study participants`: show a study's progress."""

from typing import Annotated

import typer
from pydantic import TypeAdapter

from ui.commands.options import AsJson, By, DataDir, print_json, workplace
from ui.commands.print_tables import print_table
from ui.services.studies.participants import StudyMonitor, days_table, study_monitor
from ui.services.studies.rights import study_named


def participants(
    context: typer.Context,
    name: Annotated[str, typer.Argument(metavar="STUDY")],
    as_json: AsJson = False,
    by: By = None,
    data_dir: DataDir = None,
) -> None:
    """Show participants by state and day, missing ratings, and the expected end. --json also lists raters."""
    with workplace(context, data_dir, by=by) as opened:
        found = study_monitor(opened, study_named(opened, name))
    if as_json:
        print_json({"study": name, **TypeAdapter(StudyMonitor).dump_python(found, mode="json")})
        return
    typer.echo("Now: " + ", ".join(f"{count} {state.replace('_', ' ')}" for state, count in found.now.items()) + ".")
    if found.shares_items:
        items = f"{len(found.short):,} items need" if len(found.short) != 1 else "1 item needs"
        typer.echo(f"{items} {found.missing:,} more ratings.")
    end = "" if found.end.at is None else f"{found.end.at:%Y-%m-%d %H:%M} UTC. "
    typer.echo(f"Expected end: {end}{found.end.words}")
    print_table(days_table(found.days))
