"""The metric protocol, and METRICS: every metric, in display order.

A newcomer adds a metric with one file here and one line in METRICS.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import ClassVar, Protocol, Self

from core.datasets.benchmark import Published
from core.metrics.clip_score import CLIPScore, RefCLIPScore
from core.metrics.expert import Expert, ExpertWithoutSft
from core.metrics.fleur import Fleur, RefFleur
from core.metrics.general_judge import GeneralJudge
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
    needs_image: ClassVar[bool]  # a sample whose picture was not found cannot be judged
    shows_regions: ClassVar[bool]  # explains by regions; takes those of an annotated picture with the option regions
    checkpoints: ClassVar[tuple[Checkpoint, ...]]  # what it loads; none: it needs no weights
    meanings: ClassVar[Mapping[str, str]]  # of its components in plain words, by name; not all need one
    published: ClassVar[tuple[Published, ...]]  # what papers print of it besides core.benchmarks.published

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
    GeneralJudge,
    Polos,
    CLIPScore,
    RefCLIPScore,
    HICE,
    RefHICE,
)
SERVED: tuple[type[Metric], ...] = (Fleur, Expert, GeneralJudge)  # these, and kinds of these, can ask a server
ONLY_SERVED: tuple[type[Metric], ...] = (GeneralJudge,)


def published_by(metrics: Sequence[type[Metric]]) -> tuple[Published, ...]:
    """Return the figures that metrics bring along, each once."""
    return tuple(dict.fromkeys(number for metric in metrics for number in metric.published))
