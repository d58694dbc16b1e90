"""Options that several commands share, and how they print."""

import json
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, redirect_stdout
from contextvars import ContextVar
from pathlib import Path
from typing import Annotated, Any, TextIO

import typer
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, ProgressColumn, Task, TextColumn, TimeRemainingColumn
from rich.progress import Progress as Bars
from rich.table import Table as RichTable
from rich.text import Text

from core.progress import Progress
from ui.services.tables import Table, cells
from ui.services.workplace import Workplace, open_workplace
from ui.settings import Settings

STANDARD_OUTPUT, STANDARD_ERROR = 1, 2  # file descriptors
Plugin = Annotated[
    list[str] | None,
    typer.Option(metavar="MODULE:CLASS", help="A metric of your own; repeatable. [env: CAPSCOPE_PLUGIN]"),
]
DataDir = Annotated[Path | None, typer.Option("--data-dir", help="Folder of the database. [env: CAPSCOPE_DATA]")]
_json_output: ContextVar[TextIO | None] = ContextVar("json_output", default=None)


@contextmanager
def json_alone() -> Iterator[None]:
    """Keep standard output for print_json; what libraries and their C code print there goes to standard error."""
    ours = sys.stdout
    ours.flush()
    kept = os.dup(STANDARD_OUTPUT)
    os.dup2(STANDARD_ERROR, STANDARD_OUTPUT)
    is_real = ours is sys.__stdout__  # and not a test's buffer
    out = open(kept, "w", encoding=ours.encoding, errors=ours.errors) if is_real else ours
    outside = _json_output.set(out)
    try:
        with redirect_stdout(sys.stderr):
            yield
    finally:
        _json_output.reset(outside)
        ours.flush()
        out.flush()
        os.dup2(kept, STANDARD_OUTPUT)
        out.close() if is_real else os.close(kept)


def _keep_for_json(context: typer.Context, wanted: bool) -> bool:
    if wanted and not context.resilient_parsing:
        context.with_resource(json_alone())
    return wanted


AsJson = Annotated[bool, typer.Option("--json", help="Print only JSON on standard output.", callback=_keep_for_json)]


@contextmanager
def workplace(settings: Settings, data_dir: Path | None, plugin: Sequence[str] | None = None) -> Iterator[Workplace]:
    """Open the data folder for one command."""
    opened = open_workplace(settings.with_options(data_dir=data_dir, plugin=plugin))
    try:
        yield opened
    finally:
        opened.repository.close()


def print_json(value: Any) -> None:
    """Print a value as JSON; NaN is an error, never output."""
    out = _json_output.get() or sys.stdout
    out.write(json.dumps(value, ensure_ascii=False, indent=2, allow_nan=False) + "\n")


class RateColumn(ProgressColumn):
    """How many are done in a second, or in a minute where that is less than one."""

    def render(self, task: Task) -> Text:
        """Return the rate, nothing before there is one."""
        if not task.speed:
            return Text()
        return Text(f"{task.speed:.1f}/s" if task.speed >= 1 else f"{60 * task.speed:.1f}/min")


@contextmanager
def progress_bar() -> Iterator[Progress]:
    """Show a progress bar with rate and time left on standard error while something long runs."""
    counted = (BarColumn(), MofNCompleteColumn(), RateColumn(), TimeRemainingColumn())
    columns: tuple[ProgressColumn, ...] = (TextColumn("{task.description}"), *counted)
    console = Console(stderr=True)
    with Bars(*columns, console=console, transient=True, disable=not console.is_terminal) as bars:
        tasks: dict[str, Any] = {}

        def show(what: str, done: int, total: int) -> None:
            if what not in tasks:
                tasks[what] = bars.add_task(what, total=total)
            bars.update(tasks[what], completed=done, total=total)

        yield show


def print_table(table: Table[Any]) -> None:
    """Print a table for 80 columns: its first column may wrap, figures never do. Nothing where it has no rows."""
    if not table.rows:
        return
    heads, lines = cells(table, brief=True)
    kinds = {column.head: column.kind for column in table.columns}
    shown = RichTable(title=escape(table.title), title_justify="left", box=SIMPLE_HEAD, show_edge=False, pad_edge=False)
    shown.padding = (0, 1, 0, 0)
    for name in heads:
        words = kinds[name] in ("text", "difference", "both")
        shown.add_column(escape(name), overflow="fold", no_wrap=name != heads[0], justify="left" if words else "right")
    for line in lines:
        shown.add_row(*(escape(cell.text) for cell in line))
    Console(highlight=False).print(shown)
