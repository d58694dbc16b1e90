"""`study state` and `study delete`."""

from typing import Annotated

import typer

from core.errors import BadSetting
from core.studies.design import HOLD_HOURS, STATES, State
from storage.engine.database import utc_now
from storage.study_types import Study
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
    typer.echo(f"Deleted {name} with {ratings} ratings.")


def course_text(study: Study) -> str:
    """Return a study's state and settings as text."""
    design, parts = study.design, [str(study.state)]
    if study.state == "running" and design.is_over(study.state, utc_now()):
        parts.append("its deadline has passed")
    if design.deadline is not None:
        parts.append(f"until {design.deadline:%Y-%m-%d %H:%M} UTC")
    if design.items_per_rater is not None:
        parts.append(f"{design.items_per_rater} items per rater")
    if design.hold_hours != HOLD_HOURS:
        parts.append(f"unfinished items stay reserved for {design.hold_hours:g} hours")
    if not design.new_raters:
        parts.append("no new raters")
    return ", ".join(parts)


def _state(text: str) -> State:
    if text not in STATES:
        raise BadSetting(f"The state must be one of {', '.join(STATES)}, found {text!r}.")
    return text
