"""`import capscope`: the names that notebooks and metrics of other people use."""

import ast
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

import capscope
from core.signature import VERSION

ROOT = Path(__file__).resolve().parents[1]


@pytest.mark.parametrize("name", sorted(capscope._HOMES))
def test_each_public_name_is_that_of_its_module(name: str) -> None:
    home = import_module(capscope._HOMES[name])
    assert getattr(capscope, name) is getattr(home, name)


def test_the_public_names_are_the_same_for_type_checkers_and_at_run_time() -> None:
    tree = ast.parse((ROOT / "capscope" / "__init__.py").read_text())
    (checked,) = (node for node in tree.body if isinstance(node, ast.If))
    imports = [node for node in checked.body if isinstance(node, ast.ImportFrom)]
    typed = {alias.name: (node.module or "") for node in imports for alias in node.names}
    assert typed == capscope._HOMES and {*typed, "__version__"} == set(capscope.__all__)
    assert capscope.__version__ == VERSION


def test_another_name_is_not_there() -> None:
    with pytest.raises(AttributeError, match="module 'capscope' has no attribute 'absent'"):
        capscope.absent  # noqa: B018


def test_the_import_loads_nothing_before_a_name_is_used() -> None:
    code = "import sys, capscope; print(sorted(name for name in sys.modules if name.partition('.')[0] == 'core'))"
    ran = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == "['core', 'core.signature']"
