"""Which weights are on this computer, and how to get those that are not. Nothing is downloaded here unless asked."""

from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from core.errors import ModelUnavailable
from core.models import Checkpoint
from core.models.vlm import PINNED

INDEXES = ("model.safetensors.index.json", "pytorch_model.bin.index.json")
SKIPPED = ["*.gguf", "*.onnx", "*.msgpack", "*.h5", "original/*"]  # other formats of the same weights
FINGERPRINT_BLOCKS = 64  # blocks of a large file that are read for its fingerprint
BLOCK = 65536  # bytes


@dataclass(frozen=True, slots=True)
class Weights:
    """A model on this computer."""

    folder: Path
    name: str  # hub repository, or the folder's name
    revision: str  # the commit, or a fingerprint of the folder's files


@dataclass(frozen=True, slots=True)
class Availability:
    """Whether a metric's weights are here; what `models` lists."""

    metric: str
    checkpoint: Checkpoint
    folder: Path | None  # None: missing

    @property
    def present(self) -> bool:
        """Whether the weights can be loaded without a download."""
        return self.folder is not None


def pinned(model: str) -> Checkpoint:
    """Return what is known of a hub repository; for an unknown one its newest revision, of unknown size."""
    return PINNED.get(model, Checkpoint("model given by --model", model, "main", 0.0, "see its page"))


def availability(metric: str, checkpoints: tuple[Checkpoint, ...]) -> Iterator[Availability]:
    """Yield for each of a metric's checkpoints whether it is here."""
    for checkpoint in checkpoints:
        yield Availability(metric, checkpoint, cached_folder(checkpoint))


def find_weights(model: str, how: str) -> Weights:
    """Return a local folder, or a hub repository that was downloaded before.

    how: the command that fetches it. Raises ModelUnavailable.
    """
    folder = Path(model).expanduser()
    if folder.is_dir():
        return Weights(folder, folder.resolve().name, fingerprint(folder))
    if looks_like_folder(model):
        raise ModelUnavailable(f"Expected a model's folder at {model}, found none.")
    checkpoint = pinned(model)
    cached = cached_folder(checkpoint)
    if cached is None:
        raise ModelUnavailable(f"{model} is not on this computer; run: {how}{size_text(checkpoint)}.")
    return Weights(cached, model, cached.name)


def fetch(checkpoint: Checkpoint) -> Path:
    """Download a hub repository into the hub's cache; goes on where it was interrupted. Raises ModelUnavailable."""
    from huggingface_hub import snapshot_download
    from huggingface_hub.errors import HfHubHTTPError, HFValidationError, LocalEntryNotFoundError, OfflineModeIsEnabled

    try:
        return Path(snapshot_download(checkpoint.repo, revision=checkpoint.revision, ignore_patterns=SKIPPED))
    except HFValidationError as error:
        raise ModelUnavailable(f"Expected a hub repository such as {PINNED_EXAMPLE}, found {checkpoint.repo!r}.") from error
    except (HfHubHTTPError, LocalEntryNotFoundError, OfflineModeIsEnabled, OSError) as error:
        reason = str(error).strip().splitlines()[0] if str(error).strip() else type(error).__name__
        raise ModelUnavailable(f"{checkpoint.repo} could not be downloaded{size_text(checkpoint)}: {reason}") from error
