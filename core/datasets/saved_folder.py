"""Folders of Hugging Face data sets.

Such a folder was written by `save_to_disk`, or it contains pictures and a metadata.jsonl.
"""

from pathlib import Path

from core.datasets.files import read_json
from core.errors import BadFile

METADATA = "metadata.jsonl"  # file of captions in a folder of pictures
_SPLITS, _STATE = "dataset_dict.json", "state.json"  # names of files that save_to_disk writes


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
