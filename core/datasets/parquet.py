"""Read Parquet and Arrow files of the library `datasets`.

Pictures in a row are either {bytes, path} or bytes.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from core.datasets.base import Source
from core.datasets.pictures import LARGEST_PICTURE
from core.datasets.rows import Row
from core.errors import BadFile
from core.picture_names import file_name, is_absolute, parts_of

PARQUET, ARROW_FILE, ARROW_STREAM = b"PAR1", b"ARROW1", b"\xff\xff\xff\xff"  # first bytes of files
ROWS = 64  # maximum number of rows in memory at a time, because rows may contain pictures


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

    kind, number, size = kind_of(source.path) or PARQUET, 0, source.path.stat().st_size
    try:
        with source.path.open("rb") as file:
            for batch in _batches(file, kind):
                for start in range(0, batch.num_rows, ROWS):
                    for values in batch.slice(start, ROWS).to_pylist():
                        number += 1
                        yield Row(source.path, number, values)
                source.on_progress(min(file.tell(), size), size)
    except (pyarrow.ArrowException, OSError, UnicodeDecodeError) as error:
        name = "Parquet" if kind == PARQUET else "an Arrow file"
        raise BadFile(source.path, f"the file is not {name} ({error}); download it again") from error
    if not number:
        raise BadFile(source.path, "the file contains no rows; there is nothing to import")


def _batches(file: Any, kind: bytes) -> Iterator[Any]:
    from pyarrow import ipc, parquet

    if kind == PARQUET:
        return iter(parquet.ParquetFile(file).iter_batches(ROWS))
    table = ipc.open_stream(file) if kind == ARROW_STREAM else ipc.open_file(file)
    return iter(table) if kind == ARROW_STREAM else map(table.get_batch, range(table.num_record_batches))


def kept_picture(source: Source, row: Row, field: str, name: str | None = None) -> str:
    """Return the name of a row's picture, and store the picture if the file contains it. Raises BadRow."""
    value = row.get(field)
    if isinstance(value, str):
        return file_name(row.text(field))
    picture = {"bytes": value} if isinstance(value, bytes) else value
    expected = "a picture: its bytes, its file name, or an object with bytes or path"
    if not isinstance(picture, dict) or not {"bytes", "path"} >= picture.keys():
        raise row.bad(field, expected, value)
    content, path = picture.get("bytes"), picture.get("path")
    if content is None and not path:
        raise row.bad(field, expected, "neither bytes nor path")
    if isinstance(path, str) and path:
        name = name or (file_name(path) if is_absolute(path) else "/".join(parts_of(path)))
    name = name or f"{source.path.stem}-{row.number}"
    if content is None:
        return name
    if not isinstance(content, bytes) or len(content) > LARGEST_PICTURE:
        found = f"{len(content):,} bytes" if isinstance(content, bytes) else content
        raise row.bad(field, f"bytes of a picture, at most {LARGEST_PICTURE:,}", found)
    return source.keep(name, content)
