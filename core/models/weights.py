"""Find, download and read weights. Only `fetch` downloads."""

import hashlib
import pickle
import struct
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from core.errors import FetchFailed, ModelUnavailable
from core.models.checkpoints import KNOWN, Checkpoint, fetch_command, hub_address, known_checkpoint
from core.models.device import disable_telemetry, loading
from core.network import Downloads

if TYPE_CHECKING:
    import torch

    State = Mapping[str, torch.Tensor]

SKIPPED = ["*.gguf", "*.onnx", "*.msgpack", "*.h5", "original/*"]  # not downloaded: other formats of the same weights
PYTORCH = (b"PK", b"\x80\x02")  # the first bytes of PyTorch's files
SAMPLED_BLOCKS, BLOCK = 64, 65_536  # number of blocks of a file from which its fingerprint is computed, and their bytes
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

    @property
    def signed(self) -> str:
        """The name with the first 12 digits of the revision, for signatures."""
        return f"{self.name}@{self.revision[:12]}"


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
    cached = checkpoint.folder()
    if cached is None:
        how = fetch_command(metric, None if model in KNOWN else model)
        raise ModelUnavailable(f"{model} is not on this computer. Download it ({checkpoint.size}): {how}")
    return Weights(cached, checkpoint.repo, cached.name)


def fetch(checkpoint: Checkpoint) -> Path:
    """Download a hub repository into the hub's cache, or a file into WEIGHTS_FOLDER. Raises ModelUnavailable."""
    disable_telemetry()
    import httpx2
    from huggingface_hub import get_session, snapshot_download
    from huggingface_hub.errors import HFValidationError

    try:
        if not checkpoint.is_on_hub:
            return fetch_file(checkpoint)
        get_session().head(hub_address(), timeout=10.0)  # without a network, snapshot_download tries for half a minute
        return Path(snapshot_download(checkpoint.repo, revision=checkpoint.revision, ignore_patterns=SKIPPED))
    except (HFValidationError, OSError, httpx2.HTTPError, FetchFailed) as error:
        reason = " ".join(str(error).split())[:300].rstrip(".")
        by_hand = f"download {checkpoint.page} on another computer, and put {checkpoint.repo} at {checkpoint.file}"
        if checkpoint.is_on_hub:
            folder = f"~/.cache/huggingface/hub/models--{checkpoint.repo.replace('/', '--')}"
            by_hand = f"fetch {checkpoint.page} on another computer, and copy {folder} from there"
        raise ModelUnavailable(
            f"{checkpoint.repo} ({checkpoint.size}) could not be downloaded: {reason}. Without a network, {by_hand}."
        ) from error


def fetch_file(checkpoint: Checkpoint) -> Path:
    """Download a file, or the ZIP file that contains it, into WEIGHTS_FOLDER. Raises FetchFailed, OSError."""
    from core.network.download import PublishedFile, client_for, download

    address, target = checkpoint.address, checkpoint.file
    target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    with TemporaryDirectory(dir=target.parent) as folder, client_for(Downloads(), address, True) as client:
        arrived = Path(folder) / target.name
        most = int(2e9 * checkpoint.size_gb)  # size_gb is rounded, and a ZIP file may contain more than the weights
        download(client, address, arrived, PublishedFile(target.name, most=most))
        try:
            if address.endswith(".zip"):
                with zipfile.ZipFile(arrived) as packed:
                    inside = next(name for name in packed.namelist() if PurePosixPath(name).name == target.name)
                    arrived = Path(packed.extract(inside, folder))
        except (zipfile.BadZipFile, StopIteration) as error:
            raise FetchFailed(f"{address} is no ZIP file with {target.name}.") from error
        with arrived.open("rb") as file:
            if file.read(2) not in PYTORCH:
                raise FetchFailed(f"{address} is no file of weights. Is it a page of a proxy?")
        arrived.replace(target)
    return target.parent


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


def pretrained(kind: Any, weights: Weights, **options: Any) -> Any:
    """Load a tokenizer, a processor or a complete model from a folder. Raises ModelUnavailable.

    kind: a class of transformers. A model of another type is refused, and so is one that lacks weights, because
    transformers would fill them with random numbers.
    """
    with loading(weights.name, weights.folder):
        if not hasattr(kind, "config_class"):
            return kind.from_pretrained(weights.folder, local_files_only=True, **options)
        from transformers import AutoConfig
        from transformers.utils import logging

        expected = kind.config_class.model_type
        found = AutoConfig.from_pretrained(weights.folder, local_files_only=True).model_type
        if found != expected:
            raise ModelUnavailable(f"{weights.name} must be a model of type {expected}, but is {found}.")
        logging.set_verbosity_error()  # unused weights, such as a pooler, need no warning
        model, loaded = kind.from_pretrained(weights.folder, local_files_only=True, output_loading_info=True, **options)
        if missing := sorted(loaded["missing_keys"]):
            raise ModelUnavailable(f"{weights.name}: {len(missing)} weights are missing, such as {missing[0]}.")
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
        if path.suffix == ".safetensors":
            return load_file(path)
        return torch.load(path, map_location="cpu", weights_only=True)
    except (SafetensorError, *BROKEN) as error:
        raise ModelUnavailable(f"{path.name}: the file is damaged or would run code, so it is not read") from error


def weights_name(path: Path) -> str:
    """Return a name of a file of weights for signatures: its stem, "@", and 12 digits of the file's sha256."""
    with path.open("rb") as file:
        return f"{path.stem}@{hashlib.file_digest(file, 'sha256').hexdigest()[:12]}"
