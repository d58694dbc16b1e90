import os
from pathlib import Path

import pytest
from hypothesis import settings

settings.register_profile("capscope", deadline=None, derandomize=True)  # no test is about time or luck
settings.load_profile("capscope")

ROOT = Path(__file__).resolve().parents[1]


@pytest.fixture(scope="session")
def shared_dir() -> Path:
    """The folder of real data and golden vectors beside the repository; tests that need it skip without it."""
    folder = Path(os.environ.get("CAPSCOPE_SHARED", ROOT.parent / "shared"))
    if not folder.is_dir():
        pytest.skip(f"needs the shared data and golden vectors at {folder}")
    return folder
