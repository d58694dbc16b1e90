"""Write the audit log as lines of a file."""

import json
from collections.abc import Iterable, Iterator
from dataclasses import asdict

from core.csv_text import csv_line
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
