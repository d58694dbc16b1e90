"""Data sets from the Hugging Face hub, read offline: a folder's metadata.jsonl, or Parquet.

The library `datasets` calls such a folder an imagefolder: pictures, and a metadata.jsonl with their file names.
metadata.jsonl is beside the pictures or in a folder above them. Fields have Capscope's own names, or names that are
common in other data sets (NAMES). Capscope also exports such folders.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Set
from itertools import chain, count
from pathlib import Path, PurePath

from core.datasets.base import Format, Source
from core.datasets.files import line_rows, read_json
from core.datasets.own_form import encoded
from core.datasets.own_tables import OwnTable, read_rows
from core.datasets.parquet import kind_of, parquet_rows
from core.datasets.rows import Row
from core.errors import BadFile, BadImage
from core.images.pictures import published
from core.types import ImageRef

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
        parts = [folder / split for split in _names(folder / _SPLITS, "splits")]
    elif (folder / _STATE).is_file():
        parts = [folder]
    else:
        needed = f"the folder must contain {METADATA}, {_SPLITS} or {_STATE}, but contains none of them"
        raise BadFile(folder, f"{needed}; name the files instead")
    return tuple(part / name for part in parts for name in _names(part / _STATE, "_data_files"))


def _names(file: Path, field: str) -> list[str]:
    """Return the names of files or folders that a file of save_to_disk lists in a field.

    Raises BadFile if there are no names, or if a name contains folders or is "..".
    """
    if not file.is_file():
        problem = f"the file is missing in the folder {file.parent}"
        raise BadFile(file, f"{problem}; write the folder again with save_to_disk")
    content = read_json(file)
    listed = content.get(field) if isinstance(content, dict) else None
    entries = listed if isinstance(listed, list) else []
    names = [one.get("filename") if isinstance(one, dict) else one for one in entries]
    if not names or not all(isinstance(name, str) and Path(name).name == name != ".." for name in names):
        problem = f"{field!r} must contain names of files or folders"
        raise BadFile(file, f"{problem}; write the folder again with save_to_disk")
    return list(map(str, names))


def write(samples: Iterable[tuple[dict[str, object], ImageRef]], folder: Path) -> list[str]:
    """Write metadata.jsonl and a folder of pictures.

    EXIF and other metadata are removed from the pictures. A sample without a picture is skipped.
    """
    (folder / PICTURES).mkdir()
    skipped: list[str] = []
    kept: dict[tuple[str, str | None], str] = {}  # key: (name, checksum) of a picture; value: its path
    taken: set[str] = set()  # case-folded picture names that are already in use
    with (folder / METADATA).open("w", encoding="utf-8") as file:
        for row, image in samples:
            if image.path is None or not image.path.is_file():
                skipped.append(f"{row.get('id', row['caption'])}: the picture {image.name} was not found")
                continue
            called = (image.name, image.sha256)
            if called not in kept:
                try:
                    content, name = published(image.path, image.name)
                except BadImage as error:
                    skipped.append(f"{row.get('id', row['caption'])}: {error}")
                    continue
                kept[called] = _free_name(name, taken)
                taken.add(kept[called].casefold())
                target = folder / PICTURES / kept[called]
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_bytes(content)
            named: dict[str, object] = {"file_name": f"{PICTURES}/{kept[called]}"}
            file.write(encoded(named | {name: value for name, value in row.items() if name != "image"}) + "\n")
    return skipped


def _free_name(name: str, taken: Set[str]) -> str:
    """Return a picture's own name, or "picture-7.jpg" if the name has unusual characters or is taken."""
    suffix = PurePath(name).suffix.lower()
    ending = suffix if re.fullmatch(r"\.[a-z]{3,4}", suffix) else ""
    own = [name] if all(map(_PLAIN.fullmatch, name.split("/"))) else []
    numbered = (f"picture-{number}{ending}" for number in count(len(taken) + 1))
    return next(one for one in chain(own, numbered) if one.casefold() not in taken)


HUGGINGFACE = Format(
    name="huggingface",
    summary=(
        "data set of the Hugging Face hub: metadata.jsonl with file_name, Parquet or Arrow, or a folder written by "
        "save_to_disk"
    ),
    suffixes=(".jsonl", ".parquet", ".arrow"),
    reader=lambda source: read_rows(OwnTable(source, NAMES), table_rows(source)),
    files_of=files_of,
    writer=write,
    raw_rows=table_rows,
    takes_metric=True,
)
