"""A training run as a whole: from a base model and a file of conversations to an adapter's folder.

The folder holds checkpoint.pt while the run is not done, and then what ``score EXPERT --adapter`` loads:
adapter_config.json, adapter_model.safetensors and, for people, training.json.
"""

import hashlib
import json
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from core.errors import AlreadyExists, BadSetting
from core.models import ModelSettings
from core.models.runtime.device import torch_device
from core.models.vlm.engine import build_vlm
from core.models.vlm.llava import LlavaVlm
from core.models.weights.availability import Weights, find_weights
from core.signature import VERSION
from core.training.checkpoint import CheckpointFile
from core.training.expert.adapter import save_adapter, save_memory, with_lora
from core.training.expert.batches import Lessons
from core.training.expert.files import find_pictures, read_jsonl
from core.training.expert.loop import TrainingSet, train
from core.training.expert.plan import Progress, TrainingSettings


@dataclass(frozen=True, slots=True)
class Run:
    """What to fine-tune on what, and where the adapter goes."""

    base: str  # hub repository that is on this computer, or local folder, of a LLaVA-1.5
    data: Path  # JSONL of conversations
    images: Path  # folder of their pictures
    to: Path  # folder of the adapter, made if need be
    settings: TrainingSettings = TrainingSettings()
    device: str = "auto"
    checkpoint_every: int = 200  # steps


def fine_tune(run: Run, on_progress: Callable[[Progress], None]) -> None:
    """Train an adapter and write it to its folder, going on from the checkpoint there if a run was cut short.

    Raises AlreadyExists where the folder holds a finished adapter, BadFile, BadRow, BadImage or BadSetting for what
    is wrong with data, pictures or settings, ModelUnavailable where weights or memory are missing.
    """
    if run.checkpoint_every < 1:
        raise BadSetting(f"--checkpoint-every: expected 1 step or more, found {run.checkpoint_every}")
    checkpoint_path = run.to / "checkpoint.pt"
    if (run.to / "adapter_config.json").exists() and not checkpoint_path.exists():
        raise AlreadyExists(f"{run.to} holds a finished adapter; choose another --to, or delete it to train anew")
    _make_folder(run.to)
    conversations = read_jsonl(run.data)
    pictures = find_pictures(conversations, run.images)
    weights = find_weights(run.base, "EXPERT", "--base")
    facts = _facts(run, weights)
    base = _load(run, weights)
    lora = with_lora(base.model, run.settings)
    course = TrainingSet(len(conversations), Lessons(lora, base.processor, conversations, pictures).batch)
    checkpoint = CheckpointFile(checkpoint_path, facts)
    train(lora, course, run.settings, checkpoint, on_progress, run.checkpoint_every)
    save_adapter(lora, run.to, weights.name)
    (run.to / "training.json").write_text(json.dumps({**facts, "capscope": VERSION}, indent=2) + "\n")
    checkpoint.remove()  # last: a kill before this line is made good by running again


def _make_folder(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise BadSetting(f"--to {folder}: expected a folder to write into ({error.strerror})") from error


def _facts(run: Run, weights: Weights) -> Mapping[str, str]:
    """Return what two runs must have in common for one to go on where the other was cut short."""
    settings = {name.replace("_", " "): str(value) for name, value in asdict(run.settings).items()}
    data = hashlib.sha256(run.data.read_bytes()).hexdigest()[:12]
    return {"base model": f"{weights.name}@{weights.revision}", "data": data, **settings}


def _load(run: Run, weights: Weights) -> Any:
    """Return the base model with its processor: float32 on a CPU, bfloat16 elsewhere, as LLaVA's recipe."""
    dtype = "float32" if torch_device(run.device).type == "cpu" else "bfloat16"
    base = build_vlm(weights, None, ModelSettings(device=run.device, options={"dtype": dtype}))
    if not isinstance(base, LlavaVlm):
        raise BadSetting(f"expected a LLaVA-1.5 model to fine-tune, found {weights.name}; choose another --base")
    if dtype == "bfloat16":
        save_memory(base.model)
    return base
