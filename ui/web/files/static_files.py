"""Serve scripts and styles as they were when the server started.

Their addresses contain a version. So a page that imports modules later never gets modules of another version. An
upgrade changes the addresses and never mixes old and new scripts. Browsers need not check for changes, because the file
at an address never changes (decision 139).
"""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

STATIC = Path(__file__).parents[2] / "static"
TYPES = {
    ".js": "text/javascript",
    ".css": "text/css",
    ".svg": "image/svg+xml",
    ".woff2": "font/woff2",
}
PREFIX = "/capscope"
FOR_GOOD = "public, max-age=31536000, immutable"
VERSION_DIGITS = 12  # number of hexadecimal digits of the version in an address


@dataclass(frozen=True)
class StaticFiles:
    """The files of one version; key: path below the folder, such as "rate/page.js"."""

    contents: Mapping[str, bytes]

    @classmethod
    def read(cls, folder: Path = STATIC) -> "StaticFiles":
        """Read the files of a folder. Later changes in the folder have no effect."""
        paths = sorted(path for path in folder.rglob("*") if path.suffix in TYPES)
        return cls({path.relative_to(folder).as_posix(): path.read_bytes() for path in paths})

    @cached_property
    def version(self) -> str:
        """Return the version in addresses: a hash of all names and contents."""
        digest = hashlib.sha256()
        for name, content in sorted(self.contents.items()):
            digest.update(f"{name}\0{len(content)}\0".encode() + content)
        return digest.hexdigest()[:VERSION_DIGITS]

    def address(self, name: str) -> str:
        """Return the address of a file. Raises KeyError for an unknown file."""
        if name not in self.contents:
            raise KeyError(name)
        return f"{PREFIX}/{self.version}/{name}"

    def text(self, name: str) -> str:
        """Return a file's text."""
        return self.contents[name].decode("utf-8")
