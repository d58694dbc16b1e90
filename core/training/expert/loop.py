"""The training loop: gradient accumulation, AdamW, regular checkpoints, and progress reports.

This is a plain loop without a trainer class. Every step's samples, learning rate and dropout depend only on the step's
number (core.training.expert.plan). So a resumed run gives the same result as an uninterrupted run, and needs no other
saved state.
"""

import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import torch

from core.errors import BadSetting, ModelUnavailable
from core.models.runtime.memory import ALLOCATION_FAILED
from core.training.checkpoint import DAMAGE, CheckpointFile
from core.training.expert.plan import Progress, TrainingSettings, batch_of, learning_rate_of, seed_of, step_count
from core.training.expert.tokens import IGNORED

Batch = dict[str, torch.Tensor]  # the model's inputs, with labels int64 [samples, tokens]


@dataclass(frozen=True, slots=True)
class TrainingSet:
    """Numbered training samples, which form batches only when a step needs them."""

    samples: int
    batch: Callable[[Sequence[int]], Batch]  # takes the samples' numbers; returns their batch on the model's device


def train(
    model: torch.nn.Module,
    course: TrainingSet,
    settings: TrainingSettings,
    checkpoint: CheckpointFile,
    on_progress: Callable[[Progress], None],
    checkpoint_every: int = 200,
    clock: Callable[[], float] = time.monotonic,
) -> None:
    """Train the model's trainable parameters in place, and resume from an existing checkpoint.

    Calls on_progress after every step. Raises BadSetting if the loss is infinite or undefined, and ModelUnavailable if
    there is not enough memory. In both cases the last checkpoint is kept.
    """
    optimizer = torch.optim.AdamW(
        trained(model).values(), lr=settings.learning_rate, weight_decay=settings.weight_decay
    )
    steps, begun_at = step_count(course.samples, settings), _go_on(checkpoint, model, optimizer)
    began = clock()
    model.train()
    for step in range(begun_at, steps):
        rate = learning_rate_of(step, steps, settings)
        loss = _step(model, optimizer, course, settings, step, rate)
        done = step + 1
        if done % checkpoint_every == 0 or done == steps:
            weights = {name: weight.detach() for name, weight in trained(model).items()}
            checkpoint.save({"steps_done": done, "weights": weights, "optimizer": optimizer.state_dict()})
        pace = (clock() - began) / (done - begun_at)
        on_progress(Progress(done, steps, loss, rate, seconds_left=pace * (steps - done)))
    model.eval()


def trained(model: torch.nn.Module) -> dict[str, torch.nn.Parameter]:
    """Return the trainable parameters by name."""
    return {name: weight for name, weight in model.named_parameters() if weight.requires_grad}


def _go_on(checkpoint: CheckpointFile, model: torch.nn.Module, optimizer: torch.optim.Optimizer) -> int:
    """Restore weights and optimizer from the checkpoint, and return how many steps are finished.

    Returns 0 if there is no checkpoint.
    """
    content = checkpoint.load()
    if content is None:
        return 0
    weights = trained(model)
    try:
        with torch.no_grad():
            for name, saved in content["weights"].items():
                weights[name].copy_(saved)
        optimizer.load_state_dict(content["optimizer"])
        return int(content["steps_done"])
    except DAMAGE as error:
        raise checkpoint.damaged() from error


def _step(
    model: torch.nn.Module,
    optimizer: torch.optim.Optimizer,
    course: TrainingSet,
    settings: TrainingSettings,
    step: int,
    rate: float,
) -> float:
    """Train on one batch with the given learning rate, and return the mean loss per answer token."""
    torch.manual_seed(seed_of(step, settings))
    chosen = batch_of(step, course.samples, settings)
    size = settings.micro_batch_size
    try:
        loss = _gradients(model, [course.batch(chosen[at : at + size]) for at in range(0, len(chosen), size)])
    except RuntimeError as error:
        if not isinstance(error, torch.OutOfMemoryError) and ALLOCATION_FAILED not in str(error):
            raise
        raise ModelUnavailable(
            "the memory is not sufficient for training; run again with a smaller --micro-batch, another --device or "
            "a smaller --base, such as llava-hf/llava-1.5-7b-hf"
        ) from error
    if not math.isfinite(loss):
        raise BadSetting(f"the loss of step {step + 1} is {loss}; use a smaller --learning-rate")
    torch.nn.utils.clip_grad_norm_(trained(model).values(), settings.max_gradient_norm)
    for group in optimizer.param_groups:
        group["lr"] = rate
    optimizer.step()
    optimizer.zero_grad()
    return loss


def _gradients(model: torch.nn.Module, parts: Sequence[Batch]) -> float:
    """Compute the gradients of the mean loss, and return the mean loss.

    Each parameter's gradient is added to its field `grad`. The mean is over all answer tokens. parts: the batch in
    parts that fit into memory. The summed losses are divided by the number of answer tokens of the whole batch. So the
    result does not depend on how the batch is divided.
    """
    tokens = sum((part["labels"][:, 1:] != IGNORED).sum() for part in parts)
    loss = 0.0
    for part in parts:
        pixels = part["pixel_values"]  # pixels and frozen weights share the number format that decides about autocast
        with torch.autocast(pixels.device.type, torch.bfloat16, enabled=pixels.dtype != torch.float32):
            share = model(**part, num_items_in_batch=tokens, use_cache=False).loss
        share.backward()
        loss += share.item()
    return loss
