"""Neural models and the settings with which they are loaded.

Only this folder and core.training import torch, transformers, ultralytics and spaCy, and here only when a model is
loaded. This file imports none of them.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

from core.captions.ngrams import Corpus
from core.errors import BadSetting
from core.models.checkpoints import Checkpoint

__all__ = ["TIMEOUT_S", "Checkpoint", "Endpoint", "ModelSettings", "check_options", "sound_key"]
TIMEOUT_S = 300.0  # maximum wait for one answer of a server


@dataclass(frozen=True, slots=True)
class Endpoint:
    """A server that runs a model and is reached by OpenAI's chat protocol."""

    url: str  # address of the API: "http://gpu:8000/v1"
    model: str | None = None  # the server's name for the model; None: the only suitable model on the server
    key: str | None = field(default=None, repr=False)  # a bearer token; never printed, stored or signed
    parallel: int = 8  # maximum number of parallel requests
    timeout_s: float = TIMEOUT_S  # maximum wait for one answer in seconds; later answers are discarded

    def __post_init__(self) -> None:
        """Strip white space around the key.

        Raises BadSetting for a key with characters that an HTTP header cannot contain.
        """
        object.__setattr__(self, "key", sound_key(self.key, "A model server's key"))


def sound_key(key: str | None, name: str) -> str | None:
    """Return an access key without white space around it, or None for an empty key.

    name: the setting's name. Raises BadSetting for characters other than printable ASCII. The error's message does not
    contain the key.
    """
    trimmed = (key or "").strip()
    if not trimmed.isascii() or not trimmed.isprintable() or " " in trimmed:
        raise BadSetting(
            f"{name} must be one line of letters, digits and signs, without spaces. Copy the key again. The key is "
            "not shown here."
        )
    return trimmed or None


@dataclass(frozen=True, slots=True)
class ModelSettings:
    """How to load and run a metric's models."""

    model: str | None = None  # hub repository or local folder; None: the metric's default
    adapter: str | None = None  # hub repository or local folder of a LoRA adapter
    endpoint: Endpoint | None = None  # a server used instead of a model on this computer
    device: str = "auto"  # "auto", "cpu", "cuda", "cuda:1" ...
    batch_size: int = 8  # number of samples that the model processes together
    explain: bool = False  # True: request an explanation even if it costs extra
    strict_reference: bool = False  # True: compute like the published code, even where Capscope normally differs
    options: Mapping[str, str] = field(default_factory=dict)  # the metric's own options; key: name
    corpus: Corpus | None = None  # references of the scored data set, for metrics that need them; None: no data set


def check_options(options: Mapping[str, str], known: Collection[str]) -> None:
    """Raise BadSetting for the first unknown option."""
    for name in options:
        if name not in known:
            allowed = (
                f"The metric's options are {', '.join(sorted(known))}." if known else "This metric has no options."
            )
            raise BadSetting(f"There is no option {name!r}. {allowed} `score --help` lists the options of a run.")
