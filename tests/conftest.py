import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from hypothesis import settings

from storage import Repository
from tests import postgresql
from tests.command_line import Run, command_line
from tests.files_in_memory import keep_files_in_memory
from tests.making import import_rows, rows
from tests.postgresql import Postgres
from ui.services.workplace import Workplace, open_workplace
from ui.settings import Settings

os.environ.setdefault("OMP_NUM_THREADS", "1")  # tests run side by side, and toy models are slower on many threads
os.environ.setdefault("HF_HUB_OFFLINE", "1")  # no test looks for weights elsewhere
settings.register_profile("capscope", deadline=None, derandomize=True)  # no test is about time or luck
settings.load_profile("capscope")
keep_files_in_memory()

ROOT = Path(__file__).resolve().parents[1]
# Folders and files that `make quick` does not even import: browsers, models, the parser, processes, published data.
# Single tests have the mark `slow`.
SLOW_ROOMS = frozenset(
    """
    browser core/analysis/test_caption_words.py core/captions/test_english.py core/captions/test_hints.py
    core/captions/test_marks.py core/captions/test_whole_captions.py core/datasets/test_real_files.py core/engines
    core/metrics/test_any_caption.py core/metrics/test_classic_targets.py core/models
    core/statistics/test_significance.py core/studies/test_report.py core/studies/test_same_figures.py
    core/test_images_apart.py promises/test_every_page_opens.py promises/test_hostile_text.py
    storage/analysis/test_columns.py storage/data/test_large_imports.py storage/data/test_pictures.py
    storage/rating/test_outlook.py storage/test_concurrency.py storage/test_migrations.py storage/test_search.py
    test_rating_alone.py test_requirements.py test_wheel.py ui/analyse/test_every_filter.py
    ui/analyse/test_slices_and_studies.py ui/score ui/services/test_backup.py ui/services/test_bringing.py
    ui/services/test_demo.py ui/services/test_demo_texts.py ui/services/test_own_regions.py ui/test_blinding.py
    ui/test_every_form.py ui/test_get_command.py ui/test_json_output.py ui/test_overlay_studies.py
    ui/test_score_command.py ui/test_score_endpoint.py ui/test_score_regions.py ui/test_shown_numbers.py
    ui/test_train_command.py ui/web/test_after_a_restore.py ui/web/test_forwarding.py ui/web/test_full_disk.py
    ui/web/test_held_database.py ui/web/test_import_pages.py ui/web/test_study_pages.py
    """.split()
)


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    is_slow = str(collection_path.relative_to(ROOT / "tests")) in SLOW_ROOMS
    return True if is_slow and config.option.markexpr.startswith("not slow") else None


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


@pytest.fixture(scope="session")
def postgres() -> Iterator[Postgres]:
    """A PostgreSQL server."""
    programs = postgresql.programs()
    if programs is None:
        pytest.skip("needs PostgreSQL's programs: apt-get install postgresql")
    with postgresql.running(programs) as server:
        yield server


@contextmanager
def copied(folder: Path, to: Path, database: str | None = None) -> Iterator[Workplace]:
    """Copy a data folder and open it, with the database at an address or, without one, its own."""
    shutil.copytree(folder, to)
    opened = open_workplace(Settings(data_dir=to, database=database))
    yield opened
    opened.repository.close()


@pytest.fixture
def workplace(empty_folder: Path, tmp_path: Path) -> Iterator[Workplace]:
    """An empty data folder, opened."""
    with copied(empty_folder, tmp_path / "data") as opened:
        yield opened


@pytest.fixture
def repository(workplace: Workplace) -> Repository:
    """An empty database."""
    return workplace.repository


@pytest.fixture
def birds(birds_folder: Path, tmp_path: Path) -> Iterator[Workplace]:
    """A data folder with the data set birds, opened."""
    with copied(birds_folder, tmp_path / "data") as opened:
        yield opened


@pytest.fixture
def run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Run:
    """Run commands on a data folder of the test's own, which the first command makes."""
    return command_line(tmp_path / "data", capsys)
