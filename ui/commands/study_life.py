"""`study state` and `study delete`."""

from typing import Annotated

import typer

from core.errors import BadSetting
from core.studies.planning.life_cycle import STATES, State, StudySchedule
from storage.engine.database import utc_now
from ui.commands.options import DataDir, study_opened
from ui.services.accounts.invitations import COMMAND_LINE

StudyName = Annotated[str, typer.Argument(metavar="STUDY")]


def state(
    context: typer.Context,
    name: StudyName,
    new: Annotated[str, typer.Argument(metavar="STATE", help=f"{', '.join(STATES)}.")],
    data_dir: DataDir = None,
) -> None:
    """Start, pause or close a study."""
    wanted = _state(new)
    with study_opened(context, name, data_dir) as (opened, study):
        opened.repository.life.step(study.id, wanted)
        entry = f"study {name}: {study.course.state} to {wanted}"
        opened.repository.audit.add(COMMAND_LINE, "study's state changed", entry)
    typer.echo(f"{name} changed from {study.course.state} to {wanted}.")


def delete(
    context: typer.Context,
    name: StudyName,
    typed: Annotated[str, typer.Option("--name", help="Type the study's name again to confirm.")] = "",
    data_dir: DataDir = None,
) -> None:
    """Delete a study with all its ratings. To keep them, archive the study."""
    with study_opened(context, name, data_dir) as (opened, study):
        ratings = opened.repository.erasures.delete_study(study.id, typed)
        opened.repository.audit.add(COMMAND_LINE, "study deleted", f"study {name}")
    typer.echo(f"Deleted {name} with {ratings} ratings.")


def course_text(course: StudySchedule) -> str:
    """Return a study's state and settings as text."""
    parts: list[str] = [course.state]
    if course.state == "running" and course.stop(utc_now()) is not None:
        parts.append("its deadline has passed")
    if course.deadline is not None:
        parts.append(f"until {course.deadline:%Y-%m-%d %H:%M} UTC")
    if course.items_per_rater is not None:
        parts.append(f"{course.items_per_rater} items per rater")
    if course.hold_hours != StudySchedule().hold_hours:
        parts.append(f"unfinished items stay reserved for {course.hold_hours:g} hours")
    if not course.new_raters:
        parts.append("no new raters")
    return ", ".join(parts)


def _state(text: str) -> State:
    if text not in STATES:
        raise BadSetting(f"The state must be one of {', '.join(STATES)}, found {text!r}.")
    return text
