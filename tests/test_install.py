"""`install.py` with the real pip, in an empty environment, from a folder of small wheels instead of an index."""

import hashlib
import os
import shutil
import subprocess
import sys
import venv
import zipfile
from dataclasses import dataclass
from pathlib import Path

import pytest

from install import Archive, Hashes, NotInLock, check, hashes_in, install, named_in, without_hashes

ROOT = Path(__file__).resolve().parents[1]


def make_wheel(folder: Path, name: str, version: str, requires: str = "", code: str = "") -> str:
    """Write a wheel with one module; return its sha256."""
    path, info = folder / f"{name}-{version}-py3-none-any.whl", f"{name}-{version}.dist-info"
    with zipfile.ZipFile(path, "w") as wheel:
        wheel.writestr(f"{name}.py", code)
        needs = f"Requires-Dist: {requires}\n" if requires else ""
        wheel.writestr(f"{info}/METADATA", f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n{needs}")
        wheel.writestr(f"{info}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        wheel.writestr(f"{info}/RECORD", f"{name}.py,,\n{info}/METADATA,,\n{info}/WHEEL,,\n{info}/RECORD,,\n")
    return hashlib.sha256(path.read_bytes()).hexdigest()


@dataclass
class Place:
    """A copy of install.py beside a lock of two packages, and an empty environment to install into."""

    folder: Path
    environ: dict[str, str]

    @property
    def wheels(self) -> Path:
        return self.folder / "wheels"

    def lock(self, **hashes: str) -> None:
        """Write a lock: the sha256 of the files of `birds` and `torch`."""
        pins = {"birds": "1.0", "torch": "2.0"}
        text = "".join(f"{name}=={pins[name]} \\\n    --hash=sha256:{hashes[name]}\n    # via x\n" for name in hashes)
        (self.folder / "requirements.lock").write_text(text)

    def ran(self, *options: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, str(self.folder / "install.py"), str(self.folder / "requirements.txt"), *options]
        return subprocess.run(command, env=self.environ, capture_output=True, text=True, timeout=120)

    def installed(self) -> set[str]:
        return {
            path.name.removesuffix(".dist-info") for path in self.folder.glob("env/lib/*/site-packages/*.dist-info")
        }


@pytest.fixture
def place(tmp_path: Path) -> Place:
    shutil.copy(ROOT / "install.py", tmp_path)
    (tmp_path / "wheels").mkdir()
    (tmp_path / "requirements-cpu.txt").write_text("")
    (tmp_path / "requirements.txt").write_text("-c requirements.lock\nbirds~=1.0\n")
    venv.create(tmp_path / "env", with_pip=False)
    environ = {name: value for name, value in os.environ.items() if not name.startswith("PIP_")}
    environ |= {"PIP_CONFIG_FILE": os.devnull, "PIP_NO_INDEX": "1", "PIP_FIND_LINKS": str(tmp_path / "wheels")}
    return Place(tmp_path, environ | {"PIP_PYTHON": str(tmp_path / "env"), "PIP_NO_CACHE_DIR": "1"})


def test_files_whose_hashes_are_in_the_lock_are_installed(place: Place) -> None:
    place.lock(birds=make_wheel(place.wheels, "birds", "1.0", "torch"), torch=make_wheel(place.wheels, "torch", "2.0"))
    assert place.ran("--no-compile").returncode == 0
    assert place.installed() == {"birds-1.0", "torch-2.0"}
    assert not list(place.folder.glob("env/lib/*/site-packages/birds-1.0.dist-info/direct_url.json"))
    assert "installed already" in place.ran().stdout


def test_a_file_that_was_replaced_stops_the_installation_and_is_named(place: Place) -> None:
    torch = make_wheel(place.wheels, "torch", "2.0")
    place.lock(birds=make_wheel(place.wheels, "birds", "1.0", "torch"), torch=torch)
    replaced = make_wheel(place.wheels, "birds", "1.0", "torch", "import this")
    ran = place.ran()
    assert ran.returncode == 1 and place.installed() == set()
    assert "Nothing was installed: birds-1.0-py3-none-any.whl is not in requirements.lock." in ran.stderr
    assert replaced in ran.stderr and "torch-2.0" not in ran.stderr
    assert f'-m pip install --no-deps "file://{place.wheels}/birds-1.0-py3-none-any.whl"' in ran.stderr


def test_a_build_of_ones_own_that_is_installed_first_is_left_as_it_is(place: Place) -> None:
    place.lock(birds=make_wheel(place.wheels, "birds", "1.0", "torch"), torch="0" * 64)
    make_wheel(place.wheels, "torch", "2.0+ours")
    assert place.ran().returncode == 1 and place.installed() == set()
    own = [sys.executable, "-m", "pip", "install", "-q", "--no-deps", str(next(place.wheels.glob("torch-*")))]
    subprocess.run(own, env=place.environ, check=True, timeout=120)
    assert place.ran().returncode == 0
    assert place.installed() == {"birds-1.0", "torch-2.0+ours"}


def test_a_cpu_build_with_a_known_hash_is_installed(place: Place) -> None:
    place.lock(birds=make_wheel(place.wheels, "birds", "1.0", "torch"), torch="0" * 64)
    build = make_wheel(place.wheels, "torch", "2.0+cpu")
    (place.folder / "requirements-cpu.txt").write_text(f"torch==2.0+cpu \\\n    --hash=sha256:{build}\n")
    assert place.ran().returncode == 0
    assert place.installed() == {"birds-1.0", "torch-2.0+cpu"}


def test_a_package_that_the_lock_does_not_name_is_refused(place: Place) -> None:
    place.lock(birds=make_wheel(place.wheels, "birds", "1.0", "stray"))
    make_wheel(place.wheels, "stray", "3.0")
    ran = place.ran()
    assert ran.returncode == 1 and "stray-3.0-py3-none-any.whl is not in" in ran.stderr and place.installed() == set()


def test_pip_compares_the_bytes_once_more_when_it_installs(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    sha256 = make_wheel(place.wheels, "birds", "1.0")
    file = place.wheels / "birds-1.0-py3-none-any.whl"
    archive = Archive("birds", "1.0", file.as_uri(), sha256)
    make_wheel(place.wheels, "birds", "1.0", code="import this")
    for name, value in place.environ.items():
        monkeypatch.setenv(name, value)
    assert install([archive], [], place.folder) != 0 and place.installed() == set()


def test_pip_alone_stops_at_a_lock_with_hashes(place: Place) -> None:
    place.lock(birds=make_wheel(place.wheels, "birds", "1.0"))
    command = [sys.executable, "-m", "pip", "install", "-r", str(place.folder / "requirements.txt")]
    ran = subprocess.run(command, env=place.environ, capture_output=True, text=True, timeout=120)
    assert ran.returncode != 0 and "--require-hashes" in ran.stderr and place.installed() == set()


def test_hashes_belong_to_one_version_of_one_package() -> None:
    one, other = "a" * 64, "b" * 64
    first = f"Birds_Of==1.0 ; python_version < '3.12' \\\n    --hash=sha256:{one}\n    # via x\n"
    lock = f"# made\n{first}owls==2.0 \\\n    --hash=sha256:{other}\n"
    allowed: Hashes = {("birds-of", "1.0"): {one}, ("owls", "2.0"): {other}}
    assert hashes_in(lock) == allowed
    assert without_hashes(lock) == "Birds_Of==1.0 ; python_version < '3.12'\nowls==2.0\n"
    check([Archive("owls", "2.0", "https://x/owls.whl", other)], allowed)
    for wrong in (Archive("owls", "2.0", "https://x/o.whl", one), Archive("owls", "1.0", "https://x/o.whl", other)):
        with pytest.raises(NotInLock, match="o.whl is not in"):
            check([wrong], allowed)


def test_included_files_are_read_and_constraints_are_not(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("# a\n-r b.txt\n\nowls~=2.0  # night\n")
    (tmp_path / "b.txt").write_text("-c c.lock\nbirds[all]~=1.0\n")
    assert named_in(tmp_path / "a.txt") == ["birds[all]~=1.0", "owls~=2.0  # night"]
