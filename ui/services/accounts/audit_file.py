"""Write the audit log as lines of a file."""

import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict
from pathlib import Path

from core.csv_text import csv_line
from core.errors import BadSetting
from storage.accounts.types import AuditEntry


def csv_lines(entries: Iterable[AuditEntry]) -> Iterator[str]:
    """Yield the audit log as lines of CSV.

    The cells are written so that spreadsheets do not run them as formulas.
    """
    yield "at,actor,deed,object,address\r\n"
    for entry in entries:
        cells = (f"{entry.at.isoformat()}Z", entry.actor, entry.deed, entry.object, entry.address)
        yield csv_line(cells, "\r\n")


def jsonl_lines(entries: Iterable[AuditEntry]) -> Iterator[str]:
    """Yield the audit log as lines of JSON."""
    for entry in entries:
        yield json.dumps(asdict(entry) | {"at": f"{entry.at.isoformat()}Z"}, ensure_ascii=False) + "\n"


LINES: dict[str, Callable[[Iterable[AuditEntry]], Iterator[str]]] = {".csv": csv_lines, ".jsonl": jsonl_lines}


def lines_for(path: Path | None) -> Callable[[Iterable[AuditEntry]], Iterator[str]]:
    """Return the function that writes the audit log as text.

    The ending of the file's name chooses the format. path None: JSON lines. Raises BadSetting for another ending.
    """
    if path is None:
        return jsonl_lines
    if path.suffix not in LINES:
        raise BadSetting(f"The name of a log file must end in one of {', '.join(LINES)}, found {path.name!r}.")
    return LINES[path.suffix]
