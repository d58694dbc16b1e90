"""Read JSON files and line files, with progress and clear errors.

Files are UTF-8, with or without a byte order mark, and may be compressed by gzip. Line files can also be UTF-16 with a
byte order mark, which Excel calls "Unicode text".
"""

import ast
import codecs
import gzip
import json
import zlib
from collections.abc import Iterator, Mapping
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
_BLOCK = 1 << 16  # bytes
LONGEST_LINE = 64_000_000  # bytes
MOST_BLANK = 1_000_000  # maximum number of blank lines in a row, because a small packed file may unpack to any number
MOST_UNPACKED, TIGHTEST = 200_000_000, 100  # unpacked bytes; maximum ratio to the packed bytes if there are more
MOST_JSON = 1_000_000_000  # bytes of a JSON file, which is read as a whole
_PACKED = b"\x1f\x8b"  # first bytes of a gzip file


def json_list(source: Source) -> list[object]:
    """Return the entries of a JSON file whose content is one list."""
    return _content_of(source, list, "list")


def json_object(source: Source) -> dict[str, object]:
    """Return the members of a JSON file whose content is one object."""
    return _content_of(source, dict, "object")


def _content_of(source: Source, kind: type[_Content], name: str) -> _Content:
    content = read_json(source.path)
    if not isinstance(content, kind):
        raise BadFile(
            source.path, f"the file must contain a JSON {name}, but contains {_kind(content)}; choose another format"
        )
    if not content:
        raise BadFile(source.path, f"the JSON {name} is empty; there is nothing to import")
    return content


def named_lists(source: Source, entries: str) -> Iterator[tuple[str, Row | BadRow]]:
    """Yield the entries of all lists in a JSON object.

    The values of the JSON object must be lists. An entry is yielded as (name of the list, row). Rows are numbered from
    1 in each list. entries: what the lists contain, for messages. Progress is counted in lists. Raises BadFile.
    """
    lists = json_object(source)
    for done, (name, content) in enumerate(lists.items(), start=1):
        if not isinstance(content, list):
            raise BadFile(source.path, f"the list of {entries} {name!r} is missing; choose another format")
        yield from ((name, as_row(source.path, number, entry)) for number, entry in enumerate(content, start=1))
        source.on_progress(done, len(lists))


def entry_rows(source: Source, entries: list[object]) -> Iterator[Row | BadRow]:
    """Yield the entries of a list as rows, numbered from 1. Progress is counted in entries."""
    for number, entry in enumerate(entries, start=1):
        yield as_row(source.path, number, entry)
        source.on_progress(number, len(entries))


def line_rows(source: Source) -> Iterator[Row | BadRow]:
    """Yield the objects of a JSONL file as rows with their line numbers. Blank lines are skipped."""
    found = 0
    for number, line in enumerate(lines(source), start=1):
        if line.strip():
            found += 1
            yield _line_row(source, number, line.strip())
    if not found:
        raise BadFile(source.path, "the file contains only blank lines; there is nothing to import")


def _line_row(source: Source, number: int, line: str) -> Row | BadRow:
    try:
        return as_row(source.path, number, parsed_json(line))
    except ValueError as error:
        twice = "occurs twice" in str(error)
        expected = "each name only once in an object" if twice else "a complete JSON object on each line"
        return BadRow(source.path, number, "row", expected, str(error) if twice else line)


def as_row(path: Path, number: int, entry: object) -> Row | BadRow:
    """Return a JSON object as a row, anything else as a bad row."""
    if isinstance(entry, Mapping):
        return Row(path, number, entry)
    return BadRow(path, number, "row", "a JSON object", entry)


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
                raise BadFile(
                    path, f"line {number} has more than {LONGEST_LINE:,} bytes; this is probably not a text file"
                )
            yield decoded(path, line.removeprefix(_BOM) if number == 1 else line, f"line {number}")
        return
    try:
        yield from _utf16_lines(file)
    except UnicodeError as error:
        raise BadFile(path, f"the file begins as UTF-16, but {error}; save the file as UTF-8") from error


def _utf16_lines(file: IO[bytes]) -> Iterator[str]:
    decoder, begun = codecs.getincrementaldecoder("utf-16")(), ""
    for block in iter(partial(file.read, _BLOCK), b""):
        *whole, rest = decoder.decode(block).split("\n")
        for line in whole:
            yield f"{begun}{line}\n"
            begun = ""
        begun += rest
        if len(begun) > LONGEST_LINE:
            raise UnicodeError(f"a line has more than {LONGEST_LINE:,} characters")
    begun += decoder.decode(b"", final=True)
    if begun:
        yield begun


def is_packed(path: Path) -> bool:
    """Return whether a file is compressed by gzip, from its content and not from its name."""
    with path.open("rb") as file:
        return file.read(len(_PACKED)) == _PACKED


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

    place: where the bytes are in the file, such as the line's number, for error messages. If the bytes are not UTF-8,
    raises BadFile, which names the wrong byte.
    """
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError as error:
        problem = f"{place} is not UTF-8 (byte {error.object[error.start]:#04x}); save the file as UTF-8"
        raise BadFile(path, problem) from error


def parsed_json(text: str) -> object:
    """Return the content of a JSON text.

    Raises ValueError for invalid JSON. Also raises ValueError for JSON that is nested too deeply, and for an object
    with the same name twice.
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
    text = decoded(path, content.removeprefix(_BOM), "the file")
    try:
        return parsed_json(text)
    except ValueError as error:
        raise BadFile(
            path, f"the file is not JSON ({error}); choose another format or download the file again"
        ) from error


def _kind(content: object) -> str:
    names = {dict: "an object", list: "a list", str: "a text", bool: "true or false", type(None): "null"}
    return names.get(type(content), "a number")
