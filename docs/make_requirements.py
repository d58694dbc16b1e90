"""Write requirements.txt from uv.lock: every package of the full installation with its hashes. `make lock` calls it.

pyproject.toml lists the hashes of torch's CPU builds, which the locked index does not have. They are added here, so
that pip accepts these builds where it finds them.
"""

import subprocess
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
EXPORT = ["export", "--frozen", "--quiet", "--no-header", "--no-emit-project", "--no-dev"]
EXTRAS = ["--extra", "models", "--extra", "train", "--extra", "postgresql"]
HEAD = "# Made by `make lock` from uv.lock: the full installation, for pip. Do not change this file by hand.\n"


def exported() -> str:
    """Return the text of requirements.txt."""
    uv = Path(sys.executable).with_name("uv")
    text = subprocess.run([uv, *EXPORT, *EXTRAS], cwd=ROOT, check=True, capture_output=True, text=True).stdout
    builds = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["capscope"]["cpu-builds"]
    lines = []
    for line in text.splitlines():
        lines.append(line)
        hashes = builds.get(line.partition("==")[0], ())
        lines += [f"    --hash={one} \\" for one in hashes]
    return HEAD + "\n".join(lines) + "\n"


if __name__ == "__main__":
    (ROOT / "requirements.txt").write_text(exported())
