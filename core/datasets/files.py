"""Read JSON files and line files, with progress and clear errors.

Files are UTF-8, with or without a byte order mark, and may be compressed by gzip. Line files can also be UTF-16 with a
byte order mark, which Excel calls "Unicode text". Bad rows are passed to the source's on_bad.
"""

import ast
import csv
import gzip
import io
import json
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import IO, TypeVar, cast

from core.datasets.base import Source
from core.datasets.rows import Row
from core.errors import BadFile, BadRow

_Content = TypeVar("_Content", list[object], dict[str, object])

_BOM = b"\xef\xbb\xbf"
_UTF16 = (b"\xff\xfe", b"\xfe\xff")  # byte order marks
LONGEST_LINE = 64_000_000  # bytes
MOST_BLANK = 100_000  # maximum number of blank lines in a row, because a small packed file may unpack to any number
MOST_UNPACKED, TIGHTEST = 200_000_000, 100  # unpacked bytes; maximum ratio to the packed bytes if there are more
MOST_JSON = 1_000_000_000  # bytes of a JSON file, which is read as a whole
_PACKED = b"\x1f\x8b"  # first bytes of a gzip file


def json_rows(source: Source) -> Iterator[Row]:
    """Yield the objects of a JSON file whose content is one list, numbered from 1. Raises BadFile."""
    return rows_of(source, _content_of(source, list, "list"))


def json_object(source: Source) -> dict[str, object]:
    """Return the members of a JSON file whose content is one object. Raises BadFile."""
    return _content_of(source, dict, "object")


def json_members(source: Source) -> Iterator[tuple[str, Row]]:
    """Yield the names and objects of a JSON file that is an object of objects, numbered from 1. Raises BadFile."""
    content = json_object(source)
    for name, number, entry in zip(content, range(1, len(content) + 1), content.values(), strict=True):
        if (row := _as_row(source, number, entry)) is not None:
            yield name, row
        source.on_progress(number, len(content))


def json_lists(source: Source, entries: str) -> Iterator[tuple[str, Row]]:
    """Yield the entries of all lists in a JSON object, each with its list's name.

    Rows are numbered from 1 in each list, and their fields have the list's name as a prefix. entries: what the lists
    contain, for messages. Raises BadFile.
    """
    lists = json_object(source)
    for done, name in enumerate(lists, start=1):
        for number, entry in enumerate(list_under(source, lists, name, entries), start=1):
            if (row := _as_row(source, number, entry, f"{name}.")) is not None:
                yield name, row
        source.on_progress(done, len(lists))


def list_under(source: Source, content: Mapping[str, object], name: str, entries: str = "") -> list[object]:
    """Return the list in a field of a file's JSON object. Raises BadFile."""
    value = content.get(name)
    if not isinstance(value, list):
        of = f" of {entries}" if entries else ""
        raise BadFile(source.path, f"the list{of} {name!r} is missing; choose another format")
    return value


def rows_of(source: Source, entries: list[object]) -> Iterator[Row]:
    """Yield the objects of a list as rows, numbered from 1. Progress is counted in entries."""
    for number, entry in enumerate(entries, start=1):
        if (row := _as_row(source, number, entry)) is not None:
            yield row
        source.on_progress(number, len(entries))


def line_rows(source: Source) -> Iterator[Row]:
    """Yield the objects of a JSONL file as rows with their line numbers. Blank lines are skipped."""
    found = False
    for number, line in enumerate(map(str.strip, lines(source)), start=1):
        if not line:
            continue
        found = True
        try:
            entry = parsed_json(line)
        except ValueError as error:
            twice = "occurs twice" in str(error)
            expected = "each name only once in an object" if twice else "a complete JSON object on each line"
            source.on_bad(BadRow(source.path, number, "row", expected, str(error) if twice else line))
            continue
        if (row := _as_row(source, number, entry)) is not None:
            yield row
    if not found:
        raise BadFile(source.path, "the file contains only blank lines; there is nothing to import")


def references_beside(
    source: Source, name: str, read: Callable[[Row], tuple[str, tuple[str, ...]]]
) -> dict[str, tuple[str, ...]]:
    """Return the references in a JSONL file of the same folder by id; {} if there is no such file.

    read: returns the id and the references in a row.
    """
    beside, found = source.beside(name), list[tuple[str, tuple[str, ...]]]()
    for row in line_rows(beside) if beside.path.is_file() else ():
        try:
            found.append(read(row))
        except BadRow as bad:
            source.on_bad(bad)
    return dict(found)


def csv_cells(path: Path, texts: Iterable[str], separator: str = ",") -> Iterator[list[str]]:
    """Yield the cells of each row of a CSV file with these lines. Raises BadFile."""
    csv.field_size_limit(LONGEST_LINE)  # Python's own limit is 131,072 characters
    try:
        yield from csv.reader(texts, delimiter=separator, strict=True)
    except csv.Error as error:
        raise BadFile(path, f"the file is not CSV ({error}); save it as comma-separated CSV again") from error


def _as_row(source: Source, number: int, entry: object, prefix: str = "") -> Row | None:
    """Return a JSON object as a row; report anything else as a bad row."""
    if isinstance(entry, Mapping):
        return Row(source.path, number, entry, prefix)
    source.on_bad(BadRow(source.path, number, "row", "a JSON object", entry))
    return None


def lines(source: Source) -> Iterator[str]:
    """Yield the lines of a file with their line endings. Progress is counted in bytes.

    Only LF ends a line, as in JSONL.
    """
    total, blank, read = source.path.stat().st_size, 0, 0
    with source.path.open("rb") as stored, unpacked(source.path, stored) as file:
        for line in _texts(source.path, file):
            read += len(line)
            blank = 0 if line.strip() else blank + 1
            if blank > MOST_BLANK or read > max(MOST_UNPACKED, TIGHTEST * total):
                what = f"{MOST_BLANK:,} blank lines" if blank > MOST_BLANK else f"{TIGHTEST} times its packed bytes"
                raise BadFile(source.path, f"the file contains more than {what}, so it is probably no data file")
            yield line
            source.on_progress(min(stored.tell(), total), total)


def _texts(path: Path, file: IO[bytes]) -> Iterator[str]:
    """Yield the lines of an open file as text. Raises BadFile."""
    begins = file.read(2)
    file.seek(0)
    if begins not in _UTF16:
        for number, line in enumerate(iter(partial(file.readline, LONGEST_LINE), b""), start=1):
            if len(line) == LONGEST_LINE:
                problem = f"line {number} has more than {LONGEST_LINE:,} bytes; this is probably not a text file"
                raise BadFile(path, problem)
            yield decoded(path, line.removeprefix(_BOM) if number == 1 else line, f"line {number}")
        return
    wide = io.TextIOWrapper(cast(io.BufferedReader, file), "utf-16", newline="\n")
    try:
        for text in iter(partial(wide.readline, LONGEST_LINE), ""):
            if len(text) == LONGEST_LINE:
                raise UnicodeError(f"a line has more than {LONGEST_LINE:,} characters")
            yield text
    except UnicodeError as error:
        raise BadFile(path, f"the file begins as UTF-16, but {error}; save the file as UTF-8") from error
    finally:
        wide.detach()  # the caller closes the file


@contextmanager
def unpacked(path: Path, stored: IO[bytes]) -> Iterator[IO[bytes]]:
    """Yield the content of a file as a stream, decompressed if it is a gzip file.

    stored: the open file. Raises BadFile inside the `with` block if the gzip file is broken or incomplete.
    """
    begins = stored.read(len(_PACKED))
    stored.seek(0)
    if begins != _PACKED:
        yield stored
        return
    try:
        with gzip.GzipFile(fileobj=stored, mode="rb") as file:
            yield cast(IO[bytes], file)
    except (gzip.BadGzipFile, EOFError, zlib.error) as error:
        raise BadFile(path, f"the gzip file is broken ({error}); download it again") from error


def decoded(path: Path, content: bytes, place: str) -> str:
    """Return the bytes as text in UTF-8.

    place: where the bytes are in the file, for error messages. Raises BadFile, which names the wrong byte.
    """
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError as error:
        problem = f"{place} is not UTF-8 (byte {error.object[error.start]:#04x}); save the file as UTF-8"
        raise BadFile(path, problem) from error


def parsed_json(text: str) -> object:
    """Return the content of a JSON text.

    Raises ValueError for invalid JSON, for JSON that is nested too deeply, and for an object with the same name twice.
    """
    try:
        content: object = json.loads(text, object_pairs_hook=_once)
    except RecursionError as error:
        raise ValueError("the JSON is nested too deeply") from error
    return content


def python_list(text: str) -> object:
    """Return the content of a Python literal, which is never evaluated; None for other texts."""
    try:
        content: object = ast.literal_eval(text.strip())
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return None
    return content


def _once(members: list[tuple[str, object]]) -> dict[str, object]:
    found = dict(members)
    if len(found) < len(members):
        names = [name for name, _ in members]
        raise ValueError(f"{next(name for name in names if names.count(name) > 1)!r:.80} occurs twice in one object")
    return found


def read_json(path: Path) -> object:
    """Return the content of a JSON file. Raises BadFile."""
    with path.open("rb") as stored, unpacked(path, stored) as file:
        content = file.read(MOST_JSON + 1)
    if len(content) > MOST_JSON:
        raise BadFile(path, f"the file has more than {MOST_JSON:,} bytes; split it")
    try:
        return parsed_json(decoded(path, content.removeprefix(_BOM), "the file"))
    except ValueError as error:
        raise BadFile(
            path, f"the file is not JSON ({error}); choose another format or download the file again"
        ) from error


def _content_of(source: Source, kind: type[_Content], name: str) -> _Content:
    content = read_json(source.path)
    if not isinstance(content, kind):
        names = {dict: "an object", list: "a list", str: "a text", bool: "true or false", type(None): "null"}
        found = names.get(type(content), "a number")
        problem = f"the file must contain a JSON {name}, but contains {found}; choose another format"
        raise BadFile(source.path, problem)
    if not content:
        raise BadFile(source.path, f"the JSON {name} is empty; there is nothing to import")
    return content
