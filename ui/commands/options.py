"""Options that several commands share, and how they print."""

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from ui.services import studies as services
from ui.settings import Settings

DataDir = Annotated[Path | None, typer.Option("--data-dir", help="Folder of the database. [env: CAPSCOPE_DATA]")]
AsJson = Annotated[bool, typer.Option("--json", help="Print only JSON on standard output.")]


@contextmanager
def workplace(settings: Settings, data_dir: Path | None) -> Iterator[services.Workplace]:
    """Open the data folder for one command."""
    opened = services.open_workplace(settings.with_options(data_dir=data_dir))
    try:
        yield opened
    finally:
        opened.repository.close()


def print_json(value: Any) -> None:
    """Print a value as JSON; NaN is an error, never output."""
    sys.stdout.write(json.dumps(value, ensure_ascii=False, indent=2, allow_nan=False) + "\n")


@contextmanager
def progress_bar() -> Iterator[services.Progress]:
    """Show a progress bar with the time left on standard error while something long runs."""
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    console = Console(stderr=True)
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bars:
        tasks: dict[str, Any] = {}

        def show(what: str, done: int, total: int) -> None:
            if what not in tasks:
                tasks[what] = bars.add_task(what, total=total)
            bars.update(tasks[what], completed=done, total=total)

        yield show
