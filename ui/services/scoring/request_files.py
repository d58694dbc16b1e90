"""Write request files in sizes that batch services accept, and find the file and line of each request."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import IO, NamedTuple

from core.errors import AlreadyExists, BadFile
from core.models.vlm.batch import Request

LINES = 5_000  # maximum number of requests in a file
MEGABYTES = 190.0  # largest file size in 1e6 bytes; OpenAI's service accepts 200


@dataclass(frozen=True, slots=True)
class FileLimits:
    """The size limits of a request file."""

    lines: int = LINES
    megabytes: float = MEGABYTES  # largest file size in 1e6 bytes


class Shards:
    """Request files that are written to a new folder."""

    def __init__(self, folder: Path | None, limits: FileLimits) -> None:
        """Write request files into a folder.

        folder None: write nothing. Raises AlreadyExists for a folder that is not empty.
        """
        if folder is not None and folder.exists() and any(folder.iterdir()):
            raise AlreadyExists(f"{folder} is not empty. Choose another folder for the requests.")
        self._folder, self._limits = folder, limits
        self._file: IO[bytes] | None = None
        self._lines, self._bytes = 0, 0  # numbers of lines and bytes in the open file
        self._ids = set[str]()
        self.files: list[Path] = []
        self.written = 0
        self.too_large = 0  # number of requests that are too large for any file

    def write(self, request: Request) -> None:
        """Add a request, unless it was already added or is too large.

        Several samples may make the same request. A request is too large if no file may contain it.
        """
        if self._folder is None or request.name in self._ids:
            return
        self._ids.add(request.name)
        line = request.line().encode()
        room = self._limits.megabytes * 1e6
        if len(line) > room:
            self.too_large += 1
            return
        if self._file is None or self._lines == self._limits.lines or self._bytes + len(line) > room:
            self._close()
            self._folder.mkdir(parents=True, exist_ok=True)
            self.files.append(self._folder / f"requests-{len(self.files) + 1:05}.jsonl")
            self._file = self.files[-1].open("wb")
            self._lines = self._bytes = 0
        self._file.write(line)
        self._lines, self._bytes, self.written = self._lines + 1, self._bytes + len(line), self.written + 1

    def __enter__(self) -> "Shards":
        return self

    def __exit__(self, *_: object) -> None:
        self._close()

    def _close(self) -> None:
        if self._file is not None:
            self._file.close()


class Line(NamedTuple):
    """The file and line of a request."""

    file: str
    number: int  # line number, counted from 1


def written_requests(folder: Path) -> Mapping[str, Line]:
    """Return the file and line of each request; key: the request's id.

    Raises BadFile for a folder without requests.
    """
    lines: dict[str, Line] = {}
    for path in sorted(folder.glob("*.jsonl")) if folder.is_dir() else ():
        if not path.is_file():
            continue
        with path.open("rb") as file:
            for number, text in enumerate(file, 1):
                try:
                    name = json.loads(text)["custom_id"]
                except (ValueError, KeyError, TypeError, RecursionError):
                    continue  # skips a line that is not a request, or that is truncated
                lines.setdefault(str(name), Line(path.name, number))
    if not lines:
        raise BadFile(folder, "the folder contains no requests; make request files with --to-requests")
    return lines
