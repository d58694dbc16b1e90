"""The interface of metrics."""

from collections.abc import Iterator, Mapping, Sequence
from typing import ClassVar, Self

from core.models import Checkpoint, ModelSettings
from core.types import Outcome, Sample


class Metric:
    """A caption metric. It loads its models, then scores samples one by one, in order."""

    name: ClassVar[str]
    paper: ClassVar[str] = ""  # address of the metric's paper
    scale: ClassVar[tuple[float, float]] = (0.0, 1.0)  # lowest and highest score
    requires_references: ClassVar[bool] = False
    needs_image: ClassVar[bool] = True  # True: the metric cannot judge a sample without a picture file
    needs_corpus: ClassVar[bool] = False  # True: ModelSettings.corpus has the data set's references; see CIDEr
    can_use_server: ClassVar[bool] = False  # True: a model server may replace the model on this computer
    needs_server: ClassVar[bool] = False  # True: the metric runs only on a model server
    shows_regions: ClassVar[bool] = False  # True: explanations show regions, which the option "regions" selects
    shows_matches: ClassVar[bool] = False  # True: Explanation.matches explains the scores
    checkpoints: ClassVar[tuple[Checkpoint, ...]] = ()  # weights that the metric loads
    meanings: ClassVar[Mapping[str, str]] = {}  # key: component name; value: meaning in plain words; may be incomplete

    @classmethod
    def load(cls, settings: ModelSettings) -> Self:
        """Return the metric, ready to score.

        Raises ModelUnavailable, whose text contains the command that gets the missing model.
        """
        raise NotImplementedError

    def score(self, samples: Sequence[Sample]) -> Iterator[Outcome]:
        """Yield one outcome for each sample, lazily and in order.

        The metric may compute the samples in batches.
        """
        raise NotImplementedError

    def signature(self) -> str:
        """Return the signature (name and all settings that affect scores) of this metric's outcomes."""
        raise NotImplementedError
