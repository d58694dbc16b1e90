import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings

from storage import Repository
from tests.making import import_rows, rows
from ui.services.workplace import Workplace, open_workplace
from ui.settings import Settings

os.environ.setdefault("OMP_NUM_THREADS", "1")  # tests run side by side, and toy models are slower on many threads
os.environ.setdefault("HF_HUB_OFFLINE", "1")  # no test looks for weights elsewhere
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


@pytest.fixture(scope="session")
def empty_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder whose database has tables and no rows; to be copied."""
    folder = tmp_path_factory.mktemp("empty") / "data"
    open_workplace(Settings(data_dir=folder)).repository.close()
    return folder


@pytest.fixture(scope="session")
def birds_folder(empty_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder with the data set birds: six samples, three metrics, a picture each; to be copied."""
    folder = tmp_path_factory.mktemp("birds")
    shutil.copytree(empty_folder, folder / "data")
    workplace = open_workplace(Settings(data_dir=folder / "data"))
    import_rows(workplace, folder / "files", rows(6))
    workplace.repository.close()
    return folder / "data"


def _copied(folder: Path, tmp_path: Path) -> Iterator[Workplace]:
    shutil.copytree(folder, tmp_path / "data")
    opened = open_workplace(Settings(data_dir=tmp_path / "data"))
    yield opened
    opened.repository.close()


@pytest.fixture
def workplace(empty_folder: Path, tmp_path: Path) -> Iterator[Workplace]:
    """An empty data folder, opened."""
    yield from _copied(empty_folder, tmp_path)


@pytest.fixture
def repository(workplace: Workplace) -> Repository:
    """An empty database."""
    return workplace.repository


@pytest.fixture
def birds(birds_folder: Path, tmp_path: Path) -> Iterator[Workplace]:
    """A data folder with the data set birds, opened."""
    yield from _copied(birds_folder, tmp_path)
