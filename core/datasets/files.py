"""Reading JSON files and line files: UTF-8 with or without a byte order mark, with progress, with clear errors."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path

from core.datasets.base import Source
from core.datasets.rows import Row
from core.errors import BadFile, BadRow

_BOM = b"\xef\xbb\xbf"


def json_list(source: Source) -> list[object]:
    """Return the entries of a JSON file that holds one list."""
    content = read_json(source.path)
    if not isinstance(content, list):
        raise BadFile(source.path, f"expected a JSON list on top, found {_kind(content)}; choose another format")
    if not content:
        raise BadFile(source.path, "the JSON list is empty; there is nothing to import")
    return content


def json_object(source: Source) -> dict[str, object]:
    """Return the members of a JSON file that holds one object."""
    content = read_json(source.path)
    if not isinstance(content, dict):
        raise BadFile(source.path, f"expected a JSON object on top, found {_kind(content)}; choose another format")
    if not content:
        raise BadFile(source.path, "the JSON object is empty; there is nothing to import")
    return content


def entry_rows(source: Source, entries: list[object]) -> Iterator[Row | BadRow]:
    """Yield the entries of a list as rows, numbered from 1, and tell the progress in entries."""
    for number, entry in enumerate(entries, start=1):
        yield as_row(source.path, number, entry)
        source.on_progress(number, len(entries))


def as_row(path: Path, number: int, entry: object) -> Row | BadRow:
    """Return a JSON object as a row, anything else as a bad row."""
    if isinstance(entry, Mapping):
        return Row(path, number, entry)
    return BadRow(path, number, "row", "a JSON object", entry)


def lines(source: Source) -> Iterator[str]:
    """Yield the lines with their endings, and tell the progress in bytes. Lines end at LF only, as in JSONL."""
    total, done = source.path.stat().st_size, 0
    with source.path.open("rb") as file:
        for number, line in enumerate(file, start=1):
            done += len(line)
            yield decoded(source.path, line.removeprefix(_BOM) if number == 1 else line, f"line {number}")
            source.on_progress(done, total)


def decoded(path: Path, content: bytes, place: str) -> str:
    """Return the bytes as text, or raise BadFile naming the place."""
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError as error:
        problem = f"{place} is not UTF-8 (byte {error.object[error.start]:#04x}); save the file as UTF-8"
        raise BadFile(path, problem) from error


def parsed_json(text: str) -> object:
    """Return what a JSON text holds. Raises ValueError, also for nesting too deep to read."""
    try:
        content: object = json.loads(text)
    except RecursionError as error:
        raise ValueError("it is nested too deeply") from error
    return content


def read_json(path: Path) -> object:
    """Return what a JSON file holds. Raises BadFile."""
    text = decoded(path, path.read_bytes().removeprefix(_BOM), "the file")
    try:
        return parsed_json(text)
    except ValueError as error:
        raise BadFile(path, f"expected JSON, but {error}; choose another format or get the file again") from error


def _kind(content: object) -> str:
    names = {dict: "an object", list: "a list", str: "a text", bool: "true or false", type(None): "null"}
    return names.get(type(content), "a number")
