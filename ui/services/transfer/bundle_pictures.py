"""Write the pictures of a study bundle without metadata.

Each picture file is named by the checksum of the written file.
"""

import hashlib
from pathlib import Path, PurePath

from core.errors import BadImage
from core.images.metadata import published
from core.images.sandbox import png_apart
from ui.services.workplace import PICTURES

_LONGEST_ENDING = 9  # maximum number of characters in a file ending, including the dot


class BundlePictures:
    """Writes a study's pictures into its bundle, and records which ones it wrote and which are missing."""

    def __init__(self, folder: Path | None) -> None:
        """Write pictures into a folder. folder None: write no pictures."""
        self._folder = folder
        self.written: set[str] = set()  # paths of the written pictures in the bundle
        self.missing: set[str] = set()  # paths of pictures that are missing, or changed since their import

    def add(self, path: Path, sha256: str) -> tuple[str, str]:
        """Write a picture into the bundle, without its metadata.

        Return its path in the bundle, and the checksum to store in the picture's database row. This is the checksum of
        the written file. sha256: the checksum of the original file when it was imported. If the picture cannot be
        written, `sha256` is returned instead.
        """
        content = None if self._folder is None else _content(path, sha256)
        if self._folder is None or content is None:
            place = _place(sha256, path.name)
            if self._folder is not None:
                self.missing.add(place)
            return place, sha256
        bare, name = content
        checksum = hashlib.sha256(bare).hexdigest()
        place = _place(checksum, name)
        if place not in self.written:
            self._folder.mkdir(mode=0o700, exist_ok=True)
            (self._folder / PurePath(place).name).write_bytes(bare)
            self.written.add(place)
        return place, checksum


def _content(path: Path, sha256: str) -> tuple[bytes, str] | None:
    """Return a picture without metadata, and its name. None if the file is missing, changed or not readable."""
    if not path.is_file():
        return None
    with path.open("rb") as file:
        if hashlib.file_digest(file, "sha256").hexdigest() != sha256:
            return None
    try:
        return published(path, path.name, png_apart)
    except BadImage:
        return None


def _place(checksum: str, name: str) -> str:
    return f"{PICTURES}/{checksum}{PurePath(name).suffix.lower()[:_LONGEST_ENDING]}"
