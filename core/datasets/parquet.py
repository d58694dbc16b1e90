"""Read Parquet and Arrow files of the library `datasets`.

Pictures in a row are either {bytes, path} or bytes.
"""

from collections.abc import Iterator
from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import Any

from core.datasets.base import Source
from core.datasets.rows import Row
from core.errors import BadFile
from core.picture_names import file_name, parts_of

PARQUET, ARROW_FILE, ARROW_STREAM = b"PAR1", b"ARROW1", b"\xff\xff\xff\xff"  # first bytes of files
ROWS = 64  # maximum number of rows in memory at a time, because rows may contain pictures
LARGEST_PICTURE = 50_000_000  # bytes


def kind_of(path: Path) -> bytes | None:
    """Return the first bytes of a Parquet or Arrow file; None for other files."""
    with path.open("rb") as file:
        begins = file.read(len(ARROW_FILE))
    return next((mark for mark in (PARQUET, ARROW_FILE, ARROW_STREAM) if begins.startswith(mark)), None)


def parquet_rows(source: Source) -> Iterator[Row]:
    """Yield the rows of a Parquet or Arrow file, numbered from 1, with only a few rows in memory at a time.

    Raises BadFile for other files.
    """
    import pyarrow

    kind, number = kind_of(source.path) or PARQUET, 0
    try:
        for batch, done, total in _batches(source.path, kind):
            for start in range(0, batch.num_rows, ROWS):
                for values in batch.slice(start, ROWS).to_pylist():
                    number += 1
                    yield Row(source.path, number, values)
            source.on_progress(done, total)
    except (pyarrow.ArrowException, OSError, UnicodeDecodeError) as error:
        name = "Parquet" if kind == PARQUET else "an Arrow file"
        raise BadFile(source.path, f"the file is not {name} ({error}); download it again") from error
    if not number:
        raise BadFile(source.path, "the file contains no rows; there is nothing to import")


def _batches(path: Path, kind: bytes) -> Iterator[tuple[Any, int, int]]:
    """Yield batches of rows, each with how much of the file was read, and how much it is."""
    from pyarrow import ipc, parquet

    if kind == PARQUET:
        with parquet.ParquetFile(path) as opened:
            done = 0
            for batch in opened.iter_batches(ROWS):
                done += batch.num_rows
                yield batch, done, opened.metadata.num_rows
        return
    size = path.stat().st_size
    with path.open("rb") as file:
        table = ipc.open_stream(file) if kind == ARROW_STREAM else ipc.open_file(file)
        for batch in table if kind == ARROW_STREAM else map(table.get_batch, range(table.num_record_batches)):
            yield batch, min(file.tell(), size), size


def kept_picture(source: Source, row: Row, field: str, name: str | None = None) -> str:
    """Return the name of a row's picture, and store the picture if the file contains it. Raises BadRow."""
    value = row.get(field)
    if isinstance(value, str):
        return file_name(row.text(field))
    if isinstance(value, bytes):
        value = {"bytes": value}
    expected = "a picture: its bytes, its file name, or an object with bytes or path"
    if not isinstance(value, dict) or not {"bytes", "path"} >= value.keys():
        raise row.bad(field, expected, _shown(value))
    content, path = value.get("bytes"), value.get("path")
    known = name or (_inner(path) if isinstance(path, str) and path else f"{source.path.stem}-{row.number}")
    if content is None:
        if not path:
            raise row.bad(field, expected, "neither bytes nor path")
        return known
    if not isinstance(content, bytes) or len(content) > LARGEST_PICTURE:
        raise row.bad(field, f"bytes of a picture, at most {LARGEST_PICTURE:,}", _shown(content))
    return source.keep(known, content)


def _inner(path: str) -> str:
    """Return a relative path unchanged, and only the file name of a path on another computer."""
    is_absolute = PurePosixPath(path).is_absolute() or PureWindowsPath(path).is_absolute()
    return file_name(path) if is_absolute else "/".join(parts_of(path))


def _shown(value: object) -> object:
    return f"{len(value):,} bytes" if isinstance(value, bytes) else value
