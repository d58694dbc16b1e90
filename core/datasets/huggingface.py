"""Data sets from the Hugging Face hub, read offline: a folder's metadata.jsonl, or Parquet.

The library `datasets` calls such a folder an imagefolder: pictures, and a metadata.jsonl with their file names.
metadata.jsonl is beside the pictures or in a folder above them. Fields have Capscope's own names, or names that are
common in other data sets (NAMES). Capscope also exports such folders.
"""

import hashlib
import re
from collections.abc import Iterable, Iterator, Mapping, Set
from itertools import chain, count
from pathlib import Path, PurePath

from core.datasets.base import Exported, Format, Record, Source
from core.datasets.files import line_rows, read_json
from core.datasets.own_form import encoded, row_of
from core.datasets.own_tables import OwnTable, read_rows
from core.datasets.parquet import kind_of, parquet_rows
from core.datasets.rows import Row
from core.errors import BadFile, BadImage
from core.images.pictures import published

PICTURES = "images"  # folder into which pictures from the data set are written
METADATA = "metadata.jsonl"  # file of captions in a folder of pictures
_SPLITS, _STATE = "dataset_dict.json", "state.json"  # names of files that save_to_disk writes
NAMES: Mapping[str, tuple[str, ...]] = {  # key: Capscope's field name; value: names in a data set, the best first
    "image": ("file_name", "image", "img", "picture", "jpg", "png"),
    "caption": ("captions", "caption", "cand", "candidate", "mt", "hyp", "text"),
    "system": ("system", "captioner"),
    "references": ("references", "refs"),
    "human": ("human", "human_score"),
}
_PLAIN = re.compile(r"[\w-][\w. -]{0,99}")


def read(source: Source) -> Iterator[Record]:
    """Yield one record per row, or per caption of a list. Pictures inside Parquet files are stored by `source.keep`."""
    return read_rows(OwnTable(source, NAMES), table_rows(source))


def table_rows(source: Source) -> Iterator[Row]:
    """Yield the unchanged rows of the file.

    A picture in a row is either an object {bytes, path} or the bytes of the picture.
    """
    return (parquet_rows if kind_of(source.path) else line_rows)(source)


def files_of(folder: Path) -> tuple[Path, ...]:
    """Return the files that contain a folder's rows.

    Files of all splits (parts such as train and test) are returned, in order. Raises BadFile.
    """
    if (folder / METADATA).is_file():
        return (folder / METADATA,)
    if (folder / _SPLITS).is_file():
        splits = _names(folder / _SPLITS, "splits", None)
        return tuple(file for split in splits for file in _shards(folder / split))
    if (folder / _STATE).is_file():
        return _shards(folder)
    raise BadFile(
        folder,
        (
            f"the folder must contain {METADATA}, {_SPLITS} or {_STATE}, but contains none of them; name the files "
            "instead"
        ),
    )


def _shards(folder: Path) -> tuple[Path, ...]:
    state = folder / _STATE
    if not state.is_file():
        raise BadFile(state, f"the file is missing in the folder {folder}; write the folder again with save_to_disk")
    return tuple(folder / name for name in _names(state, "_data_files", "filename"))


def _names(file: Path, field: str, inner: str | None) -> list[str]:
    """Return the names of files or folders that a JSON file lists.

    field: the field with the list. inner: the field with the name, if each entry of the list is an object. Raises
    BadFile if there are no names, or if a name contains folders or is "..".
    """
    content = read_json(file)
    listed = content.get(field) if isinstance(content, dict) else None
    entries = listed if isinstance(listed, list) else []
    names = [one.get(inner) if inner and isinstance(one, dict) else one for one in entries]
    if not names or not all(isinstance(name, str) and Path(name).name == name != ".." for name in names):
        raise BadFile(
            file, f"{field!r} must contain names of files or folders; write the folder again with save_to_disk"
        )
    return [str(name) for name in names]


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
