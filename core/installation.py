"""How this copy of Capscope is installed: as a package, or as a clone of the repository."""

from pathlib import Path
from typing import Literal

IMPORT_ROOT = Path(__file__).resolve().parents[1]  # Python imports our modules from here
IS_INSTALLED = not (IMPORT_ROOT / "pyproject.toml").is_file()
COMMAND = "capscope" if IS_INSTALLED else "python app.py"  # the command that a user types
DOCUMENTATION = IMPORT_ROOT / ("capscope/docs" if IS_INSTALLED else "docs")

Extra = Literal["models", "scale", "train", "postgresql"]  # groups of packages in pyproject.toml
_EXTRAS: dict[str, Extra] = {  # by module
    **dict.fromkeys(
        ("accelerate", "huggingface_hub", "peft", "torch", "torchvision", "transformers", "ultralytics"), "models"
    ),
    "ray": "scale",
    "psycopg": "postgresql",
}


def install_command(extra: Extra) -> str:
    """Return the command that installs the packages of an extra (optional group of packages)."""
    return f"pip install '.[{extra}]' in the folder of Capscope's source code"


def missing_package(module: str | None) -> str | None:
    """Return how to install a missing module; None if no extra (optional group of packages) contains it.

    module: from `ModuleNotFoundError.name`, such as "torch.nn".
    """
    package = (module or "").partition(".")[0]
    extra = _EXTRAS.get(package)
    return extra and f"The package {package} is not installed. Install it: {install_command(extra)}"
