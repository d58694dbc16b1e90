"""Install the packages that a requirements file lists. Each package's hash must be in requirements.lock.

    python install.py requirements.txt

This script needs only Python and its pip. First pip resolves which packages this machine lacks (`--dry-run`), with the
versions of the lock. Then the sha256 of each package's file is looked up in the lock. Then pip installs these files
with `--require-hashes`. Only wheels are used, because pip runs code of other archives before it compares any hash.

Packages that are installed already are neither replaced nor checked (docs/decisions/367).
"""

import argparse
import html
import json
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

ROOT = Path(__file__).resolve().parent
LOCK = ROOT / "requirements.lock"
CPU_BUILDS = ROOT / "requirements-cpu.txt"
PIP = [sys.executable, "-m", "pip"]
QUIET = ["--quiet", "--disable-pip-version-check", "--only-binary", ":all:"]
Hashes = dict[tuple[str, str], set[str]]


@dataclass(frozen=True)
class Archive:
    """A file that pip would install: its package, its version, its address and its sha256."""

    name: str
    version: str
    url: str
    sha256: str

    @property
    def file(self) -> str:
        """Return the archive's file name, the last part of its address."""
        return self.url.rsplit("/", 1)[-1]


class NotInLock(Exception):
    """Raised if the lock lacks some files. The message names these files and says what the user can do."""


def named_in(path: Path) -> list[str]:
    """Return the requirements in a file and its included files.

    Files are included with `-r`. Other options, such as `-c`, are ignored.
    """
    found: list[str] = []
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.startswith("-r "):
            found += named_in(path.parent / line.removeprefix("-r ").strip())
        elif line and not line.startswith(("#", "-")):
            found.append(line)
    return found


def without_hashes(lock: str) -> str:
    """Return a lock's pins as constraints without hashes.

    If a constraint had a hash, pip would demand a hash for every requirement.
    """
    lines = (line for line in lock.splitlines() if not line.lstrip().startswith(("--hash", "#")))
    return "".join(f"{line.removesuffix(chr(92)).rstrip()}\n" for line in lines)


def hashes_in(lock: str) -> Hashes:
    """Return the sha256 hashes that a lock allows; key: package and version."""
    found: Hashes = {}
    for entry in lock.replace("\\\n", " ").splitlines():
        if pin := re.match(r"([\w.-]+)==([^\s;]+)", entry):
            found.setdefault((canonical(pin[1]), pin[2]), set()).update(
                re.findall(r"--hash=sha256:([0-9a-f]{64})", entry)
            )
    return found


def canonical(name: str) -> str:
    """Return a package's name in the normalised form that package indexes use."""
    return re.sub(r"[-_.]+", "-", name).lower()


def archives_in(report: dict[str, Any]) -> list[Archive]:
    """Return the files in the report of `pip install --dry-run`."""
    found = []
    for one in report["install"]:
        told, download = one["metadata"], one["download_info"]
        sha256 = download["archive_info"]["hash"].removeprefix("sha256=")
        found.append(Archive(canonical(told["name"]), told["version"], download["url"].partition("#")[0], sha256))
    return found


def check(archives: list[Archive], allowed: Hashes) -> None:
    """Raise NotInLock if the lock does not allow one of the files."""
    unknown = [one for one in archives if one.sha256 not in allowed.get((one.name, one.version), ())]
    if unknown:
        raise NotInLock("\n\n".join(map(refusal, unknown)))


def refusal(one: Archive) -> str:
    """Return a message that names a refused file and the remedy."""
    return f"""\
Nothing was installed: {one.file} is not in requirements.lock.
  package  {one.name} {one.version}
  from     {one.url}
  sha256   {one.sha256}
The file may have been replaced by somebody. Check which package index pip uses (pip config list).
- If it is a build of your own: install it first, then run this command again, which leaves it as it is.
    {sys.executable} -m pip install --no-deps "{one.url}"
- If its project published the file after the lock was made: `make lock` adds its hash. Review the change."""


def install(archives: list[Archive], options: list[str], folder: Path) -> int:
    """Install these archives and no other packages. Return pip's exit code.

    pip compares the hashes of the archives' files once more.
    """
    links, pins = folder / "links.html", folder / "pins.txt"
    anchors = (f'<a href="{html.escape(one.url)}">{html.escape(one.file)}</a>\n' for one in archives)
    links.write_text(f"<!DOCTYPE html><html><body>\n{''.join(anchors)}</body></html>\n", encoding="utf-8")
    pins.write_text(
        "".join(f"{one.name}=={one.version} --hash=sha256:{one.sha256}\n" for one in archives), encoding="utf-8"
    )
    exactly = ["--no-deps", "--no-index", "--find-links", str(links), "--require-hashes", "--requirement", str(pins)]
    return subprocess.run([*PIP, "install", *QUIET, *options, *exactly]).returncode


def resolve(requirements: Path, lock: str, folder: Path) -> list[Archive]:
    """Return the files that this machine lacks, in the versions of the lock. Raises CalledProcessError."""
    named, pins, report = folder / "named.txt", folder / "constraints.txt", folder / "report.json"
    named.write_text("\n".join(named_in(requirements)) + "\n", encoding="utf-8")
    pins.write_text(without_hashes(lock), encoding="utf-8")
    asked = ["--dry-run", "--report", str(report), "--constraint", str(pins), "--requirement", str(named)]
    subprocess.run([*PIP, "install", *QUIET, *asked], check=True)
    return archives_in(json.loads(report.read_text(encoding="utf-8")))


def main() -> int:
    """Run the command line and return its exit code."""
    parser = argparse.ArgumentParser(description="Install a requirements file, checked against requirements.lock.")
    parser.add_argument("requirements", type=Path, help="such as requirements.txt")
    parser.add_argument("--no-compile", action="store_true", help="write no byte code")
    given = parser.parse_args()
    lock = LOCK.read_text(encoding="utf-8")
    allowed = hashes_in(lock) | hashes_in(CPU_BUILDS.read_text(encoding="utf-8"))
    with TemporaryDirectory() as name:
        folder = Path(name)
        print(f"Resolving {given.requirements} with the versions of requirements.lock …", flush=True)
        try:
            archives = resolve(given.requirements, lock, folder)
            check(archives, allowed)
        except subprocess.CalledProcessError as error:
            return error.returncode  # without a message, because pip has already printed the reason of its failure
        except NotInLock as refused:
            print(refused, file=sys.stderr)
            return 1
        if not archives:
            print("All packages are installed already.")
            return 0
        print(f"Installing {len(archives)} packages; the hash of each file is in the lock …", flush=True)
        return install(archives, ["--no-compile"] * given.no_compile, folder)


if __name__ == "__main__":
    sys.exit(main())
