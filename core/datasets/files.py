"""Read JSON files and line files, with progress and clear errors.

Files are UTF-8, with or without a byte order mark, and may be compressed by gzip. Line files can also be UTF-16 with a
byte order mark, which Excel calls "Unicode text". Bad rows are passed to the source's on_bad.
"""

import ast
import csv
import gzip
import io
import json
import re
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from itertools import chain
from pathlib import Path
from typing import IO, TypeVar, cast

from core.datasets.base import Source
from core.datasets.rows import Row
from core.errors import BadFile, BadRow

LONGEST_LINE = 64_000_000  # characters
MOST_UNPACKED, TIGHTEST = 200_000_000, 100  # unpacked characters; maximum ratio to the packed bytes if there are more
MOST_JSON = 1_000_000_000  # bytes of a JSON file, which is read as a whole
_UTF16 = (b"\xff\xfe", b"\xfe\xff")  # byte order marks
_PACKED, _DATABASE = b"\x1f\x8b", b"SQLite format 3\0"  # first bytes of a gzip file and of an SQLite database
_NOT_UTF8 = re.compile("[\udc80-\udcff]")  # stand for bytes that are not UTF-8
_KINDS = {dict: "an object", list: "a list", str: "a text", bool: "true or false", type(None): "null"}
T = TypeVar("T", list[object], dict[str, object])


def json_rows(source: Source) -> Iterator[Row]:
    """Yield the objects of a JSON file whose content is one list, numbered from 1. Raises BadFile."""
    return rows_of(source, _content(source, list))


def json_object(source: Source) -> dict[str, object]:
    """Return the members of a JSON file whose content is one object. Raises BadFile."""
    return _content(source, dict)


def json_lists(source: Source, entries: str) -> Iterator[Row]:
    """Yield the entries of all lists in a JSON object. entries: what they contain, for messages. Raises BadFile."""
    content = json_object(source)
    lists = [list_under(source, content, name, entries) for name in content]
    return chain.from_iterable(rows_of(source, found, name) for name, found in zip(content, lists, strict=True))


def list_under(source: Source, content: Mapping[str, object], name: str, entries: str = "") -> list[object]:
    """Return the list in a field of a file's JSON object. Raises BadFile."""
    value = content.get(name)
    if not isinstance(value, list):
        of = f" of {entries}" if entries else ""
        raise BadFile(source.path, f"the list{of} {name!r} is missing; choose another format")
    return value


def rows_of(source: Source, entries: Sequence[object], part: str = "") -> Iterator[Row]:
    """Yield the objects of a list as rows, numbered from 1. part: the list's name, which prefixes their fields."""
    for number, entry in enumerate(entries, start=1):
        if isinstance(entry, Mapping):
            yield Row(source.path, number, entry, f"{part}." if part else "", part)
        else:
            source.on_bad(BadRow(source.path, number, "row", "a JSON object", entry))
        source.on_progress(number, len(entries))


def _content(source: Source, kind: type[T]) -> T:
    content, name = read_json(source.path), _KINDS[kind].split()[-1]
    if not isinstance(content, kind):
        found = _KINDS.get(type(content), "a number")
        raise BadFile(source.path, f"the file must contain a JSON {name}, but contains {found}; choose another format")
    if not content:
        raise BadFile(source.path, f"the JSON {name} is empty; there is nothing to import")
    return content


def line_rows(source: Source) -> Iterator[Row]:
    """Yield the objects of a JSONL file as rows with their line numbers. Blank lines are skipped."""
    found = False
    for number, line in enumerate(map(str.strip, lines(source)), start=1):
        if not line:
            continue
        found = True
        try:
            entry, expected = parsed_json(line), "a JSON object"
        except ValueError as error:
            is_twice = "occurs twice" in str(error)
            entry = str(error) if is_twice else line
            expected = "each name only once in an object" if is_twice else "a complete JSON object on each line"
        if isinstance(entry, Mapping):
            yield Row(source.path, number, entry)
        else:
            source.on_bad(BadRow(source.path, number, "row", expected, entry))
    if not found:
        raise BadFile(source.path, "the file contains only blank lines; there is nothing to import")


def references_beside(
    source: Source, name: str, read: Callable[[Row], tuple[str, tuple[str, ...]]]
) -> dict[str, tuple[str, ...]]:
    """Return the references in a JSONL file of the same folder by id; {} if there is no such file.

    read: returns the id and the references in a row.
    """
    beside, found = source.beside(name), dict[str, tuple[str, ...]]()
    for row in line_rows(beside) if beside.path.is_file() else ():
        try:
            found.update([read(row)])
        except BadRow as bad:
            source.on_bad(bad)
    return found


def csv_cells(path: Path, texts: Iterable[str], separator: str = ",") -> Iterator[list[str]]:
    """Yield the cells of each row of a CSV file with these lines. Raises BadFile."""
    csv.field_size_limit(LONGEST_LINE)  # Python's own limit is 131,072 characters
    try:
        yield from csv.reader(texts, delimiter=separator, strict=True)
    except csv.Error as error:
        raise BadFile(path, f"the file is not CSV ({error}); save it as comma-separated CSV again") from error


def lines(source: Source) -> Iterator[str]:
    """Yield the lines of a file with their line endings. Progress is counted in bytes.

    Only LF ends a line, as in JSONL.
    """
    path, total, read = source.path, source.path.stat().st_size, 0
    with path.open("rb") as stored, unpacked(path, stored) as file:
        is_utf16 = file.read(2) in _UTF16
        file.seek(0)
        encoding, errors = ("utf-16", "strict") if is_utf16 else ("utf-8-sig", "surrogateescape")
        texts = io.TextIOWrapper(cast(io.BufferedReader, file), encoding, errors, "\n")
        try:
            for number, line in enumerate(iter(partial(texts.readline, LONGEST_LINE), ""), start=1):
                if len(line) == LONGEST_LINE:
                    limit = f"line {number} has more than {LONGEST_LINE:,} characters"
                    raise BadFile(path, f"{limit}; this is probably not a text file")
                read += len(line)
                if read > max(MOST_UNPACKED, TIGHTEST * total):
                    raise BadFile(path, f"the file unpacks to more than {TIGHTEST} times its size; unpack it yourself")
                if not line.isascii() and (wrong := _NOT_UTF8.search(line)) is not None:
                    byte = f"byte {ord(wrong[0]) - 0xDC00:#04x}"
                    raise BadFile(path, f"line {number} is not UTF-8 ({byte}); save the file as UTF-8")
                yield line
                source.on_progress(min(stored.tell(), total), total)
        except UnicodeError as error:
            raise BadFile(path, f"the file begins as UTF-16, but {error}; save the file as UTF-8") from error
        finally:
            texts.detach()  # `with` closes the file


@contextmanager
def unpacked(path: Path, stored: IO[bytes]) -> Iterator[IO[bytes]]:
    """Yield the content of a file as a stream, decompressed if it is a gzip file.

    stored: the open file. Raises BadFile for a database and, inside the `with` block, for a broken gzip file.
    """
    begins = stored.read(len(_DATABASE))
    stored.seek(0)
    if begins == _DATABASE:
        raise BadFile(path, "this is an SQLite database; `report FILE.capscope.db` reads the archive of a study")
    if not begins.startswith(_PACKED):
        yield stored
        return
    try:
        with gzip.GzipFile(fileobj=stored, mode="rb") as file:
            yield cast(IO[bytes], file)
    except (gzip.BadGzipFile, EOFError, zlib.error) as error:
        raise BadFile(path, f"the gzip file is broken ({error}); download it again") from error


def parsed_json(text: str) -> object:
    """Return the content of a JSON text.

    Raises ValueError for invalid JSON, for JSON that is nested too deeply, and for an object with the same name twice.
    """
    try:
        return json.loads(text, object_pairs_hook=_once)
    except RecursionError as error:
        raise ValueError("the JSON is nested too deeply") from error


def python_list(text: str) -> object:
    """Return the content of a Python literal, which is never evaluated; None for other texts."""
    try:
        return ast.literal_eval(text.strip())
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return None


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
        return parsed_json(content.decode("utf-8-sig"))
    except ValueError as error:
        problem = f"the file is not JSON ({error}); choose another format or download the file again"
        raise BadFile(path, problem) from error
