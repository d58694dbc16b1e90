"""Read Parquet and Arrow files of the library `datasets`.

Pictures in a row are either {bytes, path} or bytes.
"""

from collections.abc import Iterator
from pathlib import PurePosixPath, PureWindowsPath
from typing import Any

from core.datasets.base import Source
from core.datasets.rows import Row
from core.errors import BadFile
from core.picture_names import file_name, parts_of

ARROW_FILE, ARROW_STREAM = b"ARROW1", b"\xff\xff\xff\xff"  # first bytes of Arrow files and streams
ROWS = 64  # maximum number of rows in memory at a time, because rows may contain pictures
Batch = tuple[Any, int, int]  # (a record batch of pyarrow, how much of the file was read, how much it is)
LARGEST_PICTURE = 50_000_000  # bytes


def parquet_rows(source: Source) -> Iterator[Row]:
    """Yield the rows of a Parquet file, numbered from 1. Only a few rows are in memory at a time.

    Raises BadFile for other files.
    """
    from pyarrow import parquet

    def batches() -> Iterator[Batch]:
        with parquet.ParquetFile(source.path) as file:
            done = 0
            for batch in file.iter_batches(ROWS):
                done += batch.num_rows
                yield batch, done, file.metadata.num_rows

    return _rows(source, batches(), "Parquet")


def arrow_rows(source: Source) -> Iterator[Row]:
    """Yield the rows of an Arrow file or stream, numbered from 1, as the function save_to_disk writes them.

    Raises BadFile for other files.
    """
    from pyarrow import ipc

    def batches() -> Iterator[Batch]:
        size = source.path.stat().st_size
        with source.path.open("rb") as file:
            is_stream = file.read(len(ARROW_FILE)) != ARROW_FILE
            file.seek(0)
            opened = ipc.open_stream(file) if is_stream else ipc.open_file(file)
            for batch in opened if is_stream else map(opened.get_batch, range(opened.num_record_batches)):
                yield batch, min(file.tell(), size), size

    return _rows(source, batches(), "an Arrow file")


def _rows(source: Source, batches: Iterator[Batch], kind: str) -> Iterator[Row]:
    import pyarrow

    number = 0
    try:
        for batch, done, total in batches:
            for start in range(0, batch.num_rows, ROWS):
                for values in batch.slice(start, ROWS).to_pylist():
                    number += 1
                    yield Row(source.path, number, values)
            source.on_progress(done, total)
    except (pyarrow.ArrowException, OSError, UnicodeDecodeError) as error:
        raise BadFile(source.path, f"the file is not {kind} ({error}); download it again") from error
    if not number:
        raise BadFile(source.path, "the file contains no rows; there is nothing to import")


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
