"""Train Polos's head on frozen encoders.

Features are computed once. Then epochs of Adam follow, until Kendall's tau on the validation samples stops rising. The
scalar mix and the regression are trained. The loss is that of the authors' code: the squared error of the best score
over the references, summed over the batch. A checkpoint is written after every epoch. So a resumed run ends with the
same weights as an uninterrupted run.
"""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch

from core.errors import AlreadyExists
from core.models.polos.checkpoint import State, write_checkpoint
from core.models.polos.encoder import PolosEncoder
from core.models.polos.load import state_of
from core.models.polos.model import CLIP_PARTS, TEXT_PARTS, PolosHead, feature_width
from core.training.checkpoint import DAMAGE, CheckpointFile
from core.training.polos.plan import (
    Epoch,
    FloatArray,
    OnProgress,
    Progress,
    TrainingSettings,
    best_epoch,
    check_samples,
    epoch_order,
    epoch_seed,
    is_over,
    tau_c,
)
from core.training.polos.samples import TrainingSet, encoder_identity, make_training_sets
from core.types import Sample


@dataclass(frozen=True, slots=True)
class TrainingFiles:
    """The paths of the files that a training run writes."""

    checkpoint: Path  # file of the finished model, for Polos's option --model
    features: Path  # folder of features, 40 kB per distinct text with a full-size encoder; several runs may share it

    @property
    def run(self) -> Path:
        """The path of the checkpoint from which the run resumes. It is beside the model, and is deleted at the end."""
        return self.checkpoint.with_name(f"{self.checkpoint.name}.run")


@dataclass(frozen=True, slots=True, eq=False)
class Standing:
    """The state of a training run: its epochs so far, and the best weights."""

    history: tuple[Epoch, ...]
    best: State  # the head's weights after its best epoch


@dataclass(frozen=True, slots=True)
class TrainingResult:
    """The result of a finished training run."""

    epochs: int  # number of trained epochs
    best: int | None  # best epoch (from 1), whose weights are kept; None: tau undefined, last epoch's weights are kept
    tau: float | None  # Kendall's tau-c of the best epoch over the validation samples, [-1, 1]


def train_polos(
    samples: Sequence[Sample],
    validation: Sequence[Sample],
    encoder: PolosEncoder,
    settings: TrainingSettings,
    files: TrainingFiles,
    on_progress: OnProgress,
) -> TrainingResult:
    """Train Polos and write the checkpoint. An interrupted run is resumed.

    Raises AlreadyExists for an existing checkpoint, and BadImage. Raises BadSetting or NotEnoughSamples for samples
    that cannot be used, or for an interrupted run with other settings.
    """
    if files.checkpoint.exists():
        raise AlreadyExists(f"{files.checkpoint} already exists; move it away or choose another folder with --to")
    check_samples(samples, "training")
    check_samples(validation, "validation")
    run = CheckpointFile(files.run, _identity_of_run(samples, validation, encoder, settings))
    head, optimizer = _fresh(encoder, settings)
    standing = _go_on(run, head, optimizer)
    learning, judging = make_training_sets([samples, validation], encoder, files.features, on_progress)
    while not is_over(standing.history, settings):
        epoch = _epoch(head, optimizer, learning, judging, settings, len(standing.history), on_progress)
        standing = _with(standing, epoch, head)
        run.save(_content(standing, head, optimizer))
        on_progress(Progress("epochs trained", len(standing.history), settings.epochs, epoch.loss, epoch.tau))
    head.load_state_dict(dict(standing.best))
    write_checkpoint(files.checkpoint, state_of(encoder, head))
    run.remove()
    best = best_epoch(standing.history)
    tau = None if best is None else standing.history[best].tau
    return TrainingResult(len(standing.history), None if best is None else best + 1, tau)


def _content(standing: Standing, head: PolosHead, optimizer: torch.optim.Optimizer) -> dict[str, object]:
    return {
        "history": [(epoch.loss, epoch.tau) for epoch in standing.history],
        "best": dict(standing.best),
        "head": head.state_dict(),
        "optimizer": optimizer.state_dict(),
    }


def _go_on(run: CheckpointFile, head: PolosHead, optimizer: torch.optim.Optimizer) -> Standing:
    """Restore head and optimizer from the checkpoint, and return the run's state.

    If there is no checkpoint, returns the state of a new run.
    """
    content = run.load()
    if content is None:
        return Standing((), {})
    try:
        head.load_state_dict(content["head"])
        optimizer.load_state_dict(content["optimizer"])
        return Standing(tuple(Epoch(*numbers) for numbers in content["history"]), content["best"])
    except DAMAGE as error:
        raise run.damaged() from error


def predict(head: PolosHead, course: TrainingSet, batch_size: int) -> FloatArray:
    """Return the scores [N] in [0, 1] of all samples of a training set."""
    head.eval()
    numbers = np.arange(len(course.candidates))
    batches = [numbers[at : at + batch_size] for at in range(0, len(numbers), batch_size)]
    with torch.inference_mode():
        scores: FloatArray = torch.cat([course.scores(head, batch) for batch in batches]).cpu().numpy()
    return scores


def _fresh(encoder: PolosEncoder, settings: TrainingSettings) -> tuple[PolosHead, torch.optim.Optimizer]:
    with torch.random.fork_rng():
        torch.manual_seed(settings.seed)
        head = PolosHead(encoder.layers, feature_width(encoder), settings.hidden_sizes).to(encoder.device)
    _remove(head, encoder, settings.removed)
    return head, torch.optim.Adam(head.parameters(), lr=settings.learning_rate)


def _remove(head: PolosHead, encoder: PolosEncoder, removed: Sequence[int]) -> None:
    """Remove some parts of the feature vector from the model: the weights of these parts in the first layer stay zero.

    This holds in training and in the checkpoint. So the result is a Polos model without these parts, and is loaded like
    every other Polos model.
    """
    if not removed:
        return
    widths = [encoder.text_width] * TEXT_PARTS + [encoder.clip_width] * CLIP_PARTS
    kept = torch.cat([torch.full((width,), float(place not in removed)) for place, width in enumerate(widths)])
    weight = head.first_weight
    kept = kept.to(weight.device)
    with torch.no_grad():
        weight.mul_(kept)
    weight.register_hook(kept.mul)  # type: ignore[no-untyped-call]  # without a gradient, Adam changes nothing


def _epoch(
    head: PolosHead,
    optimizer: torch.optim.Optimizer,
    learning: TrainingSet,
    judging: TrainingSet,
    settings: TrainingSettings,
    number: int,
    on_progress: OnProgress,
) -> Epoch:
    order = epoch_order(len(learning.candidates), number, settings.seed)
    human = torch.from_numpy(learning.human).to(learning.tables.device)
    head.train()
    total = 0.0
    with torch.random.fork_rng():  # keeps the caller's random state unchanged
        torch.manual_seed(epoch_seed(number, settings.seed))
        for at in range(0, len(order), settings.batch_size):
            chosen = order[at : at + settings.batch_size]
            loss = (learning.scores(head, chosen) - human[chosen]).square().sum()
            optimizer.zero_grad()
            torch.autograd.backward(loss)
            optimizer.step()
            total += loss.item()
            on_progress(Progress("samples learned", at + len(chosen), len(order)))
    return Epoch(total / len(order), tau_c(predict(head, judging, settings.batch_size), judging.human))


def _with(standing: Standing, epoch: Epoch, head: PolosHead) -> Standing:
    """Return the run's state with another finished epoch.

    The epoch's weights become the best weights if its tau is higher than before, or if no epoch has a tau.
    """
    history = (*standing.history, epoch)
    if best_epoch(history) not in (None, len(history) - 1):
        return Standing(history, standing.best)
    now: State = {key: tensor.detach().cpu().clone() for key, tensor in head.state_dict().items()}
    return Standing(history, now)


def _identity_of_run(
    samples: Sequence[Sample], validation: Sequence[Sample], encoder: PolosEncoder, settings: TrainingSettings
) -> dict[str, str]:
    """Return the settings and data that identify a run, by name.

    An interrupted run can resume only if all of them are the same as before. The number of epochs and the patience are
    not included. So a resumed run may have more epochs or a higher patience.
    """
    return {
        "encoders": encoder_identity(encoder),
        "training data": _checksum(samples),
        "validation data": _checksum(validation),
        "batch size": str(settings.batch_size),
        "learning rate": str(settings.learning_rate),
        "hidden sizes": str(settings.hidden_sizes),
        "seed": str(settings.seed),
    } | ({"without": ", ".join(settings.without)} if settings.without else {})


def _checksum(samples: Sequence[Sample]) -> str:
    digest = hashlib.sha256()
    for sample in samples:
        digest.update(repr((sample.image.name, sample.candidate, sample.references, sample.human)).encode())
    return digest.hexdigest()[:12]
