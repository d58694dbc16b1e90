"""`study state`, `set`, `copy`, `delete`, `release`, `exclude` and `include`: change a study and its raters."""

from dataclasses import replace
from datetime import UTC, datetime
from typing import Annotated, Any

import typer

from core.errors import BadSetting
from core.installation import COMMAND
from core.studies.planning.life_cycle import GIVING, STATES, Release, State, StudySchedule
from storage.engine.database import utc_now
from ui.commands.options import By, DataDir, study_opened, workplace
from ui.services.accounts.invitations import COMMAND_LINE
from ui.services.studies.rights import check_makes_studies, study_named
from ui.services.studies.workload import study_workload

StudyName = Annotated[str, typer.Argument(metavar="STUDY")]
Codes = Annotated[str, typer.Argument(metavar="CODE[,CODE...]", help="Codes of raters.")]
REASONS: dict[str, Release] = {"by-hand": "by_hand", "returned": "returned", "timed-out": "timed_out"}


def register_life(group: typer.Typer) -> None:
    """Add the commands of this file to the group `study`."""
    group.command()(state)
    group.command("set")(set_)
    group.command()(copy)
    group.command()(delete)
    group.command()(release)
    group.command()(exclude)
    group.command()(include)


def state(
    context: typer.Context,
    name: StudyName,
    new: Annotated[str, typer.Argument(metavar="STATE", help=f"{', '.join(STATES)}.")],
    pilot_items: Annotated[int | None, typer.Option(help="Number of items in a pilot.")] = None,
    by: By = None,
    data_dir: DataDir = None,
) -> None:
    """Start, pilot, pause, close or archive a study."""
    wanted = _state(new)
    with study_opened(context, name, data_dir, by, "run") as (opened, study):
        opened.repository.life.step(study.id, wanted, pilot_items)
        entry = f"study {name}: {study.course.state} to {wanted}"
        opened.repository.audit.add(COMMAND_LINE, "study's state changed", entry)
    typer.echo(f"{name} changed from {study.course.state} to {wanted}.")


def set_(
    context: typer.Context,
    name: StudyName,
    deadline: Annotated[
        str | None, typer.Option(help='Deadline: 2026-12-31T18:00 in UTC, or with an offset; "never" for no deadline.')
    ] = None,
    items_per_rater: Annotated[
        int | None, typer.Option(help="Number of items per rater, reserved when the rater joins; 0: no limit.")
    ] = None,
    hold_hours: Annotated[
        float | None, typer.Option(help="Hours of inactivity before a rater's unfinished items go to others.")
    ] = None,
    new_raters: Annotated[
        bool | None, typer.Option("--new-raters/--no-new-raters", help="Whether new raters get items.")
    ] = None,
    stop_after_gold: Annotated[
        int | None, typer.Option(min=0, max=1000, help="Stop a rater after this many failed gold items; 0: never.")
    ] = None,
    by: By = None,
    data_dir: DataDir = None,
) -> None:
    """Change a study's settings. Settings that are not given keep their values."""
    changed: dict[str, Any] = {}
    if deadline is not None:
        changed["deadline"] = None if deadline == "never" else _time(deadline)
    if items_per_rater is not None:
        changed["items_per_rater"] = items_per_rater or None
    if hold_hours is not None:
        changed["hold_hours"] = hold_hours
    if new_raters is not None:
        changed["new_raters"] = new_raters
    with study_opened(context, name, data_dir, by, "run") as (opened, study):
        course = opened.repository.life.settle(study.id, **changed)
        if stop_after_gold is not None:
            watch = opened.repository.quality.watch(study.id)
            opened.repository.quality.set_watch(study.id, replace(watch, stop_after_gold=stop_after_gold or None))
        opened.repository.audit.add(COMMAND_LINE, "study's settings changed", f"study {name}")
        warnings = study_workload(opened, opened.repository.studies.get(study.id)).warnings
    typer.echo(f"{name}: {course_text(course)}.")
    for warning in warnings:
        typer.echo(f"Warning: {warning}", err=True)


def copy(
    context: typer.Context,
    name: StudyName,
    new: Annotated[str, typer.Argument(metavar="NEW")],
    by: By = None,
    data_dir: DataDir = None,
) -> None:
    """Copy a study's items and settings into a new draft."""
    with workplace(context, data_dir, by=by) as opened:
        check_makes_studies(opened)
        study = study_named(opened, name)
        opened.repository.life.duplicate(study.id, new, opened.account_id)
        opened.repository.audit.add(COMMAND_LINE, "study duplicated", f"study {name}: {new}")
    typer.echo(f"Created {new}, a draft. To start it: {COMMAND} study state {new} running")


def delete(
    context: typer.Context,
    name: StudyName,
    typed: Annotated[str, typer.Option("--name", help="Type the study's name again to confirm.")] = "",
    by: By = None,
    data_dir: DataDir = None,
) -> None:
    """Delete a study with all its ratings. To keep them, archive the study."""
    with study_opened(context, name, data_dir, by, "own") as (opened, study):
        ratings = opened.repository.erasures.delete_study(study.id, typed)
        opened.repository.audit.add(COMMAND_LINE, "study deleted", f"study {name}")
    typer.echo(f"Deleted {name} with {ratings} ratings.")


def release(
    context: typer.Context,
    name: StudyName,
    codes: Codes,
    why: Annotated[str, typer.Option(help=f"{', '.join(REASONS)}.")] = "by-hand",
    by: By = None,
    data_dir: DataDir = None,
) -> None:
    """Release raters' unfinished items, so that other raters can get them.

    Finished items stay with their raters.
    """
    if why not in REASONS:
        raise BadSetting(f"--why must be one of {', '.join(REASONS)}, found {why!r}.")
    with study_opened(context, name, data_dir, by, "run") as (opened, study):
        items = 0
        for code in _split(codes):
            items += opened.repository.life.release(study.id, code, REASONS[why])
        entry = f"study {name}: {items} of {codes}, {why}"
        opened.repository.audit.add(COMMAND_LINE, "items released", entry)
    typer.echo(f"{items} {'item' if items == 1 else 'items'} of {name} can now be given to other raters.")


def exclude(
    context: typer.Context,
    name: StudyName,
    code: Annotated[str, typer.Argument(metavar="CODE")],
    reason: Annotated[str, typer.Option(help="The reason, which reports show.")],
    by: By = None,
    data_dir: DataDir = None,
) -> None:
    """Exclude a rater's ratings from reports.

    The ratings are kept, and exports still contain them. Other raters get the excluded rater's items.
    """
    with study_opened(context, name, data_dir, by, "run") as (opened, study):
        opened.repository.life.exclude(study.id, code, reason)
        opened.repository.audit.add(COMMAND_LINE, "rater excluded", f"study {name}: {code}: {reason}")
    typer.echo(f"The ratings of {code} no longer count in {name}. Other raters get the items.")


def include(
    context: typer.Context,
    name: StudyName,
    code: Annotated[str, typer.Argument(metavar="CODE")],
    by: By = None,
    data_dir: DataDir = None,
) -> None:
    """Include an excluded rater's ratings in reports again.

    If another rater got one of the items in the meantime, only the other rater's answers to this item count.
    """
    with study_opened(context, name, data_dir, by, "run") as (opened, study):
        items = opened.repository.life.include(study.id, code)
        opened.repository.audit.add(COMMAND_LINE, "rater included again", f"study {name}: {code}")
    typer.echo(f"The answers of {code} to {items} items of {name} count again.")


def course_text(course: StudySchedule) -> str:
    """Return a study's state and settings as text."""
    parts: list[str] = [course.state]
    if course.state in GIVING and course.stop(utc_now()) is not None:
        parts.append("its deadline has passed")
    if course.deadline is not None:
        parts.append(f"until {course.deadline:%Y-%m-%d %H:%M} UTC")
    if course.state == "pilot":
        parts.append(f"{course.pilot_items} pilot items")
    if course.items_per_rater is not None:
        included = ", including practice, gold and repeated items" if course.controls_included else ""
        parts.append(f"{course.items_per_rater} items per rater{included}")
    if course.hold_hours != StudySchedule().hold_hours:
        parts.append(f"unfinished items stay reserved for {course.hold_hours:g} hours")
    if not course.new_raters:
        parts.append("no new raters")
    return ", ".join(parts)


def _state(text: str) -> State:
    if text not in STATES:
        raise BadSetting(f"The state must be one of {', '.join(STATES)}, found {text!r}.")
    return text


def _time(text: str) -> datetime:
    try:
        time = datetime.fromisoformat(text)
    except ValueError as error:
        raise BadSetting(f"--deadline must be a time such as 2026-12-31T18:00+01:00, found {text!r}.") from error
    return time if time.tzinfo is None else time.astimezone(UTC).replace(tzinfo=None)


def _split(codes: str) -> list[str]:
    return [code.strip().upper() for code in codes.split(",") if code.strip()]
