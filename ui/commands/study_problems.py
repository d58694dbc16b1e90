"""`study problems`, `study withdraw` and `study message`: list reported items, withdraw them, and write to raters."""

from typing import Annotated, Any

import typer
from pydantic import TypeAdapter

from storage.rating.desk.messages import SentMessage
from storage.rating.results.reported_items import ReportedItem
from ui.commands.options import AsJson, By, DataDir, print_json, study_opened
from ui.services.accounts.invitations import COMMAND_LINE

StudyName = Annotated[str, typer.Argument(metavar="STUDY")]


def problems(
    context: typer.Context, name: StudyName, as_json: AsJson = False, by: By = None, data_dir: DataDir = None
) -> None:
    """List the items that raters reported or skipped, withdrawn items, and messages to raters."""
    with study_opened(context, name, data_dir, by, "run") as (opened, study):
        items, messages = opened.repository.reported_items.of(study.id), opened.repository.messages.of_study(study.id)
    if as_json:
        found: dict[str, Any] = {"study": name}
        found["items"] = TypeAdapter(tuple[ReportedItem, ...]).dump_python(items, mode="json")
        found["messages"] = TypeAdapter(tuple[SentMessage, ...]).dump_python(messages, mode="json")
        print_json(found)
        return
    if not items:
        typer.echo("No rater has reported an item.")
    for item in items:
        counts = ", ".join(f"{reason.replace('_', ' ')}: {count}" for reason, count in item.reasons.items())
        withdrawn = ", withdrawn" if item.withdrawn_at is not None else ""
        where = item.role if item.number is None else f"item {item.number}"
        typer.echo(f"{where}, sample {item.key}: {counts or 'no report'}; {item.skips} skipped{withdrawn}")
        for report in item.reports:
            typer.echo(f"  {report.code}: {report.reason.replace('_', ' ')}. {report.words}".rstrip())
    for message in messages:
        typer.echo(f"To {message.to or 'all raters'}, read by {message.readers} raters: {message.text}")


def withdraw(
    context: typer.Context,
    name: StudyName,
    number: Annotated[int, typer.Argument(metavar="ITEM", help="The item's number, as `study problems` prints it.")],
    undo: Annotated[
        bool, typer.Option("--undo", help="Undo the withdrawal, so that raters get the item again.")
    ] = False,
    by: By = None,
    data_dir: DataDir = None,
) -> None:
    """Withdraw an item: no rater gets it any more, and results exclude its answers."""
    with study_opened(context, name, data_dir, by, "run") as (opened, study):
        item = opened.repository.reported_items.id_of(study.id, number)
        if undo:
            opened.repository.reported_items.restore(study.id, item)
        else:
            opened.repository.reported_items.withdraw(study.id, item)
        deed = "withdrawal of an item undone" if undo else "item withdrawn"
        opened.repository.audit.add(COMMAND_LINE, deed, f"study {name}: item {item}")
    typer.echo(f"Raters get item {number} again." if undo else f"No rater gets item {number} any more.")


def message(
    context: typer.Context,
    name: StudyName,
    text: Annotated[str, typer.Argument(metavar="TEXT")],
    to: Annotated[str | None, typer.Option(help="A rater's code; default: all raters.")] = None,
    by: By = None,
    data_dir: DataDir = None,
) -> None:
    """Send a message, which raters read on the rating page at their next visit."""
    with study_opened(context, name, data_dir, by, "run") as (opened, study):
        opened.repository.messages.send(study.id, text, COMMAND_LINE, to)
        opened.repository.audit.add(COMMAND_LINE, "message sent to raters", f"study {name}: to {to or 'all raters'}")
    typer.echo(f"Sent to {to or 'all raters'}.")
