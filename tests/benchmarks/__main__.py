"""Run the benchmarks and print one table: `python -m tests.benchmarks [NAME...]`, names as in bench_NAME.py.

Times say something about this machine at this moment only, so the load stands beside them and a missed limit is no
failure. The exit code is 1 where something was wrong at any speed: other results, lost answers.
"""

import importlib
import os
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from types import ModuleType

from rich.console import Console
from rich.table import Table

from tests.benchmarks.rows import NotHere, Row, figure

COLUMNS = ("what", "ours", "theirs", "ratio", "asked", "met", "note")
_MET = {True: "yes", False: "NO", None: ""}


def modules(names: Sequence[str]) -> list[ModuleType]:
    """Return the benchmarks of those names, or all that have something to run. Raises SystemExit for a wrong name."""
    there = {path.stem.removeprefix("bench_"): path.stem for path in sorted(Path(__file__).parent.glob("bench_*.py"))}
    unknown = sorted(set(names) - set(there))
    if unknown:
        sys.exit(f"There is no benchmark {', '.join(unknown)}; there are: {', '.join(there)}.")
    found = [importlib.import_module(f"tests.benchmarks.{there[name]}") for name in names or there]
    return [module for module in found if hasattr(module, "run")]


def load() -> str:
    """Return the load average of the last minute."""
    return f"load {os.getloadavg()[0]:.1f}"


def cells(row: Row) -> tuple[str, ...]:
    """Return a row as it is printed."""
    theirs = "" if row.theirs is None else f"{figure(row.theirs)} {row.unit} ({row.other})"
    ratio = "" if row.ratio is None else f"{figure(row.ratio)}×"
    ours = "not run" if row.ours is None else f"{figure(row.ours)} {row.unit}".strip()
    return row.what, ours, theirs, ratio, ", ".join(row.limits), _MET[row.met], row.note


def add(table: Table, console: Console, module: ModuleType) -> bool:
    """Run one benchmark into the table; returns whether everything that must hold did."""
    name = module.__name__.rpartition("bench_")[2]
    console.print(f"{name} ... ({load()})")
    try:
        rows: list[Row] = list(module.run())
    except NotHere as reason:
        table.add_row(name, "not run", note := "", note, note, note, str(reason))
        return True
    for row in rows:
        table.add_row(*cells(row))
    table.add_section()
    console.print(f"{name} done ({load()})")
    return all(row.holds for row in rows)


def main(names: Iterable[str]) -> int:
    """Run benchmarks; returns the exit code."""
    progress = Console(stderr=True, highlight=False)
    table = Table(*COLUMNS)
    before = load()
    sound = [add(table, progress, module) for module in modules(tuple(names))]
    console = Console(width=None if sys.stdout.isatty() else 200, highlight=False)
    console.print(table)
    console.print(f"{os.cpu_count()} cores; {before} at the start, {load()} at the end (last minute)")
    return 0 if all(sound) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
