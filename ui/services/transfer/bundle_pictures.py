"""Write pictures of a study bundle without metadata, named by their checksums.

The checksum is that of the file in the bundle.
"""

import hashlib
from pathlib import Path, PurePath

from core.errors import BadImage
from core.images.metadata import published
from core.images.sandbox import png_apart
from ui.services.workplace import PICTURES

_LONGEST_ENDING = 9  # characters, including the dot


class BundlePictures:
    """The pictures that a bundle's rows name."""

    def __init__(self, folder: Path | None) -> None:
        """folder: for the pictures; None omits them."""
        self._folder = folder
        self.written: set[str] = set()  # places in the bundle
        self.missing: set[str] = set()  # wanted, but gone or changed since their import

    def add(self, path: Path, sha256: str) -> tuple[str, str]:
        """Write a picture. Return its place in the bundle, and the checksum for its row.

        sha256: of the file at its import. The row keeps it if the picture is omitted.
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
    """Return a picture without metadata, and its name. None if the file is gone or has changed."""
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
