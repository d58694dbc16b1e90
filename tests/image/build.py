"""Carry out the Dockerfile's steps without Docker: Debian's mmdebstrap makes the root, chroot runs each RUN.

All mounts lie in namespaces of the commands themselves, so that none is left, however a command ends.
"""

import os
import shlex
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

from tests.image.recipe import BASE, ROOT, Image, Step, note, pairs, steps

PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"  # of Docker's images of Python
# A command in namespaces of its own. When the process that started it ends, it ends, and its mounts with it.
ALONE = ["setpriv", "--pdeathsig=KILL", "unshare", "--mount", "--pid", "--fork", "--kill-child"]
NETWORK = ("SSL_CERT_FILE", "http_proxy", "https_proxy", "no_proxy", "HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY")
CPU_BUILDS = "requirements-cpu.txt"


def make_base(folder: Path) -> None:
    """Make a root of Debian with Python in /usr/local, as the image that FROM names has it."""
    base = BASE.fullmatch(steps()[0].text)
    assert base is not None, f"FROM {steps()[0].text}: expected python:X.Y-slim-RELEASE"
    packages = "ca-certificates,netbase,tzdata,python3-venv"  # the image has the first three as well
    made = ["mmdebstrap", "--mode=root", "--variant=minbase", "--quiet", f"--include={packages}"]
    subprocess.run([*made, base["release"], str(folder)], check=True)
    (folder / "etc" / "mime.types").unlink()  # comes with Debian's Python, and is not in the image
    check = f"import sys; assert '%d.%d' % sys.version_info[:2] == '{base['python']}', sys.version"
    in_root(folder, "python3 -m venv /usr/local && python -m pip --version", {"PATH": PATH})
    in_root(folder, shlex.join(["python", "-c", check]), {"PATH": PATH})


def build(root: Path, arguments: Mapping[str, str]) -> list[str]:
    """Carry out all steps after FROM; return what is other than in Docker's image."""
    image, given, differs = Image(environ={"PATH": PATH}), dict[str, str](), list[str]()
    for step in steps()[1:]:
        print(f"-- {step.name} {step.text[:150]}", flush=True)
        note(image, step)
        if step.name == "ARG":
            given |= pairs(step.text)
            given |= {name: value for name, value in arguments.items() if name in given}
        elif step.name == "WORKDIR":
            (root / image.workdir[1:]).mkdir(parents=True, exist_ok=True)
        elif step.name == "COPY":
            copy(step, root / image.workdir[1:])
        elif step.name == "RUN":
            if CPU_BUILDS in step.text and given["REQUIREMENTS"] == "requirements.txt" and given["TORCH_INDEX"]:
                differs += _leave_out_what_no_index_has(root, image, given["TORCH_INDEX"])
            in_root(root, step.text, image.environ | given | pip_of_this_machine(), image.workdir)
    return differs


def copy(step: Step, workdir: Path) -> None:
    """Copy files and the contents of folders, but byte code, which .dockerignore keeps out."""
    *names, to = shlex.split(step.text)
    target = workdir / to
    target.mkdir(parents=True, exist_ok=True)
    for name in names:
        if (ROOT / name).is_dir():
            ignored = shutil.ignore_patterns("__pycache__")
            shutil.copytree(ROOT / name, target, dirs_exist_ok=True, ignore=ignored)
        else:
            shutil.copy2(ROOT / name, target)


def in_root(root: Path, command: str, environ: Mapping[str, str], workdir: str = "/") -> None:
    """Run a shell command in a root, with this machine's network and the folders that its pip looks into."""
    lines = ["set -e"]
    for path in ("/etc/resolv.conf", "/etc/ssl/certs/ca-certificates.crt", *_folders_of_pip()):
        inside = root / path[1:]
        if Path(path).is_dir():
            inside.mkdir(parents=True, exist_ok=True)
        else:
            inside.touch()
        lines.append(shlex.join(["mount", "--bind", "-o", "ro", path, str(inside)]))
    variables = ["HOME=/root", *(f"{name}={value}" for name, value in environ.items())]
    entered = f"cd {shlex.quote(workdir)} && {command}"
    lines.append(shlex.join(["exec", "chroot", str(root), "env", "-i", *variables, "sh", "-c", entered]))
    subprocess.run([*ALONE, f"--mount-proc={root}/proc", "sh", "-c", "\n".join(lines)], check=True)


def pip_of_this_machine() -> dict[str, str]:
    """Return the settings of this machine's pip, such as its indexes and certificates, as variables.

    A file of constraints is left out, because the root does not have it and requirements.lock states all versions.
    """
    listed = subprocess.run([sys.executable, "-m", "pip", "config", "list"], capture_output=True, text=True, check=True)
    found = {name: os.environ[name] for name in NETWORK if name in os.environ}
    for line in listed.stdout.splitlines():
        key, _, value = line.partition("=")
        if key.endswith(".constraint"):
            continue
        found[f"PIP_{key.rpartition('.')[2].upper().replace('-', '_')}"] = value.strip("'")
    return found


def _folders_of_pip() -> list[str]:
    """Return the folders of this machine in which its pip looks for packages."""
    words = (word.removeprefix("file://") for value in pip_of_this_machine().values() for word in value.split())
    # an index refers to files beside itself: /opt/pypi/simple, /opt/pypi/files
    roots = (Path(word).parent if Path(word).name == "simple" else Path(word) for word in words if word[0] == "/")
    return sorted({str(path) for path in roots if path.is_dir()})


def _leave_out_what_no_index_has(root: Path, image: Image, index: str) -> list[str]:
    """Take out of the root's requirements-cpu.txt the builds that cannot be had here; return a line for each."""
    path, kept, differs = root / image.workdir[1:] / CPU_BUILDS, list[str](), list[str]()
    entries = [line for line in path.read_text().replace("\\\n", " ").splitlines() if line and line[0] != "#"]
    for entry in entries:
        path.write_text(entry)
        asked = (
            f"pip install --dry-run --quiet --retries 0 --require-hashes --no-deps -r {CPU_BUILDS} --index-url {index}"
        )
        try:
            in_root(root, asked, image.environ | pip_of_this_machine(), image.workdir)
            kept.append(entry)
        except subprocess.CalledProcessError:
            differs.append(f"{entry.split()[0]} is not to be had here (from {index}): install.py takes PyPI's")
    path.write_text("\n".join(kept) + "\n")
    return differs
