"""The wheel: what it holds, and that its command works where nothing else of Capscope is."""

import os
import subprocess
import sys
import sysconfig
import venv
import zipfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from urllib.request import urlopen

import pytest

from core.signature import VERSION
from tests.browser.nginx import free_port
from tests.making import picture

ROOT = Path(__file__).resolve().parents[1]
APART = """
import json, sys
from pathlib import Path
from core.images.sandbox import thumbnail_apart
from ui.services.importing.import_process import ImportJob, ImportRequest
from ui.services.importing.uploading import looked

folder = Path(sys.argv[1])
print(len(thumbnail_apart(folder / "dog.png", 20)))
print(json.dumps(looked(ImportJob(folder, ImportRequest(("dog.csv",)), folder / "data", None, "me", look=True), set())))
"""


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, built with the packages that are here."""
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", str(folder)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    (built,) = folder.iterdir()
    return built


@pytest.fixture(scope="module")
def bin_folder(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The commands of a new virtual environment with the wheel, which borrows all other packages."""
    folder = tmp_path_factory.mktemp("fresh")
    venv.create(folder, with_pip=False)
    (packages,) = folder.glob("lib/python*/site-packages")
    (packages / "borrowed.pth").write_text(f"{sysconfig.get_path('purelib')}\n")
    pip = [sys.executable, "-m", "pip", "--python", str(folder / "bin" / "python"), "install", "--no-deps"]
    subprocess.run([*pip, "--no-index", "--no-compile", "--quiet", str(wheel)], check=True)
    return folder / "bin"


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "home"


@pytest.fixture
def empty(tmp_path: Path) -> Path:
    """The folder in which somebody types a command."""
    (tmp_path / "empty").mkdir()
    return tmp_path / "empty"


def environ(home: Path) -> dict[str, str]:
    """Return the variables of somebody whose home this is, without those of Python and Capscope."""
    ours = ("PYTHON", "CAPSCOPE", "XDG_")
    kept = {name: value for name, value in os.environ.items() if not name.startswith(ours)}
    return kept | {"HOME": str(home), "CAPSCOPE_WARM": "0"}


def ran(command: Sequence[str | Path], home: Path, folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [str(part) for part in command], cwd=folder, env=environ(home), capture_output=True, text=True, timeout=300
    )


@contextmanager
def serving(command: Path, port: int, home: Path, folder: Path) -> Iterator[list[str]]:
    """Run the app while the block runs; give the lines that it printed first."""
    arguments = [str(command), "--port", str(port)]
    with subprocess.Popen(arguments, cwd=folder, env=environ(home), stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            yield [process.stdout.readline().rstrip() for _ in range(2)]
        finally:
            process.terminate()


def page(port: int, path: str) -> str:
    with urlopen(f"http://127.0.0.1:{port}{path}", timeout=120) as answer:
        text: str = answer.read().decode()
        return text


def test_the_wheel_holds_every_file_that_the_app_reads(wheel: Path) -> None:
    names = set(zipfile.ZipFile(wheel).namelist())
    folders = [ROOT / name for name in ("core", "storage", "ui", "capscope", "assets/demo", "assets/words")]
    files = [path for folder in folders for path in folder.rglob("*") if path.is_file()]
    wanted = {path.relative_to(ROOT).as_posix() for path in files if "__pycache__" not in path.parts}
    ignored = {"ui/static/shared/wire.d.ts"}
    assert "core/metrics/fleur.py" in wanted and wanted - ignored <= names and "app.py" in names
    assert f"capscope-{VERSION}.dist-info/licenses/LICENSE" in names
    assert not [name for name in names if "__pycache__" in name or name.startswith("assets/pictures")]


def test_the_installed_command_serves_the_pages_from_an_empty_folder_and_names_itself_and_its_documentation(
    bin_folder: Path, home: Path, empty: Path
) -> None:
    command = bin_folder / "capscope"
    shown = "".join(ran([command, "--help"], home, empty).stdout.split())
    (index,) = bin_folder.parent.glob("lib/python*/site-packages/capscope/docs/README.md")
    assert f"Documentation:{index}" in shown
    pages = {path.relative_to(ROOT / "docs") for path in (ROOT / "docs").rglob("*.md")}
    assert {path.relative_to(index.parent) for path in index.parent.rglob("*.md")} == pages
    with free_port() as port, serving(command, port, home, empty) as lines:
        data = home / ".local" / "share" / "capscope"
        assert lines == [f"Capscope is at http://127.0.0.1:{port} (stop with Ctrl+C)", f"Data folder: {data}"]
        texts = [page(port, path) for path in ("/", "/rate", "/inspect")]
        assert all('<meta name="capscope-command" content="capscope">' in text for text in texts)
    assert (data / "capscope.db").is_file() and data.stat().st_mode & 0o077 == 0
    unknown = ran([command, "sore"], home, empty)
    assert (unknown.returncode, unknown.stdout) == (2, "")
    assert "No such command 'sore'" in unknown.stderr and "capscope --help" in unknown.stderr
    assert "capscope study create NAME" in ran([command, "study", "list"], home.with_name("other"), empty).stdout
    assert list(empty.iterdir()) == []


def test_installed_pictures_and_imports_are_read_in_processes_of_their_own(
    bin_folder: Path, home: Path, empty: Path
) -> None:
    picture(empty / "dog.png")
    (empty / "dog.csv").write_text("image,caption\ndog.png,A dog.\n")
    done = ran([bin_folder / "python", "-c", APART, empty], home, empty)
    assert done.returncode == 0, done.stderr
    size, looked = done.stdout.splitlines()
    assert int(size) > 20 and '"csv"' in looked
