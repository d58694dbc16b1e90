"""Where tests find the data and golden vectors that are not part of the repository."""

import os
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]


def shared_folder(name: str) -> Path:
    """Return a folder of the shared data; skips the test where it is absent."""
    folder = Path(os.environ.get("CAPSCOPE_SHARED", ROOT.parent / "shared")) / name
    if not folder.is_dir():
        pytest.skip(f"{folder} is absent: the test compares with vectors kept beside the repository")
    return folder
