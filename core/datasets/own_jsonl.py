"""JSONL, our own form: one JSON object a line, one sample an object; described in docs/formats.md."""

from collections.abc import Iterator

from core.datasets.base import Format, Record, Source
from core.datasets.files import line_rows
from core.datasets.own_form import record_of
from core.datasets.rows import records_of


def read(source: Source) -> Iterator[Record]:
    """Yield one record a line that is not blank, reading line by line."""
    return records_of(source, line_rows(source), record_of)


JSONL = Format(
    name="jsonl",
    summary="our own form, one JSON object a line: image, caption, references, human score, scores (docs/formats.md)",
    suffixes=(".jsonl", ".ndjson"),
    reader=read,
    holds_scores=True,
)
