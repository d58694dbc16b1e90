"""The metric protocol, and METRICS: every metric, in display order.

A newcomer adds a metric with one file here and one line in METRICS.
"""

from collections.abc import Iterator, Sequence
from typing import ClassVar, Protocol, Self

from core.metrics.clip_score import CLIPScore, RefCLIPScore
from core.metrics.expert import Expert, ExpertWithoutSft
from core.metrics.fleur import Fleur, RefFleur
from core.metrics.hice import HICE, RefHICE
from core.metrics.polos import Polos
from core.models import Checkpoint, ModelSettings
from core.types import Outcome, Sample


class Metric(Protocol):
    """A caption metric: loads its models, then judges samples one by one, in order."""

    name: ClassVar[str]
    paper: ClassVar[str]
    scale: ClassVar[tuple[float, float]]
    requires_references: ClassVar[bool]
    checkpoints: ClassVar[tuple[Checkpoint, ...]]

    @classmethod
    def load(cls, settings: ModelSettings) -> Self:
        """Return the metric, ready to score. Raises ModelUnavailable, saying what to run."""
        ...

    def score(self, samples: Sequence[Sample]) -> Iterator[Outcome]:
        """Yield one outcome a sample, batched inside, in order, lazily."""
        ...

    def signature(self) -> str:
        """Return the signature that this metric's outcomes carry."""
        ...


METRICS: tuple[type[Metric], ...] = (
    Fleur,
    RefFleur,
    Expert,
    ExpertWithoutSft,
    Polos,
    CLIPScore,
    RefCLIPScore,
    HICE,
    RefHICE,
)
