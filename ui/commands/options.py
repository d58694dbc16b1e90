"""Define options that several commands share, and how commands print."""

import json
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, redirect_stdout
from contextvars import ContextVar
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Annotated, Any, TextIO

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, TaskID, TextColumn, TimeRemainingColumn
from rich.progress import Progress as Bars

from core.errors import BadSetting
from core.long_work.progress import Progress
from ui.settings import Settings

if TYPE_CHECKING:
    from storage.study_types import Study
    from ui.services.workplace import Workplace

EVERY_S = 30.0  # seconds between two lines of progress
STANDARD_OUTPUT, STANDARD_ERROR = 1, 2  # file descriptors
Plugin = Annotated[
    list[str] | None,
    typer.Option(metavar="MODULE:CLASS", help="Your own metric; repeatable. [env: CAPSCOPE_PLUGIN]"),
]
DataDir = Annotated[Path | None, typer.Option("--data-dir", help="Data folder. [env: CAPSCOPE_DATA]")]
_json_output: ContextVar[TextIO | None] = ContextVar("json_output", default=None)


@contextmanager
def json_alone() -> Iterator[None]:
    """Let only print_json write to standard output within a `with` block.

    All other output, also that of libraries and their C code, goes to standard error.
    """
    ours = sys.stdout
    ours.flush()
    kept = os.dup(STANDARD_OUTPUT)
    os.dup2(STANDARD_ERROR, STANDARD_OUTPUT)
    is_real = ours is sys.__stdout__  # False in tests that replace standard output with a buffer
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


def settings_of(context: typer.Context) -> Settings:
    """Return the settings with which the command line was built."""
    settings = context.obj
    assert isinstance(settings, Settings)
    return settings


@contextmanager
def workplace(
    context: typer.Context, data_dir: Path | None, plugin: Sequence[str] | None = None
) -> "Iterator[Workplace]":
    """Open the data folder, or the archive of a study, for one command."""
    from ui.services.transfer.archive import SUFFIX, opened_archive  # imported late: help does without the database
    from ui.services.workplace import open_workplace

    if data_dir is not None and data_dir.name.endswith(SUFFIX):
        with opened_archive(data_dir) as archived:
            yield archived
        return
    opened = open_workplace(settings_of(context).with_options(data_dir=data_dir, plugin=plugin))
    try:
        yield opened
    finally:
        opened.repository.close()


@contextmanager
def study_opened(context: typer.Context, name: str, data_dir: Path | None) -> "Iterator[tuple[Workplace, Study]]":
    """Open the data folder for one command about a study.

    Raises NotFound.
    """
    with workplace(context, data_dir) as opened:
        yield opened, opened.repository.studies.named(name)


def pairs_of(option: str, given: Sequence[str] | None) -> dict[str, str]:
    """Return the values of a repeatable option NAME=VALUE by name. Raises BadSetting. option: its name in the error."""
    pairs = [(text, *text.partition("=")) for text in given or ()]
    for text, name, equals, _ in pairs:
        if not name or not equals:
            raise BadSetting(f"{option} must be NAME=VALUE, found {text!r}.")
    return {name: value for _, name, _, value in pairs}


def print_json(value: Any) -> None:
    """Print a value as JSON. Raises ValueError for NaN."""
    out = _json_output.get() or sys.stdout
    out.write(json.dumps(value, ensure_ascii=False, indent=2, allow_nan=False) + "\n")


def progress_lines() -> Progress:
    """Return a function that prints a line about a long job every 30 s."""
    printed = monotonic()

    def note(what: str, done: int, total: int) -> None:
        nonlocal printed
        if monotonic() - printed >= EVERY_S and done < total:
            printed = monotonic()
            print(f"{what}: {done:,} of {total:,} ({100 * done / total:.1f} %)", file=sys.stderr, flush=True)

    return note


@contextmanager
def progress_bar() -> Iterator[Progress]:
    """Show a long job's progress and time left on standard error.

    The display is a bar on a terminal; otherwise it is lines.
    """
    if not Console(stderr=True).is_terminal:
        yield progress_lines()
        return
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    tasks = dict[str, TaskID]()
    with Bars(*columns, console=Console(stderr=True), transient=True) as bars:

        def show(what: str, done: int, total: int) -> None:
            if what not in tasks:
                tasks[what] = bars.add_task(what, total=total)
            bars.update(tasks[what], completed=done, total=total)

        yield show
