"""JSONL, our own form: one JSON object a line, one sample an object; described in docs/formats.md."""

from collections.abc import Iterator

from core.datasets.base import Format, Record, Source
from core.datasets.files import as_row, lines, parsed_json
from core.datasets.own_form import record_of
from core.datasets.rows import Row, records_of
from core.errors import BadFile, BadRow


def read(source: Source) -> Iterator[Record]:
    """Yield one record a line that is not blank, reading line by line."""
    return records_of(source, _rows(source), record_of)


def _rows(source: Source) -> Iterator[Row | BadRow]:
    found = 0
    for number, line in enumerate(lines(source), start=1):
        if line.strip():
            found += 1
            yield _row(source, number, line.strip())
    if not found:
        raise BadFile(source.path, "the file holds only blank lines; there is nothing to import")


def _row(source: Source, number: int, line: str) -> Row | BadRow:
    try:
        return as_row(source.path, number, parsed_json(line))
    except ValueError as error:
        twice = "stands twice" in str(error)
        expected = "every name once in an object" if twice else "one whole JSON object on the line"
        return BadRow(source.path, number, "row", expected, str(error) if twice else line)


JSONL = Format(
    name="jsonl",
    summary="our own form, one JSON object a line: image, caption, references, human score, scores (docs/formats.md)",
    suffixes=(".jsonl", ".ndjson"),
    reader=read,
    holds_scores=True,
)
