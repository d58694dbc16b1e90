"""Data sets from the Hugging Face hub, read offline: a folder's metadata.jsonl, or Parquet.

The library `datasets` calls such a folder an imagefolder: pictures, and a metadata.jsonl with their file names.
metadata.jsonl is beside the pictures or in a folder above them. Fields have Capscope's own names, or names that are
common in other data sets (FIELDS). Capscope also exports such folders.
"""

import hashlib
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Set
from functools import partial
from itertools import chain, count
from pathlib import Path, PurePath

from core.datasets.base import Exported, Format, Layout, Record, Source
from core.datasets.chosen_columns import laid_out
from core.datasets.files import line_rows
from core.datasets.nebula import literal_texts
from core.datasets.own_form import record_of
from core.datasets.own_form_writing import encoded, row_of
from core.datasets.parquet import ARROW_FILE, ARROW_STREAM, arrow_rows, kept_picture, parquet_rows
from core.datasets.rows import Row, records_of
from core.datasets.saved_folder import METADATA, files_of
from core.errors import BadImage, BadRow
from core.images.pictures import published

PICTURES = "images"  # folder into which pictures from the data set are written
FIELDS: Mapping[str, tuple[str, ...]] = {  # key: Capscope's field name; value: accepted names in a data set
    "image": ("file_name", "image", "img", "picture", "jpg", "png"),
    "caption": ("caption", "cand", "candidate", "mt", "hyp", "text"),
    "system": ("system", "captioner"),
    "references": ("references", "refs"),
    "human": ("human", "human_score"),
}
LISTS = ("captions", "caption")  # fields that may hold a list of captions; each caption is a sample
_PARQUET = b"PAR1"  # first bytes of a Parquet file
_PLAIN = re.compile(r"[\w-][\w. -]{0,99}")


def read(source: Source) -> Iterator[Record]:
    """Yield one record per row. Pictures inside Parquet files are stored by `source.keep`."""
    reader = _reader(source.path)
    named = map(partial(_only_named, source.layout), (reader or line_rows)(source))
    rows: Iterator[Row | BadRow] = laid_out(source, named)
    if reader is not None:
        rows = (row if isinstance(row, BadRow) else _with_picture(source, row) for row in rows)
    return records_of(source, (one for row in rows for one in _each_caption(row)), _record)


def table_rows(source: Source) -> Iterator[Row | BadRow]:
    """Yield the unchanged rows of the file.

    A picture in a row is either an object {bytes, path} or the bytes of the picture.
    """
    return (_reader(source.path) or line_rows)(source)


def _reader(path: Path) -> Callable[[Source], Iterator[Row]] | None:
    """Return the reader of Parquet or Arrow rows; None for JSON Lines."""
    with path.open("rb") as file:
        begins = file.read(len(ARROW_FILE))
    tables = {_PARQUET: parquet_rows, ARROW_FILE: arrow_rows, ARROW_STREAM: arrow_rows}
    return next((rows for mark, rows in tables.items() if begins.startswith(mark)), None)


def _only_named(layout: Layout, row: Row | BadRow) -> Row | BadRow:
    """Return the row without the usual columns that the caller has replaced.

    Example: the caption is usually in the column "text". If the caller names another column for the caption, "text" is
    removed from the row.
    """
    if isinstance(row, BadRow) or not layout.columns:
        return row
    others = {name for ours in layout.columns for name in FIELDS.get(ours, ())} - {*layout.columns.values()}
    return Row(row.file, row.number, {name: value for name, value in row.values.items() if name not in others})


def _each_caption(row: Row | BadRow) -> Iterator[Row | BadRow]:
    """Yield the row once for each caption in its list of captions.

    The caption's number is added to the row's id. A row without a list of captions is yielded unchanged.
    """
    captions = None if isinstance(row, BadRow) else next(filter(None, map(row.get, LISTS)), None)
    if isinstance(row, BadRow) or not isinstance(captions, list):
        yield row
        return
    others = {field: value for field, value in row.values.items() if field not in LISTS}
    for number, caption in enumerate(captions, start=1):
        key = {} if row.get("id") is None else {"id": f"{row.get('id')}#{number}"}
        yield Row(row.file, row.number, {**others, **key, "caption": caption})


def _with_picture(source: Source, row: Row) -> Row | BadRow:
    """Store the picture in a row, and return the row with the picture's name instead."""
    columns = [name for name in FIELDS["image"] if isinstance(row.get(name), dict | bytes)]
    if not columns:
        return row
    named = row.get("file_name")
    try:
        name = kept_picture(source, row, columns[0], PurePath(named).name if isinstance(named, str) else None)
    except BadRow as bad:
        return bad
    others = {field: value for field, value in row.values.items() if field not in FIELDS["image"]}
    return Row(row.file, row.number, {**others, "image": name})


def _record(row: Row) -> Record:
    values = {name: value for name, value in row.values.items() if not any(name in known for known in FIELDS.values())}
    for field, names in FIELDS.items():
        given = [name for name in names if row.get(name) is not None]
        if field == "image":
            given = given[:1]  # use one field: file_name beside a column of pictures means the same picture
        given = [name for name in given if name != "text"] or given  # beside a caption, "text" often has other content
        if len(given) > 1:
            raise row.bad(given[1], f"one field for {field}; {given[0]} is a second one", row.get(given[1]))
        if given:
            values[field] = row.get(given[0])
    if isinstance(values.get("references"), str):  # "references" is text that contains a list, as in CSV files
        values["references"] = list(literal_texts(Row(row.file, row.number, values), "references"))
    if isinstance(values.get("scores"), str):
        values["scores"] = _nested(row, str(values["scores"]))
    return record_of(Row(row.file, row.number, values))


def _nested(row: Row, text: str) -> object:
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise row.bad("scores", "a list of scores", text) from error


def write(samples: Iterable[Exported], folder: Path) -> Iterator[Exported | str]:
    """Write metadata.jsonl and a folder of pictures.

    EXIF and other metadata are removed from the pictures. A sample without a picture is skipped.
    """
    (folder / PICTURES).mkdir()
    kept: dict[tuple[str, str], str] = {}  # key: (name, checksum) of a picture; value: its path
    taken: set[str] = set()  # case-folded picture names that are already in use
    with (folder / METADATA).open("w", encoding="utf-8") as file:
        for one in samples:
            image = one.sample.image
            if image.path is None or not image.path.is_file():
                yield f"{one.sample.key}: its picture was not found"
                continue
            called = (image.name, image.sha256 or str(image.path))
            if called not in kept:
                try:
                    content, name = published(image.path, image.name)
                except BadImage as error:
                    yield f"{one.sample.key}: {error}"
                    continue
                kept[called] = _name(name, called[1], taken)
                taken.add(kept[called].casefold())
                target = folder / PICTURES / kept[called]
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_bytes(content)
            row = row_of(one.sample, one.key, one.outcomes, one.pair)
            del row["image"]
            fields = {"file_name": f"{PICTURES}/{kept[called]}"} | row
            file.write(encoded(fields) + "\n")
            yield one


def _name(name: str, mark: str, taken: Set[str]) -> str:
    """Return a file name for a picture.

    The picture's own path is used if it has only letters, digits, spaces, dots, hyphens and underscores, and is not in
    `taken`. Otherwise the name
    consists of the first digits of `mark` (the picture's checksum) and a number. The number makes the name different
    from all names in `taken`.
    """
    suffix = PurePath(name).suffix.lower()
    ending = suffix if re.fullmatch(r"\.[a-z]{3,4}", suffix) else ""
    stem = hashlib.sha256(mark.encode()).hexdigest()[:16] if not mark.isalnum() else mark[:16]
    others = (f"{stem}-{number}{ending}" for number in count(1))
    plain = [name] if all(map(_PLAIN.fullmatch, name.split("/"))) else []
    return next(one for one in chain(plain, others) if one.casefold() not in taken)


HUGGINGFACE = Format(
    name="huggingface",
    summary=(
        "data set of the Hugging Face hub: metadata.jsonl with file_name, Parquet or Arrow, or a folder written by "
        "save_to_disk"
    ),
    suffixes=(".jsonl", ".parquet", ".arrow"),
    reader=read,
    files_of=files_of,
    writer=write,
    takes_metric=True,
    takes_layout=True,
    takes_system=True,
)
