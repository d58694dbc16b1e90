"""The interface of metrics, and METRICS: every metric, in display order.

To add a metric, add one file in this package and one line in METRICS.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import ClassVar, Protocol, Self

from core.datasets.benchmark import Published
from core.metrics.bleu import Bleu1, Bleu2, Bleu3, Bleu4
from core.metrics.cider import CIDEr
from core.metrics.clip_score import CLIPScore, RefCLIPScore
from core.metrics.expert import Expert, ExpertWithoutSft
from core.metrics.fleur import Fleur, RefFleur
from core.metrics.hice import HICE, RefHICE
from core.metrics.judge import GeneralJudge
from core.metrics.polos import Polos
from core.metrics.rouge_l import RougeL
from core.models import Checkpoint, ModelSettings
from core.types import Outcome, Sample


class Metric(Protocol):
    """A caption metric. It loads its models, then scores samples one by one, in order.

    A metric may also define `needs_corpus = True`. Then the metric gets the data set's references in
    `ModelSettings.corpus`, and its signature names the data set. `shows_matches = True` means that
    `Explanation.matches` explains the metric's scores.
    """

    name: ClassVar[str]
    paper: ClassVar[str]
    scale: ClassVar[tuple[float, float]]
    requires_references: ClassVar[bool]
    needs_image: ClassVar[bool]  # True: the metric cannot judge a sample without a picture file
    shows_regions: ClassVar[bool]  # True: explanations show regions, which the option "regions" selects
    checkpoints: ClassVar[tuple[Checkpoint, ...]]  # weights that the metric loads; (): none
    meanings: ClassVar[Mapping[str, str]]  # key: component name; value: meaning in plain words; may be incomplete
    published: ClassVar[tuple[Published, ...]]  # published figures that are not in core.benchmarks.published

    @classmethod
    def load(cls, settings: ModelSettings) -> Self:
        """Return the metric, ready to score.

        Raises ModelUnavailable, whose text contains the command that gets the missing model.
        """
        ...

    def score(self, samples: Sequence[Sample]) -> Iterator[Outcome]:
        """Yield one outcome for each sample, lazily and in order.

        The metric may compute the samples in batches.
        """
        ...

    def signature(self) -> str:
        """Return the signature (name and all settings that affect scores) of this metric's outcomes."""
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
    Bleu1,
    Bleu2,
    Bleu3,
    Bleu4,
    RougeL,
    CIDEr,
)
SERVED: tuple[type[Metric], ...] = (Fleur, Expert, GeneralJudge)  # these classes and their subclasses can use a server
ONLY_SERVED: tuple[type[Metric], ...] = (GeneralJudge,)


def needs_corpus(metric: type[Metric]) -> bool:
    """Return whether a metric's scores depend on the references of the whole data set."""
    return bool(getattr(metric, "needs_corpus", False))


def shows_matches(metric: type[Metric]) -> bool:
    """Return whether a metric explains its scores by matches with references."""
    return bool(getattr(metric, "shows_matches", False))


def meanings_of(metric: str, metrics: Iterable[type[Metric]]) -> Mapping[str, str]:
    """Return what each component of a metric's scores means, by the component's name.

    The result is empty if Capscope does not compute the metric.
    """
    return next((known.meanings for known in metrics if known.name == metric), {})


def published_by(metrics: Sequence[type[Metric]]) -> tuple[Published, ...]:
    """Return the numbers printed in papers that the metrics list as `published`.

    A number that several metrics list is returned only once.
    """
    return tuple(dict.fromkeys(number for metric in metrics for number in metric.published))
