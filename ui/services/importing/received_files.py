"""Store files that a browser sends in parts.

The sizes of the files are limited, and unsafe file names are changed.
"""

import re
import shutil
import unicodedata
from pathlib import Path

from core.errors import BadSetting, StorageFull
from ui.services.importing.import_pictures import ROOM

MOST_BYTES = 8_000_000_000  # maximum number of bytes of all files in one folder
MOST_FILES = 20
_ODD = re.compile(r"[^\w. ()+-]+")
_LONGEST_STEM, _LONGEST_ENDING = 180, 20  # bytes


def plain_name(name: str) -> str:
    """Return a safe file name, as similar to the sender's as possible.

    It is not a path and does not begin with a dot. A safe name stays the same.
    """
    last = re.split(r"[\\/]", unicodedata.normalize("NFC", name))[-1]
    stem, dot, ending = _ODD.sub("_", last).strip(" .").rpartition(".")
    if not dot:
        return _cut(ending, _LONGEST_STEM) or "file"
    return f"{_cut(stem, _LONGEST_STEM) or 'file'}.{_cut(ending, _LONGEST_ENDING) or 'txt'}"


def _cut(text: str, most: int) -> str:
    return text.encode()[:most].decode(errors="ignore").strip(" .")


def write_part(folder: Path, name: str, offset: int, part: bytes) -> str:
    """Write a part of a file at its offset.

    Return the file's safe name. If the file already has content after this part, that content is removed. Raises
    BadSetting for a part that leaves a gap, or for too many files or bytes. Raises StorageFull if too little of the
    disk would stay free for raters' answers.
    """
    called = plain_name(name)
    there = {file.name: file.stat().st_size for file in folder.iterdir()}
    if offset > there.get(called, 0):
        raise BadSetting(f"{called}: a part of the upload is missing. Choose the file again.")
    if called not in there and len(there) >= MOST_FILES:
        raise BadSetting(f"One import may have at most {MOST_FILES} files. Import the other files separately.")
    if sum(there.values()) - there.get(called, 0) + offset + len(part) > MOST_BYTES:
        raise BadSetting(f"The files are larger than {MOST_BYTES / 1e9:.0f} GB. Import them with the command `import`.")
    if shutil.disk_usage(folder).free < len(part) + ROOM:
        raise StorageFull
    with (folder / called).open("r+b" if called in there else "wb") as file:
        file.seek(offset)
        file.write(part)
        file.truncate()
    return called
