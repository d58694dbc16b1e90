"""The wheel: what it holds, and that its command works where nothing else of Capscope is."""

import ast
import os
import re
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
from packaging.requirements import Requirement

from core.signature import VERSION
from hatch_build import PLACED, below_package
from tests.browser.nginx import free_port
from tests.making import picture
from tests.test_requirements import APP, RATING, SCALE, TRAIN, stated

ROOT = Path(__file__).resolve().parents[1]
OURS = re.compile(rf"({'|'.join(PLACED)})(\.\w+)*")
APART = """
import json, sys
from pathlib import Path
from capscope.core.images.sandbox import thumbnail_apart
from capscope.ui.services.importing.import_job import ImportJob, ImportRequest
from capscope.ui.services.importing.import_process import looked

folder = Path(sys.argv[1])
print(len(thumbnail_apart(folder / "dog.png", 20)))
print(json.dumps(looked(ImportJob(folder, ImportRequest(files=["dog.csv"]), True, folder / "data", None, "me"))))
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
def modules(wheel: Path) -> dict[str, ast.Module]:
    """Every module of the wheel, by its path."""
    with zipfile.ZipFile(wheel) as archive:
        return {name: ast.parse(archive.read(name)) for name in archive.namelist() if name.endswith(".py")}


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


def test_the_wheel_puts_one_package_beside_other_peoples(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    assert {name.partition("/")[0] for name in names} == {"capscope", f"capscope-{VERSION}.dist-info"}
    assert f"capscope-{VERSION}.dist-info/licenses/LICENSE" in names
    assert not [name for name in names if "__pycache__" in name or name.startswith("capscope/assets/pictures")]


def test_the_wheel_holds_every_file_that_the_app_reads(wheel: Path) -> None:
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "core", "storage", "ui", "app.py"]
    if not (ROOT / ".git").exists():
        pytest.skip("these sources are no clone")
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    wanted = {f"capscope/{name}" for name in listed.stdout.splitlines() if (ROOT / name).exists()}
    names = set(zipfile.ZipFile(wheel).namelist())
    assert len(wanted) > 600 and wanted <= names
    assert {"capscope/py.typed", "capscope/assets/words/nouns.tsv", "capscope/assets/demo/demo.jsonl"} <= names


def test_the_installed_help_names_the_documentation_that_the_wheel_brings(
    bin_folder: Path, home: Path, empty: Path
) -> None:
    shown = "".join(ran([bin_folder / "capscope", "--help"], home, empty).stdout.split())
    (index,) = bin_folder.parent.glob("lib/python*/site-packages/capscope/docs/README.md")
    assert f"Documentation:{index}" in shown
    pages = {path.relative_to(ROOT / "docs") for path in (ROOT / "docs").rglob("*.md")}
    assert {path.relative_to(index.parent) for path in index.parent.rglob("*.md")} == pages


def test_each_import_of_our_own_in_the_wheel_names_a_module_of_the_wheel(modules: dict[str, ast.Module]) -> None:
    known = {name.removesuffix(".py").removesuffix("/__init__").replace("/", ".") for name in modules}
    known |= {name.rpartition(".")[0] for name in known}  # folders without an __init__.py
    taken = [node for tree in modules.values() for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
    assert [ast.unparse(node) for node in taken if OURS.fullmatch(node.module or "")] == []
    ours = {node.module for node in taken if (node.module or "").partition(".")[0] == "capscope"}
    assert len(ours) > 300 and ours - known == set()


def test_no_text_of_our_sources_is_the_name_of_a_module() -> None:
    """Such a name would be another one in the wheel. `__name__` and `__package__` are right in both."""
    found = []
    for path in (path for folder in PLACED[:3] for path in (ROOT / folder).rglob("*.py")):
        texts = (node.value for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.Constant))
        for text in (text for text in texts if isinstance(text, str) and OURS.fullmatch(text) and "." in text):
            if (ROOT / text.replace(".", "/")).with_suffix(".py").exists():
                found.append(f"{path.relative_to(ROOT)}: {text}")
    assert found == []


def test_only_imports_of_our_own_modules_get_another_name() -> None:
    source = (
        b'"""from core.types import Score"""\nfrom core import errors\nif 1:\n    from ui.web import head\nimport os\n'
    )
    assert below_package(source) == (
        b'"""from core.types import Score"""\nfrom capscope.core import errors\n'
        b"if 1:\n    from capscope.ui.web import head\nimport os\n"
    )
    others = b"from corelib import a\nfrom . import core\n"
    assert below_package(others) == others
    with pytest.raises(ValueError, match="line 2: write `from"):
        below_package(b"\nimport core.types\n")


def test_the_wheel_requires_what_the_files_of_requirements_state(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        about = archive.read(f"capscope-{VERSION}.dist-info/METADATA").decode()
    required = [Requirement(line.partition(": ")[2]) for line in about.splitlines() if line.startswith("Requires-Dist")]

    def of(extra: str) -> set[str]:
        chosen = (one for one in required if one.marker is None or one.marker.evaluate({"extra": extra}))
        return {f"{one.name}{one.specifier}" for one in chosen}

    def named(*files: str) -> set[str]:
        return {f"{one.name}{one.specifier}" for file in files for one in stated(file)}

    assert of("") == named(RATING)
    assert of("models") == named(APP) - named(TRAIN)
    assert of("train") == named(APP)
    assert of("scale") == named(RATING, SCALE)


def test_the_installed_command_serves_the_pages_from_an_empty_folder(bin_folder: Path, home: Path, empty: Path) -> None:
    with (
        free_port() as port,
        serving(bin_folder / "capscope", port, home, empty) as lines,
    ):
        data = home / ".local" / "share" / "capscope"
        assert lines == [f"Capscope is at http://127.0.0.1:{port} (stop with Ctrl+C)", f"Data folder: {data}"]
        pages = [page(port, path) for path in ("/", "/rate", "/inspect")]
        assert all('<meta name="capscope-command" content="capscope">' in text for text in pages)
    assert (data / "capscope.db").is_file() and data.stat().st_mode & 0o077 == 0
    assert list(empty.iterdir()) == []


def test_the_installed_command_names_itself(bin_folder: Path, home: Path, empty: Path) -> None:
    (empty / "capscope-data").mkdir()
    command = bin_folder / "capscope"
    unknown = ran([command, "sore"], home, empty)
    assert (unknown.returncode, unknown.stdout) == (2, "")
    assert "No such command 'sore'" in unknown.stderr and "capscope --help" in unknown.stderr
    listed = ran([command, "study", "list"], home, empty)
    assert "capscope study create NAME" in listed.stdout, listed.stderr
    assert (empty / "capscope-data" / "capscope.db").is_file() and not home.exists()


def test_installed_pictures_and_imports_are_read_in_processes_of_their_own(
    bin_folder: Path, home: Path, empty: Path
) -> None:
    picture(empty / "dog.png")
    (empty / "dog.csv").write_text("image,caption\ndog.png,A dog.\n")
    done = ran([bin_folder / "python", "-c", APART, empty], home, empty)
    assert done.returncode == 0, done.stderr
    size, looked = done.stdout.splitlines()
    assert int(size) > 20 and '"csv"' in looked
