"""A whole training run: from a base model and a file of conversations to a folder with an adapter.

Until the run is finished, the folder contains checkpoint.pt. After that, the folder contains the files for ``score
EXPERT --adapter``: adapter_config.json and adapter_model.safetensors. It also contains training.json, which describes
the training.
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
from core.models.vlm.llava import LocalVlm, build_vlm
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
    """The base model, data, settings and output folder of a fine-tuning run."""

    base: str  # a LLaVA-1.5 model: name of a repository that is on this computer, or path of a local folder
    data: Path  # JSONL file of conversations
    images: Path  # folder of the conversations' pictures
    to: Path  # folder of the adapter, created if missing
    settings: TrainingSettings = TrainingSettings()
    device: str = "auto"
    checkpoint_every: int = 200  # steps


def fine_tune(run: Run, on_progress: Callable[[Progress], None]) -> None:
    """Train an adapter and write it to its folder. An interrupted run resumes from its checkpoint.

    Raises AlreadyExists if the folder contains a finished adapter. Raises BadFile, BadRow, BadImage or BadSetting for
    errors in data, pictures or settings. Raises ModelUnavailable for missing weights or memory.
    """
    if run.checkpoint_every < 1:
        raise BadSetting(f"--checkpoint-every must be at least 1 step, found {run.checkpoint_every}")
    checkpoint_path = run.to / "checkpoint.pt"
    if (run.to / "adapter_config.json").exists() and not checkpoint_path.exists():
        raise AlreadyExists(
            f"{run.to} contains a finished adapter; choose another folder with --to, or delete the adapter to train "
            "again"
        )
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
    checkpoint.remove()  # removed last, so that a second run can finish the work if this one is killed earlier


def _make_folder(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise BadSetting(f"--to {folder}: Capscope cannot write into this folder ({error.strerror})") from error


def _facts(run: Run, weights: Weights) -> Mapping[str, str]:
    """Return the settings and data of a run, by name.

    An interrupted run can resume only if all of them are the same as before.
    """
    settings = {name.replace("_", " "): str(value) for name, value in asdict(run.settings).items()}
    data = hashlib.sha256(run.data.read_bytes()).hexdigest()[:12]
    return {"base model": f"{weights.name}@{weights.revision}", "data": data, **settings}


def _load(run: Run, weights: Weights) -> Any:
    """Return the base model with its processor.

    Weights are float32 on a CPU and bfloat16 on other devices, as in LLaVA's recipe.
    """
    dtype = "float32" if torch_device(run.device).type == "cpu" else "bfloat16"
    base = build_vlm(weights, None, ModelSettings(device=run.device, options={"dtype": dtype}))
    if not isinstance(base, LocalVlm) or base.facts["template"] != "llava_v1":
        raise BadSetting(f"the model must be LLaVA-1.5, but is {weights.name}; choose another --base")
    if dtype == "bfloat16":
        save_memory(base.model)
    return base
