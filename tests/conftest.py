import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from making import import_rows, rows

from core.settings import Settings
from storage import Repository
from ui import services
from ui.services import Workplace

ROOT = Path(__file__).resolve().parents[1]


@pytest.fixture(scope="session")
def shared_dir() -> Path:
    """The folder of real data and golden vectors beside the repository; tests that need it skip without it."""
    folder = Path(os.environ.get("CAPSCOPE_SHARED", ROOT.parent / "shared"))
    if not folder.is_dir():
        pytest.skip(f"needs the shared data and golden vectors at {folder}")
    return folder


@pytest.fixture
def workplace(tmp_path: Path) -> Iterator[Workplace]:
    """An empty data folder, opened."""
    opened = services.open_workplace(Settings(data_dir=tmp_path / "data"))
    yield opened
    opened.repository.close()


@pytest.fixture
def repository(workplace: Workplace) -> Repository:
    """An empty database."""
    return workplace.repository


@pytest.fixture
def birds(workplace: Workplace, tmp_path: Path) -> Workplace:
    """A data folder with the data set birds: six samples, three metrics, a picture each."""
    import_rows(workplace, tmp_path / "files", rows(6))
    return workplace
