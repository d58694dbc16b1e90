"""Compare a downloaded file with the known size and checksums of the published file."""

import hashlib
from dataclasses import dataclass
from pathlib import Path

MOST_BYTES = 500_000_000  # maximum bytes of a file whose size is unknown
_BLOCK = 1 << 20  # bytes


@dataclass(frozen=True, slots=True)
class Content:
    """What is known about a file's content: size and checksums. A file is used only if its size and checksums match."""

    blob: str | None = None  # Git's id: SHA-1 of "blob <bytes>", a NUL and the content
    sha256: str | None = None
    size: int | None = None  # bytes; None: unknown
    most: int = MOST_BYTES  # maximum bytes if the size is unknown

    @property
    def limit(self) -> int:
        """Return the largest number of bytes that the file may have."""
        return self.most if self.size is None else self.size

    def flaw(self, path: Path) -> str | None:
        """Return how a file differs from the published file; None if it does not differ. Raises OSError."""
        size = path.stat().st_size
        problem = self.wrong_size(size)
        if problem is not None:
            return problem
        git, sha256 = hashlib.sha1(b"blob %d\0" % size, usedforsecurity=False), hashlib.sha256()
        with path.open("rb") as file:
            while block := file.read(_BLOCK):
                git.update(block)
                sha256.update(block)
        for name, known, found in (("Git", self.blob, git.hexdigest()), ("SHA-256", self.sha256, sha256.hexdigest())):
            if known is not None and found != known:
                return f"its {name} checksum is {found[:12]}… instead of {known[:12]}…"
        return None

    def wrong_size(self, size: int) -> str | None:
        """Return why a size in bytes is wrong for the published file; None if it is right."""
        if self.size is not None and size != self.size:
            return f"it has {size:,} bytes instead of {self.size:,}"
        if size > self.limit:
            return f"it has more than {self.limit:,} bytes, which is Capscope's limit for downloads"
        return None
