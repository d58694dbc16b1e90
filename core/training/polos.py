"""Train Polos's head on frozen encoders: M²LHF, multimodal metric learning from human feedback.

Wada, Kaneda, Saito and Sugiura, "Polos", CVPR 2024, section 3. Settings are those of section 5.1. Settings that the
paper does not state are those of keio-smilab24/Polos@839d64d, polos-trainer.yaml. Training stops as in the paper:
Kendall's tau decides, with patience 5. `transformers.Trainer` runs the epochs and resumes an interrupted run.
"""

import hashlib
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from scipy.stats import kendalltau

from core.errors import AlreadyExists, BadSetting, NotEnoughSamples
from core.images.pictures import open_rgb
from core.long_work.progress import report
from core.models.device import prepare_torchvision
from core.models.polos import (
    HIDDEN_SIZES,
    PolosEncoder,
    PolosHead,
    feature_vector,
    feature_width,
    fingerprint,
    normalised,
    write_checkpoint,
)
from core.types import Sample

HELD_OUT = 0.1  # share of the pictures that is used for validation if there is no validation file
AT_A_TIME = 64  # number of texts or pictures that are encoded together
FloatArray = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Settings:
    """All settings that change the final weights, except encoders, data and machine."""

    epochs: int = 100  # at most
    batch_size: int = 64  # number of samples per step
    learning_rate: float = 3e-5  # constant learning rate of Adam
    patience: int = 5  # number of epochs without a better tau after which training stops
    hidden_sizes: tuple[int, ...] = HIDDEN_SIZES  # number of units in each hidden layer of the regression
    seed: int = 42


def check_samples(samples: Sequence[Sample], purpose: str) -> None:
    """Raise NotEnoughSamples or BadSetting for samples that Polos cannot learn from."""
    if len(samples) < 2:
        raise NotEnoughSamples(f"{purpose} needs at least two samples, found {len(samples)}")
    for sample in samples:
        if sample.human is None or not 0 <= sample.human <= 1:
            raise BadSetting(f"{purpose} needs human scores from 0 to 1, but {sample.key} has {sample.human}")
        if not sample.references:
            raise BadSetting(f"{purpose} needs references, but {sample.key} has none")
        if sample.image.path is None:
            raise BadSetting(f"{purpose} needs the picture {sample.image.name} of {sample.key}; see --images")


def held_out(samples: Sequence[Sample], seed: int) -> tuple[list[Sample], list[Sample]]:
    """Split samples into training and validation samples. No picture is in both. Raises NotEnoughSamples."""
    pictures = sorted({sample.image.name for sample in samples})
    if len(pictures) < 2:
        raise NotEnoughSamples(f"a validation split needs two pictures, found {len(pictures)}; give a file with --val")
    count = max(1, round(len(pictures) * HELD_OUT))
    chosen = set(np.random.default_rng(seed).choice(pictures, size=count, replace=False).tolist())
    kept = [sample for sample in samples if sample.image.name not in chosen]
    return kept, [sample for sample in samples if sample.image.name in chosen]


class Features:
    """Features of all texts and pictures of a run, in two files read on demand. L layers, width D; CLIP's E."""

    def __init__(self, samples: Sequence[Sample], encoder: PolosEncoder, folder: Path) -> None:
        """Encode texts and pictures, or reuse the files of an earlier run with the same encoders and data."""
        texts = list(dict.fromkeys(text for one in samples for text in (one.candidate, *one.references)))
        pictures = list(dict.fromkeys(one.image.path for one in samples if one.image.path is not None))
        self.text_rows = {text: row for row, text in enumerate(texts)}
        self.picture_rows = {path: row for row, path in enumerate(pictures)}
        self.layers, self.width = encoder.layers, encoder.text_width
        weights = [fingerprint(module.state_dict()) for module in (encoder.roberta, encoder.clip.model)]
        known = "\0".join([*weights, *encoder.tokenizers, *texts, *map(str, pictures)])
        name = hashlib.sha256(known.encode()).hexdigest()[:16]

        def of_texts(some: Sequence[str]) -> torch.Tensor:
            states, clip = zip(*encoder.encode_texts(some), strict=True)
            first = torch.cat([normalised([text]) for text in states]).flatten(start_dim=1)
            return torch.cat([first, torch.stack(clip)], dim=1)

        def of_pictures(some: Sequence[Path]) -> torch.Tensor:
            return encoder.clip.images([open_rgb(path) for path in some])

        self._texts = _stored(folder / f"texts-{name}.npy", texts, of_texts)
        self._pictures = _stored(folder / f"pictures-{name}.npy", pictures, of_pictures)

    def text(self, texts: Sequence[str]) -> tuple[torch.Tensor, torch.Tensor]:
        """Return layer-normalised hidden states [N, L, D] of token 0, and CLIP features [N, E]."""
        rows = torch.from_numpy(np.asarray(self._texts[[self.text_rows[text] for text in texts]]))
        states, clip = rows[:, : self.layers * self.width], rows[:, self.layers * self.width :]
        return states.reshape(len(texts), self.layers, self.width), clip

    def picture(self, paths: Sequence[Path | None]) -> torch.Tensor:
        """Return CLIP features [N, E]."""
        return torch.from_numpy(np.asarray(self._pictures[[self.picture_rows[path] for path in paths if path]]))


def _stored(path: Path, items: Sequence[Any], encode: Callable[[Sequence[Any]], torch.Tensor]) -> FloatArray:
    """Return one row of features per item, from a file that is written first if it is missing."""
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        unfinished, shape = path.with_suffix(".unfinished"), (len(items), encode(items[:1]).shape[1])
        rows = np.lib.format.open_memmap(unfinished, mode="w+", dtype=np.float32, shape=shape)
        for start in range(0, len(items), AT_A_TIME):
            report("Encoding", start, len(items))
            rows[start : start + AT_A_TIME] = encode(items[start : start + AT_A_TIME]).cpu().numpy()
        rows.flush()
        unfinished.rename(path)
    stored: FloatArray = np.load(path, mmap_mode="r")
    return stored


class Trainee(torch.nn.Module):
    """The head, and the loss of the authors' code: the squared error of the best score over the references."""

    def __init__(self, head: PolosHead) -> None:
        super().__init__()
        self.head = head

    def forward(
        self,
        states: torch.Tensor,
        clip: torch.Tensor,
        image: torch.Tensor,
        reference_states: torch.Tensor,
        reference_clip: torch.Tensor,
        owner: torch.Tensor,
        labels: torch.Tensor,
    ) -> dict[str, torch.Tensor]:
        """Return the loss summed over the batch, and each sample's score. owner: the sample of each reference."""
        features = feature_vector(
            self.head.sentences(reference_states), self.head.sentences(states)[owner], image[owner], clip[owner],
            reference_clip,
        )  # fmt: skip
        lowest = torch.zeros(len(labels), device=labels.device)  # a score is a sigmoid's value, so it is above 0
        scores = lowest.scatter_reduce(0, owner, self.head(features), "amax")
        return {"loss": (scores - labels).square().sum(), "scores": scores}


def batch_of(samples: Sequence[Sample], features: Features) -> dict[str, torch.Tensor]:
    """Return samples as the inputs of Trainee."""
    states, clip = features.text([sample.candidate for sample in samples])
    reference_states, reference_clip = features.text([text for sample in samples for text in sample.references])
    return {
        "states": states,
        "clip": clip,
        "image": features.picture([sample.image.path for sample in samples]),
        "reference_states": reference_states,
        "reference_clip": reference_clip,
        "owner": torch.tensor([n for n, sample in enumerate(samples) for _ in sample.references]),
        "labels": torch.tensor([sample.human for sample in samples], dtype=torch.float32),
    }


def tau_c(predicted: Any) -> dict[str, float]:
    """Return Kendall's tau-c as Polaris uses it; -1 if all scores or all human judgements are equal."""
    tau = float(kendalltau(predicted.predictions, predicted.label_ids, variant="c").statistic)
    return {"tau": -1.0 if math.isnan(tau) else tau}


def train_polos(
    samples: Sequence[Sample],
    validation: Sequence[Sample],
    encoder: PolosEncoder,
    settings: Settings,
    to: Path,
) -> dict[str, float]:
    """Train Polos and write the checkpoint `to`. The folder beside it has features and the state of an unfinished run.

    Returns the best tau-c over the validation samples, and the number of epochs. Raises AlreadyExists, BadSetting,
    NotEnoughSamples, BadImage.
    """
    if to.exists():
        raise AlreadyExists(f"{to} already exists; move it away or choose another file with --to")
    check_samples(samples, "training")
    check_samples(validation, "validation")
    prepare_torchvision()
    from transformers import EarlyStoppingCallback, Trainer, TrainingArguments, set_seed

    run = to.with_name(f"{to.name}.run")
    features = Features([*samples, *validation], encoder, run)
    set_seed(settings.seed)
    head = PolosHead(encoder.layers, feature_width(encoder), settings.hidden_sizes)
    arguments = TrainingArguments(
        output_dir=str(run),
        num_train_epochs=settings.epochs,
        per_device_train_batch_size=settings.batch_size,
        per_device_eval_batch_size=settings.batch_size,
        learning_rate=settings.learning_rate,
        lr_scheduler_type="constant",
        weight_decay=0.0,  # AdamW without decay is Adam
        max_grad_norm=0.0,  # gradients are not clipped
        eval_strategy="epoch",
        save_strategy="epoch",
        save_total_limit=2,
        load_best_model_at_end=True,
        metric_for_best_model="tau",
        greater_is_better=True,
        remove_unused_columns=False,
        label_names=["labels"],
        use_cpu=encoder.device.type == "cpu",
        seed=settings.seed,
        report_to=[],
    )
    trainer = Trainer(
        model=Trainee(head),
        args=arguments,
        train_dataset=list(samples),
        eval_dataset=list(validation),
        data_collator=lambda some: batch_of(some, features),
        compute_metrics=tau_c,
        callbacks=[EarlyStoppingCallback(settings.patience)],
    )
    trainer.train(resume_from_checkpoint=any(run.glob("checkpoint-*")))
    write_checkpoint(to, encoder, head)
    return {"tau": trainer.state.best_metric or -1.0, "epochs": float(trainer.state.epoch or 0)}
