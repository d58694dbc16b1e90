"""EXPERT's fine-tuning plan: the settings, and the samples and learning rate of each step.

Settings are those of EXPERT (Findings of ACL 2025), Appendix F. Settings that the paper does not state follow LLaVA
1.5's LoRA recipe (scripts/v1_5/finetune_task_lora.sh and its trainer's defaults). The samples, learning rate and random
seed of a step depend only on the settings and the step's number. So a run can resume at any step.
"""

import math
import random
from dataclasses import dataclass

from core.errors import BadSetting


@dataclass(frozen=True, slots=True)
class TrainingSettings:
    """All settings that change the final weights, except base model, data and machine."""

    rank: int = 128  # rank of the LoRA matrices
    alpha: int = 256  # LoRA updates are scaled by alpha / rank
    dropout: float = 0.05  # dropout of the LoRA layers' inputs, [0, 1); as in LLaVA
    projector: bool = True  # True: also train the projector in full, like LLaVA and the published adapter
    epochs: int = 1
    batch_size: int = 8  # number of samples per step
    micro_batch_size: int = 1  # number of samples per forward pass; other values change the weights only by rounding
    learning_rate: float = 2e-5  # highest learning rate, > 0
    weight_decay: float = 0.0
    warmup: float = 0.03  # share of the steps in which the learning rate rises, [0, 1]
    max_gradient_norm: float = 1.0  # longer gradients are scaled down to this length, as in LLaVA's trainer
    seed: int = 0

    def __post_init__(self) -> None:
        """Raise BadSetting for the first setting out of range."""
        for name in ("rank", "alpha", "epochs", "batch_size", "micro_batch_size"):
            _expect(name, getattr(self, name), getattr(self, name) >= 1, "1 or more")
        _expect("dropout", self.dropout, 0 <= self.dropout < 1, "at least 0 and below 1")
        _expect("warmup", self.warmup, 0 <= self.warmup <= 1, "from 0 to 1")
        for name in ("learning_rate", "max_gradient_norm"):
            _expect(name, getattr(self, name), 0 < getattr(self, name) < math.inf, "above 0")
        _expect("weight_decay", self.weight_decay, 0 <= self.weight_decay < math.inf, "0 or more")
        _expect("seed", self.seed, 0 <= self.seed < 2**32, "from 0 to 4294967295")


@dataclass(frozen=True, slots=True)
class Progress:
    """The state of a training run after a step."""

    step: int  # number of finished steps, from 1 to `steps`
    steps: int
    loss: float  # mean negative log-likelihood per answer token in this step, nats
    learning_rate: float  # learning rate of this step
    seconds_left: float  # estimate from the pace since this run started or resumed


def step_count(samples: int, settings: TrainingSettings) -> int:
    """Return the number of steps of all epochs. The last step of an epoch may have fewer samples."""
    return settings.epochs * math.ceil(samples / settings.batch_size)


def batch_of(step: int, samples: int, settings: TrainingSettings) -> list[int]:
    """Return the samples that a step trains on. Steps and samples are numbered from 0.

    Every epoch uses each sample once, in a new order.
    """
    epoch, place = divmod(step, math.ceil(samples / settings.batch_size))
    order = list(range(samples))
    random.Random(f"{settings.seed} {epoch}").shuffle(order)
    return order[place * settings.batch_size : (place + 1) * settings.batch_size]


def learning_rate_of(step: int, steps: int, settings: TrainingSettings) -> float:
    """Return a step's learning rate. Steps are numbered from 0.

    The rate rises linearly from 0, then falls to 0 along half a cosine.
    """
    rise = math.ceil(steps * settings.warmup)
    if step < rise:
        return settings.learning_rate * step / rise
    return settings.learning_rate * (1 + math.cos(math.pi * (step - rise) / max(1, steps - rise))) / 2


def seed_of(step: int, settings: TrainingSettings) -> int:
    """Return the seed of a step's dropout, in [0, 2**63)."""
    return random.Random(f"{settings.seed} step {step}").getrandbits(63)


def _expect(name: str, found: float, holds: bool, expected: str) -> None:
    if not holds:
        raise BadSetting(f"training setting {name}: must be {expected}, found {found}; see `expert train --help`")
