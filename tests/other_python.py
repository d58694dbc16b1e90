"""Run the quick tests with Python 3.13, that of Debian 13, in a root that mmdebstrap makes: `make test-python`.

It needs root, mmdebstrap and the package registries. FOLDER keeps the root, and takes up the one that is there.
"""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from contextlib import ExitStack
from pathlib import Path

from tests.image.build import in_root, pip_of_this_machine
from tests.image.recipe import ROOT

RELEASE, VERSION = "trixie", "3.13"
HERE = "/capscope"  # the sources in the root
PACKAGES = "ca-certificates,git,make,netbase,python3-venv,tzdata"
QUICK = "-n 2 --dist loadfile --no-loadscope-reorder -m 'not slow and not scale' --ignore tests/browser"
STEPS = (
    f"python3 -c 'import sys; assert sys.version.startswith(\"{VERSION}.\"), sys.version'",
    "test -d .venv || python3 -m venv .venv",
    ".venv/bin/python install.py --no-compile requirements-dev.txt",
    f".venv/bin/python -m pytest -p no:cacheprovider {QUICK}",
)


def main() -> int:
    """Run the command line; return its exit code."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", nargs="?", type=Path)
    given = parser.parse_args()
    if os.geteuid() != 0:
        parser.error("only root may make a root and mount")
    with ExitStack() as stack:
        folder = given.folder or Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="capscope-python-")))
        root = folder.resolve() / RELEASE
        if not root.exists():
            make_root(root)
        copy_sources(root / HERE[1:])
        environ = {"PATH": "/usr/bin:/bin", "LANG": "C.UTF-8"} | pip_of_this_machine()
        for step in STEPS:
            print(f"-- {step}", flush=True)
            try:
                in_root(root, step, environ, HERE)
            except subprocess.CalledProcessError as error:
                return error.returncode
    return 0


def make_root(root: Path) -> None:
    """Make Debian's root; a name of its own until it is whole."""
    unfinished = root.with_name(f"{root.name}-unfinished")
    if unfinished.exists():
        shutil.rmtree(unfinished)
    unfinished.parent.mkdir(parents=True, exist_ok=True)
    made = ["mmdebstrap", "--mode=root", "--variant=minbase", "--quiet", f"--include={PACKAGES}"]
    subprocess.run([*made, RELEASE, str(unfinished)], check=True)
    unfinished.rename(root)


def copy_sources(target: Path) -> None:
    """Copy what git knows of the clone, changed or not, in the place of an earlier copy; keep the environment there."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout.split("\0")
    for old in target.iterdir() if target.exists() else ():
        if old.name != ".venv":
            shutil.rmtree(old) if old.is_dir() else old.unlink()
    for name in filter(None, listed):
        if (ROOT / name).is_file():
            (target / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, target / name)


if __name__ == "__main__":
    sys.exit(main())
