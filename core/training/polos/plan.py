"""Polos's training plan (M²LHF): settings, order of samples, validation split and stopping rule.

Settings are those of Wada et al., CVPR 2024, section 5.1. Settings that the paper does not state are those of
keio-smilab24/Polos@839d64d, polos-trainer.yaml. Training stops as in the paper: Kendall's tau decides, with patience 5.
In polos-trainer.yaml, by contrast, Pearson's r decides, with patience 1. All random choices depend only on the seed and
the epoch's number, so a run can resume at any epoch.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt
from scipy.stats import kendalltau

from core.errors import BadSetting, NotEnoughSamples
from core.types import Sample

IntArray = npt.NDArray[np.int64]
FloatArray = npt.NDArray[np.float32]

ABLATIONS: Mapping[str, tuple[int, ...]] = {  # key: ablation; value: which of feature_vector's ten parts are omitted
    "text": (0, 1, 2, 3),  # RoBERTa
    "clip": (4, 5, 6, 7, 8, 9),
    "image": (4, 6, 7),  # image features of CLIP, alone or combined with the caption's
    "differences": (2, 6, 8),
    "products": (3, 7, 9),
}
HELD_OUT = 0.1  # share of the pictures that is used for validation if there is no validation file


@dataclass(frozen=True, slots=True)
class TrainingSettings:
    """All settings that change the final weights, except encoders, data and machine."""

    epochs: int = 100  # at most
    batch_size: int = 64  # number of samples per step
    learning_rate: float = 3e-5  # constant learning rate of Adam
    patience: int = 5  # number of epochs without a better tau after which training stops
    hidden_sizes: tuple[int, ...] = (2304, 1152)  # number of units in each hidden layer of the regression
    seed: int = 42
    without: tuple[str, ...] = ()  # keys of ABLATIONS: groups of features that are hidden from the model

    def __post_init__(self) -> None:
        """Raise BadSetting for the first setting out of range."""
        for name in ("epochs", "batch_size", "patience"):
            _expect(name, getattr(self, name), getattr(self, name) >= 1, "1 or more")
        _expect("learning_rate", self.learning_rate, 0 < self.learning_rate < math.inf, "above 0")
        _expect("hidden_sizes", self.hidden_sizes, bool(self.hidden_sizes) and min(self.hidden_sizes) > 0, "above 0")
        known, left = ", ".join(ABLATIONS), {0, 1, 2, 3, 4, 5, 6, 7, 8, 9}.difference(self.removed)
        _expect("without", ", ".join(self.without), {*self.without} <= {*ABLATIONS}, f"some of {known}")
        _expect("without", ", ".join(self.without), bool(left), "at least one remaining feature")
        _expect("seed", self.seed, 0 <= self.seed < 2**32, "from 0 to 4294967295")

    @property
    def removed(self) -> tuple[int, ...]:
        """Return the indices of the parts of the feature vector that the settings remove, in order."""
        return tuple(sorted({place for name in self.without for place in ABLATIONS.get(name, ())}))


Stage = Literal["texts encoded", "pictures encoded", "samples learned", "epochs trained"]


@dataclass(frozen=True, slots=True)
class Progress:
    """The progress of a training run."""

    stage: Stage
    done: int  # number of finished steps of the stage, from 1 to `total`
    total: int
    loss: float | None = None  # mean squared error of the epoch's samples during training
    tau: float | None = None  # Kendall's tau-c over the validation samples, [-1, 1]; None: all scores are tied


OnProgress = Callable[[Progress], None]


@dataclass(frozen=True, slots=True)
class Epoch:
    """The results of one epoch."""

    loss: float
    tau: float | None


def check_samples(samples: Sequence[Sample], purpose: str) -> None:
    """Raise NotEnoughSamples or BadSetting for samples that Polos cannot learn from.

    The message names the sample.
    """
    if len(samples) < 2:
        raise NotEnoughSamples(f"{purpose} needs at least two samples, found {len(samples)}")
    for sample in samples:
        if sample.human is None or not 0 <= sample.human <= 1:
            raise BadSetting(f"{purpose} needs human scores from 0 to 1, but {sample.key} has {sample.human}")
        if not sample.references:
            raise BadSetting(f"{purpose} needs references, but {sample.key} has none")
        if sample.image.path is None:
            raise BadSetting(
                f"{purpose} needs the picture {sample.image.name} of {sample.key}, which was not found; see --images"
            )


def held_out(samples: Sequence[Sample], seed: int) -> tuple[list[Sample], list[Sample]]:
    """Split samples into training and validation samples. No picture is in both.

    Raises NotEnoughSamples if there are fewer than two pictures.
    """
    pictures = sorted({sample.image.name for sample in samples})
    if len(pictures) < 2:
        raise NotEnoughSamples(
            f"a validation split needs at least two pictures, found {len(pictures)}; give a validation file with --val"
        )
    count = max(1, round(len(pictures) * HELD_OUT))
    chosen = set(np.random.default_rng(seed).choice(pictures, size=count, replace=False).tolist())
    kept = [sample for sample in samples if sample.image.name not in chosen]
    return kept, [sample for sample in samples if sample.image.name in chosen]


def epoch_order(samples: int, epoch: int, seed: int) -> IntArray:
    """Return the order of all samples in an epoch (0-based)."""
    return np.random.default_rng([seed, epoch]).permutation(samples)


def epoch_seed(epoch: int, seed: int) -> int:
    """Return the seed of an epoch's dropout, in [0, 2**63)."""
    return int(np.random.default_rng([seed, epoch, 1]).integers(2**63 - 1))


def tau_c(scores: FloatArray, human: FloatArray) -> float | None:
    """Return Kendall's tau-c as Polaris uses it, in [-1, 1].

    Returns None if all scores or all human judgements are equal.
    """
    tau = float(kendalltau(scores, human, variant="c").statistic)
    return None if math.isnan(tau) else tau


def best_epoch(history: Sequence[Epoch]) -> int | None:
    """Return the first epoch (0-based) with the highest tau; None if no epoch has a tau."""
    taus = [(-epoch.tau, number) for number, epoch in enumerate(history) if epoch.tau is not None]
    return min(taus)[1] if taus else None


def is_over(history: Sequence[Epoch], settings: TrainingSettings) -> bool:
    """Return whether training is over.

    It is over if all epochs are finished, or if none of the last `patience` epochs improved tau.
    """
    best = best_epoch(history)
    since_best = len(history) - 1 - (-1 if best is None else best)
    return len(history) >= settings.epochs or since_best >= settings.patience


def _expect(name: str, value: object, holds: bool, expected: str) -> None:
    if not holds:
        raise BadSetting(f"{name.replace('_', ' ')}: expected {expected}, found {value}")
