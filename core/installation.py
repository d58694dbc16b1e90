"""How this copy of Capscope is installed: as a package, or as a clone of the repository.

A clone is started with `python app.py`. In a package, all modules are below `capscope`, because `hatch_build.py` puts
them there. So a module's own name shows which of the two it is.
"""

from pathlib import Path
from typing import Literal

IS_INSTALLED = __name__.startswith("capscope.")
COMMAND = "capscope" if IS_INSTALLED else "python app.py"  # the command that a user types
# Python imports our modules from here: the clone, or the folder of installed packages.
IMPORT_ROOT = Path(__file__).resolve().parents[__name__.count(".")]
DOCUMENTATION = (
    Path(__file__).resolve().parents[1] / "docs"
)  # in a wheel, the folder docs is next to core; in the Docker image, it contains only the glossary

Extra = Literal["models", "scale", "train"]  # groups of packages in pyproject.toml
_FILES: dict[Extra, str] = {
    "models": "requirements.txt",
    "scale": "requirements-scale.txt",
    "train": "requirements-train.txt",
}
_MODELS = (
    "accelerate huggingface_hub safetensors spacy threadpoolctl tokenizers torch torchvision ultralytics transformers"
)
_EXTRAS: dict[str, Extra] = {**dict.fromkeys(_MODELS.split(), "models"), "peft": "train", "ray": "scale"}  # by module


def install_command(extra: Extra, is_installed: bool = IS_INSTALLED) -> str:
    """Return the command that installs the packages of an extra (optional group of packages)."""
    if is_installed:
        return f"pip install '.[{extra}]' in the folder of Capscope's source code"
    return f"python install.py {_FILES[extra]}"


def missing_package(module: str | None, is_installed: bool = IS_INSTALLED) -> str | None:
    """Return how to install a missing module; None if no extra (optional group of packages) contains it.

    module: from `ModuleNotFoundError.name`, such as "torch.nn".
    """
    package = (module or "").partition(".")[0]
    extra = _EXTRAS.get(package)
    if extra is None:
        return None
    return f"The package {package} is not installed. Install it: {install_command(extra, is_installed)}"
