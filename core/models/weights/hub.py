"""Load published models from the hub's cache on this machine or from a folder, without a download."""

from pathlib import Path
from typing import Any

from core.errors import ModelUnavailable
from core.models.weights.checkpoints import KNOWN


def from_cache(kind: Any, name: str, size: str, revision: str | None = None, **options: Any) -> Any:
    """Load a published model from the hub's cache or from a folder.

    kind: a transformers class. name: a repository, repository@commit, or a folder. size: the size of the download, for
    messages. revision: a commit of the repository; None: the commit that Capscope usually uses.

    Raises ModelUnavailable with the command to run if the model is missing.
    """
    from safetensors import SafetensorError

    name, _, commit = (name, "", "") if Path(name).is_dir() else name.partition("@")
    known = KNOWN.get(name)
    revision = revision or commit or (known.revision if known else None)
    try:
        return kind.from_pretrained(name, revision=revision or "main", local_files_only=True, **options)
    except SafetensorError as error:
        raise ModelUnavailable(
            f"{name} ({size}): the weights are incomplete ({error}). Download them again."
        ) from error
    except (OSError, ValueError) as error:
        if Path(name).is_dir():
            raise ModelUnavailable(f"{name}: this folder contains no model of type {kind.__name__}.") from error
        pinned = f" --revision {revision}" if revision else ""
        raise ModelUnavailable(f"{name} ({size}) is not on this machine; run: hf download {name}{pinned}") from error


def model_from_cache(kind: Any, name: str, size: str, **options: Any) -> Any:
    """Load a complete model from the hub's cache or from a folder.

    Raises ModelUnavailable if `name` is another kind of model or lacks weights. Without this check, transformers would
    use random numbers for missing weights.
    """
    from transformers import AutoConfig
    from transformers.utils import logging

    expected, model_type = kind.config_class.model_type, from_cache(AutoConfig, name, size).model_type
    if model_type != expected:
        raise ModelUnavailable(f"{name}: the model must be of type {expected}, but is {model_type}")
    verbosity = logging.get_verbosity()
    logging.set_verbosity_error()  # unused weights, such as a pooler or a language head, need no warning
    try:
        model, loaded = from_cache(kind, name, size, output_loading_info=True, **options)
    finally:
        logging.set_verbosity(verbosity)
    missing = sorted(loaded["missing_keys"])
    if missing:
        raise ModelUnavailable(f"{name}: {len(missing)} weights are missing, such as {missing[0]}; get it again")
    return model
