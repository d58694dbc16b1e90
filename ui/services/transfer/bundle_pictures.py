"""Pictures of a study bundle: written without metadata, each under the checksum of the file in the bundle."""

import hashlib
from pathlib import Path, PurePath

from core.errors import BadImage
from core.images.metadata import published
from core.images.sandbox import png_apart
from ui.services.workplace import PICTURES

_LONGEST_ENDING = 9  # characters, with its dot


class BundlePictures:
    """The pictures that a bundle's rows name."""

    def __init__(self, folder: Path | None) -> None:
        """folder: where pictures are written; None leaves them out."""
        self._folder = folder
        self.written: set[str] = set()  # places in the bundle
        self.missing: set[str] = set()  # wanted, but changed since their import, or gone

    def add(self, path: Path, sha256: str) -> tuple[str, str]:
        """Write a picture; returns its place in the bundle, and the checksum that its row holds there.

        sha256: of the file when it was imported. It stays in the row where the picture does not come along.
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
    """Return a picture without metadata and its name; None where the file is gone or is another one by now."""
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
