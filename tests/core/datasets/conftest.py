"""Small files in a temporary folder, and the real ones where they are at hand."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from core.datasets import format_named
from core.datasets.base import Layout, Record, Source
from core.errors import BadRow

Write = Callable[[str, object], Path]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Write a file: bytes and text as they are, anything else as JSON."""

    def written(name: str, content: object) -> Path:
        path = tmp_path / name
        if isinstance(content, bytes):
            path.write_bytes(content)
        else:
            text = content if isinstance(content, str) else json.dumps(content, ensure_ascii=False)
            path.write_bytes(text.encode())
        return path

    return written


@pytest.fixture
def shared_data(shared_dir: Path) -> Path:
    """The folder of real data; tests that need it are skipped where it is absent."""
    return shared_dir / "data"


@pytest.fixture
def read() -> Callable[..., list[Record]]:
    """Read a whole file, stopping at the first bad row."""

    def records(name: str, path: Path, metric: str | None = None) -> list[Record]:
        return list(format_named(name).read(Source(path, layout=Layout(metric=metric))))

    return records


@pytest.fixture
def skim() -> Callable[..., tuple[list[Record], list[BadRow]]]:
    """Read a whole file, collecting the bad rows."""

    def both(name: str, path: Path) -> tuple[list[Record], list[BadRow]]:
        bad: list[BadRow] = []
        return list(format_named(name).read(Source(path, bad.append))), bad

    return both
