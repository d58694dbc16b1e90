"""Published models from the hub's cache on this machine, or from a folder. Nothing is downloaded."""

from pathlib import Path
from typing import Any

from core.errors import ModelUnavailable
from core.models.weights.checkpoints import pinned_revision


def from_cache(kind: Any, name: str, size: str, revision: str | None = None, **options: Any) -> Any:
    """Return kind (a transformers class) loaded from name, a repository or a folder; size is what a download takes.

    revision: of the repository, where it is another than the one that we know it by.

    Raises ModelUnavailable, saying what to run, where it is not here.
    """
    from safetensors import SafetensorError

    revision = revision or pinned_revision(name)
    try:
        return kind.from_pretrained(name, revision=revision or "main", local_files_only=True, **options)
    except SafetensorError as error:
        raise ModelUnavailable(f"{name} ({size}): its weights are not whole ({error}); get them again") from error
    except (OSError, ValueError) as error:
        if Path(name).is_dir():
            raise ModelUnavailable(f"{name}: this folder holds no such model ({kind.__name__}).") from error
        pinned = f" --revision {revision}" if revision else ""
        raise ModelUnavailable(f"{name} ({size}) is not on this machine; run: hf download {name}{pinned}") from error


def model_from_cache(kind: Any, name: str, size: str, **options: Any) -> Any:
    """Return a whole model. Raises ModelUnavailable as well where name holds another model or lacks weights.

    transformers would go on with random weights in their place.
    """
    from transformers import AutoConfig
    from transformers.utils import logging

    expected, found = kind.config_class.model_type, from_cache(AutoConfig, name, size).model_type
    if found != expected:
        raise ModelUnavailable(f"{name}: expected a model of type {expected}, found {found}")
    verbosity = logging.get_verbosity()
    logging.set_verbosity_error()  # weights beyond those asked for (a pooler, a language head) need no table
    try:
        model, loaded = from_cache(kind, name, size, output_loading_info=True, **options)
    finally:
        logging.set_verbosity(verbosity)
    missing = sorted(loaded["missing_keys"])
    if missing:
        raise ModelUnavailable(f"{name}: {len(missing)} weights are missing, such as {missing[0]}; get it again")
    return model
